resource "digitalocean_vpc" "backend" {
  name     = "backend"
  region   = "fra1"
  ip_range = "10.7.0.0/20"
}

resource "digitalocean_ssh_key" "laptop" {
  name       = "laptop"
  public_key = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJ4kP8gqHj0kQ1nZ0m0P0v6kq6nE0kH2t1uRy6mE0q2q alice@example.com"
}

resource "digitalocean_tag" "tier" {
  name = "tier:web"
}

resource "digitalocean_droplet" "web" {
  name       = "web"
  size       = "s-2vcpu-4gb"
  image      = "ubuntu-24-04-x64"
  region     = "fra1"
  vpc_uuid   = digitalocean_vpc.backend.id
  ipv6       = true
  monitoring = true
  backups    = true
  user_data  = "#cloud-config\n{}\n"
  ssh_keys   = [digitalocean_ssh_key.laptop.id]
  tags       = [digitalocean_tag.tier.id]

  backup_policy {
    plan    = "weekly"
    weekday = "TUE"
    hour    = 8
  }
}
