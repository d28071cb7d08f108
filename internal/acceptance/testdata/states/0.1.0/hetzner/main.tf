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
  secret_store = { path = "secrets.sealed", identity = "env://BETTERCOMPUTE_KEPT_IDENTITY" }
}

resource "bettercompute_secret" "token" {
  name     = "token"
  value_wo = "one"
}

resource "bettercompute_provider_account" "main" {
  name = "main"
  hetzner_cloud = { token = "env://HCLOUD_TOKEN", endpoint = var.endpoint, location = "fsn1" }
}

resource "bettercompute_instance" "web" {
  provider_account    = bettercompute_provider_account.main
  name                = "web"
  offer_id            = "cx23"
  image               = "ubuntu-24.04"
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
  certificate_pem            = "-----BEGIN CERTIFICATE-----\nMIIBfjCCASSgAwIBAgIIDFulr8BYgUQwCgYIKoZIzj0EAwIwFTETMBEGA1UEAxMK\nVGVzdCBMb3dlcjAeFw0yNjEwMzExMDE5MjBaFw0yNzAxMjkxMDE5MjBaMA8xDTAL\nBgNVBAMTBGxlYWYwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAASjMdPXBc3SIDpH\nfwfc/+hKfii61Qi+0/6JIAJx+gmw5fRtkIaHeTvojZlar01aQ+XcTABbITXrvkzK\nH82RgbGho2QwYjAOBgNVHQ8BAf8EBAMCB4AwEwYDVR0lBAwwCgYIKwYBBQUHAwEw\nHwYDVR0jBBgwFoAUkO8gmH+IUUqLc7+B0mP64t5Hk4YwGgYDVR0RBBMwEYIPYXBp\nLmV4YW1wbGUuY29tMAoGCCqGSM49BAMCA0gAMEUCIQC+3MNA74H1YY4vLH24gFP9\nHXcM2J46lyv4SXdWA0EZCAIgFnF68cEikXBV5KqRtMVR0EK7jpcsKzX5fugoV5wA\ngCM=\n-----END CERTIFICATE-----\n-----BEGIN CERTIFICATE-----\nMIIBgjCCASmgAwIBAgIIAKrtY86fy+wwCgYIKoZIzj0EAwIwFTETMBEGA1UEAxMK\nVGVzdCBVcHBlcjAeFw0yNjExMzAwOTE5MjBaFw0yNzExMzAxMDE5MjBaMBUxEzAR\nBgNVBAMTClRlc3QgTG93ZXIwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAASBgpX1\nwqEgcDW616GSp/4Vy1hna9y/H2RFCZ912PpodvyystJjAcu26zXrnF458PuFZRiH\nDCgNiJrWju/eQqHSo2MwYTAOBgNVHQ8BAf8EBAMCAgQwDwYDVR0TAQH/BAUwAwEB\n/zAdBgNVHQ4EFgQUkO8gmH+IUUqLc7+B0mP64t5Hk4YwHwYDVR0jBBgwFoAUCwZB\nyRoOAF3g35P37Pxjvgfdic8wCgYIKoZIzj0EAwIDRwAwRAIgT+9WGu6eHXBWISwJ\nArg/1s5j3kOWK9LVCQejJ/p6+zECIAFLFt8+8RplTw85bNBZf4Ct7K7pzOwgswNd\n7L+TsWch\n-----END CERTIFICATE-----\n-----BEGIN CERTIFICATE-----\nMIIBgjCCASigAwIBAgIIDSgUhzbbnkAwCgYIKoZIzj0EAwIwFDESMBAGA1UEAxMJ\nVGVzdCBSb290MB4XDTI2MTEzMDA5MTkyMFoXDTI3MTEzMDEwMTkyMFowFTETMBEG\nA1UEAxMKVGVzdCBVcHBlcjBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABM6tv7D8\nDqKH66P7uYP9g8j9FlbTHRZhPhjbr2ODoPkugCWtWkW0V33dlFPJq8UeMVxz3n5N\n4m/9gsb3TeyzRWujYzBhMA4GA1UdDwEB/wQEAwICBDAPBgNVHRMBAf8EBTADAQH/\nMB0GA1UdDgQWBBQLBkHJGg4AXeDfk/fs/GO+B92JzzAfBgNVHSMEGDAWgBQwb6bU\nHWXq360e4WjC7DGZ9CgIXzAKBggqhkjOPQQDAgNIADBFAiAGAV2ScxwRn8u0fsl8\nlRtE7/Sc1htnuLLyjA/STVZfHAIhAMAxrGy+/4IF0twhAmsjU2ANHy/+IuHf3u0E\npgOm24Js\n-----END CERTIFICATE-----\n"
  private_key_pem_wo         = var.key
  private_key_pem_wo_version = "1"
}
