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
  reverse_dns       = "web.example.com"

  hetzner_cloud = {
    firewall_ids       = ["edge"]
    placement_group_id = "apart"
    network_ip         = "10.7.1.5"
    ssh_key_ids        = ["laptop"]
  }
}
