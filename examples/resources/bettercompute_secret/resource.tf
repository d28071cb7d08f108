provider "bettercompute" {
  secret_store = {
    path     = "${path.root}/secrets.sealed"
    identity = "env://BETTERCOMPUTE_IDENTITY"
  }
}

# Neither the plan nor the state ever holds the value of an ephemeral variable or of value_wo.
variable "hetzner_token" {
  description = "API token of the project."
  type        = string
  ephemeral   = true
  default     = "an example, not a token"
}

resource "bettercompute_secret" "hetzner_token" {
  name     = "hetzner-token"
  value_wo = var.hetzner_token

  # The value is put into the file anew when this text changes.
  value_wo_version = "1"
}

# What an account takes as its token: secret://root/hetzner-token
output "hetzner_token_reference" {
  value = bettercompute_secret.hetzner_token.ref
}
