resource "hcloud_network" "backend" {
  name     = "backend"
  ip_range = "10.7.0.0/16"
}

resource "hcloud_network_subnet" "backend" {
  network_id   = hcloud_network.backend.id
  type         = "cloud"
  network_zone = "eu-central"
  ip_range     = "10.7.1.0/24"
}

resource "hcloud_firewall" "edge" {
  name = "edge"

  rule {
    direction  = "in"
    protocol   = "tcp"
    port       = "443"
    source_ips = ["0.0.0.0/0", "::/0"]
  }
}

resource "hcloud_placement_group" "apart" {
  name = "apart"
  type = "spread"
}

resource "hcloud_ssh_key" "laptop" {
  name       = "laptop"
  public_key = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJ4kP8gqHj0kQ1nZ0m0P0v6kq6nE0kH2t1uRy6mE0q2q alice@example.com"
}

resource "hcloud_server" "web" {
  name               = "web"
  server_type        = "cx23"
  image              = "ubuntu-24.04"
  location           = "fsn1"
  ssh_keys           = [hcloud_ssh_key.laptop.id]
  user_data          = "#cloud-config\n{}\n"
  labels             = { tier = "web" }
  backups            = true
  delete_protection  = true
  rebuild_protection = true
  firewall_ids       = [hcloud_firewall.edge.id]
  placement_group_id = hcloud_placement_group.apart.id

  public_net {
    ipv4_enabled = true
    ipv6_enabled = true
  }

  network {
    network_id = hcloud_network.backend.id
    ip         = "10.7.1.5"
  }

  depends_on = [hcloud_network_subnet.backend]
}

resource "hcloud_rdns" "ipv4" {
  server_id  = hcloud_server.web.id
  ip_address = hcloud_server.web.ipv4_address
  dns_ptr    = "web.example.com"
}

resource "hcloud_rdns" "ipv6" {
  server_id  = hcloud_server.web.id
  ip_address = hcloud_server.web.ipv6_address
  dns_ptr    = "web.example.com"
  depends_on = [hcloud_rdns.ipv4]
}
