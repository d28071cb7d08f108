resource "bettercompute_instance" "app" {
  provider_account = data.bettercompute_provider_account.main
  name             = "app-1"
  offer_id         = data.bettercompute_offer.small.id
  image            = "ubuntu-24.04"
  power            = "on"

  labels = {
    role = "app"
  }

  ssh_authorized_keys = [
    "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIFsh8m5OAsseeyoVUZMQOpgw5zDNT2iqSyACNm5pr+IG alice@example.com",
  ]

  user_data = <<-EOT
    #cloud-config
    packages:
      - nginx
  EOT

  timeouts = {
    create = "10m"
  }
}
