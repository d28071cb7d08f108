# Neither the plan nor the state ever holds the value of an ephemeral variable or of user_data_wo.
variable "join_key" {
  description = "What the machine shows to join its cluster."
  type        = string
  ephemeral   = true
  default     = "an example, not a secret"
}

resource "bettercompute_instance" "worker" {
  provider_account = data.bettercompute_provider_account.main
  name             = "worker-1"
  offer_id         = data.bettercompute_offer.small.id
  image            = "debian-13"

  user_data_wo = <<-EOT
    #cloud-config
    write_files:
      - path: /etc/cluster/join-key
        permissions: "0600"
        content: "${var.join_key}"
  EOT

  # A new value is sent when this number changes.
  user_data_wo_version = 1
}
