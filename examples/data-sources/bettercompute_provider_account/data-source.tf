data "bettercompute_provider_account" "main" {
  name = "main"

  hetzner_cloud = {
    token = "env://HCLOUD_TOKEN"
  }
}

# The account is a value: this is what a module that takes one declares.
#
#   variable "provider_account" {
#     type = object({ id = string, tenant_id = string, kind = string, config = string })
#   }
output "kind" {
  value = data.bettercompute_provider_account.main.kind
}
