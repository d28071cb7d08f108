terraform {
  required_providers {
    bettercompute = {
      source = "better-compute/bettercompute"
    }
  }
}

variable "endpoint" {
  type = string
}

variable "key" {
  type = string
}

provider "bettercompute" {
  tenant_id    = "shop"
  secret_store = { path = "secrets.sealed", identity = "env://BETTERCOMPUTE_KEPT_IDENTITY" }
}

resource "bettercompute_secret" "token" {
  name     = "token"
  value_wo = "one"
}

resource "bettercompute_provider_account" "main" {
  name = "main"
  digitalocean = { token = "env://DIGITALOCEAN_TOKEN", endpoint = var.endpoint, region = "fra1" }
}

resource "bettercompute_instance" "web" {
  provider_account    = bettercompute_provider_account.main
  name                = "web"
  offer_id            = "s-2vcpu-4gb"
  image               = "ubuntu-24-04-x64"
  labels              = { role = "web" }
  user_data           = "#cloud-config\npackage_update: true\n"
  ssh_authorized_keys = ["ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIHjVHYqYpmrHAyx4xJKUvuY5kPJ1IkVYEKRFMxJ5HbXC web"]
  power               = "on"
  timeouts            = { create = "15m" }
}

resource "bettercompute_provider_address" "front" {
  provider_account = bettercompute_provider_account.main
  name             = "front"
  description      = "the front door"
  instance         = bettercompute_instance.web
}

resource "bettercompute_certificate" "issued" {
  provider_account = bettercompute_provider_account.main
  name             = "issued"
  kind             = "managed"
  domains          = ["www.example.com"]
}

resource "bettercompute_certificate" "uploaded" {
  provider_account           = bettercompute_provider_account.main
  name                       = "uploaded"
  kind                       = "custom"
  certificate_pem            = "-----BEGIN CERTIFICATE-----\nMIIBfjCCASSgAwIBAgIIHVzTaLoKJd4wCgYIKoZIzj0EAwIwFTETMBEGA1UEAxMK\nVGVzdCBMb3dlcjAeFw0yNjEwMzExMTIzMzZaFw0yNzAxMjkxMTIzMzZaMA8xDTAL\nBgNVBAMTBGxlYWYwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAAQhhA/NL87EYvqH\nWFn1LUIcuQDIG5NEY6j7WpT2VMMMiteIM8n0buMVpbWsmc9EfgHXw28+d8ffdi74\nmvkfDuB0o2QwYjAOBgNVHQ8BAf8EBAMCB4AwEwYDVR0lBAwwCgYIKwYBBQUHAwEw\nHwYDVR0jBBgwFoAUA4T73P4BWWty9nFqi+uc7N/dT6IwGgYDVR0RBBMwEYIPYXBp\nLmV4YW1wbGUuY29tMAoGCCqGSM49BAMCA0gAMEUCIE+PQM9g336npM2xJGTt7BIA\nQ9WlMcBIZQRL8wfKC88OAiEAntaxNastQLS0F50Po/LUr1y1g8fKea31Rr5SOHE7\nff4=\n-----END CERTIFICATE-----\n-----BEGIN CERTIFICATE-----\nMIIBgzCCASmgAwIBAgIIGVhqJYoBeowwCgYIKoZIzj0EAwIwFTETMBEGA1UEAxMK\nVGVzdCBVcHBlcjAeFw0yNjExMzAxMDIzMzZaFw0yNzExMzAxMTIzMzZaMBUxEzAR\nBgNVBAMTClRlc3QgTG93ZXIwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAARQqF4u\nlVLMQS7/N8ZliiGfrHzY+8zVaOvUy9E60zBaJ3EcwuLNuL5jeKbIYR8gUZs7XIsg\nuV5v5cx8CNFEGloNo2MwYTAOBgNVHQ8BAf8EBAMCAgQwDwYDVR0TAQH/BAUwAwEB\n/zAdBgNVHQ4EFgQUA4T73P4BWWty9nFqi+uc7N/dT6IwHwYDVR0jBBgwFoAUxC2N\nIRAa9Nzr6sLb5goyJrgrb2cwCgYIKoZIzj0EAwIDSAAwRQIhAJXZrXjvvndebiYe\nEzcVJRmhdW85spla9ej8XiPV8jU2AiAQdy4zQaIxyvXkYoHgYMCjSG88N95+rAs1\nx4qTaSlECA==\n-----END CERTIFICATE-----\n-----BEGIN CERTIFICATE-----\nMIIBgjCCASigAwIBAgIIGCUlWIvqZI8wCgYIKoZIzj0EAwIwFDESMBAGA1UEAxMJ\nVGVzdCBSb290MB4XDTI2MTEzMDEwMjMzNloXDTI3MTEzMDExMjMzNlowFTETMBEG\nA1UEAxMKVGVzdCBVcHBlcjBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABMStQ+p8\nwriLV3o8CP/Zk2q5SfKLXkHAw/fNpi66h/7W20KPhq56dmRoOaq6Q/PvXtd+GRRL\nzH/Fhzb1GXaTM3ujYzBhMA4GA1UdDwEB/wQEAwICBDAPBgNVHRMBAf8EBTADAQH/\nMB0GA1UdDgQWBBTELY0hEBr03OvqwtvmCjImuCtvZzAfBgNVHSMEGDAWgBRHvInA\n5DJG7P0o2UgTL5gGAAMrwjAKBggqhkjOPQQDAgNIADBFAiBLr+dOtbYGrYv43HEW\njMU7cdsWD39NzzQwGfmFPbfD4wIhANjxxxajzJ26Tqqf7VNXhXfGxkn9SQJDh+SZ\nfz8k+oNp\n-----END CERTIFICATE-----\n"
  private_key_pem_wo         = var.key
  private_key_pem_wo_version = "1"
}
