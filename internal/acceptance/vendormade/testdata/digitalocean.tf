resource "bettercompute_instance" "web" {
  provider_account  = data.bettercompute_provider_account.main
  name              = "web"
  offer_id          = "OFFER"
  image             = "IMAGE"
  region            = "REGION"
  labels            = { tier = "web" }
  user_data         = "#cloud-config\n{}\n"
  public_ipv4       = true
  public_ipv6       = true
  backups           = true
  delete_protection = true
  network           = "backend"

  digitalocean = {
    monitoring  = true
    ssh_key_ids = ["laptop"]
  }
}
