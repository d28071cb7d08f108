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
  certificate_pem            = "-----BEGIN CERTIFICATE-----\nMIIBfjCCASSgAwIBAgIIAkGXgTnmM/UwCgYIKoZIzj0EAwIwFTETMBEGA1UEAxMK\nVGVzdCBMb3dlcjAeFw0yNjEwMzEwOTMxMThaFw0yNzAxMjkwOTMxMThaMA8xDTAL\nBgNVBAMTBGxlYWYwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAAR5yo+wb4ES68RQ\nLp6YcFvo8+xxvXl8clXb26ZWDjalzof5/63akL3okwVYcad3eovelbwdTzf2EmWU\nr3MhuTrYo2QwYjAOBgNVHQ8BAf8EBAMCB4AwEwYDVR0lBAwwCgYIKwYBBQUHAwEw\nHwYDVR0jBBgwFoAU+xWWERsSkvwWGDAuQp7oYEKXmtUwGgYDVR0RBBMwEYIPYXBp\nLmV4YW1wbGUuY29tMAoGCCqGSM49BAMCA0gAMEUCIQDC4uhAZBGxUlF5yNLx3C39\nrCdB1WyqztnO/mW4fssKFQIgUmain0ilxyX6iSEhQjggfqH2JzEWMtPB0VKNqZ//\najw=\n-----END CERTIFICATE-----\n-----BEGIN CERTIFICATE-----\nMIIBhDCCASmgAwIBAgIICJ+CLfEQsCwwCgYIKoZIzj0EAwIwFTETMBEGA1UEAxMK\nVGVzdCBVcHBlcjAeFw0yNjExMzAwODMxMThaFw0yNzExMzAwOTMxMThaMBUxEzAR\nBgNVBAMTClRlc3QgTG93ZXIwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAATNy4jP\nz45MdjtmxGJ1qEAiFHRWReO1HNx06bXI+y82I/MtJk/L7/Hd88pbhbjZoPz9BYte\nAYvqydYbg9giN2VRo2MwYTAOBgNVHQ8BAf8EBAMCAgQwDwYDVR0TAQH/BAUwAwEB\n/zAdBgNVHQ4EFgQU+xWWERsSkvwWGDAuQp7oYEKXmtUwHwYDVR0jBBgwFoAUGXMW\nVHQH7khWHRi4aa+STofgftQwCgYIKoZIzj0EAwIDSQAwRgIhAMRSN1nk+pDb/7SL\nfjFsYLcaZJ94y0EaJC3C8XguZtb4AiEA2yVOCXrq1eg7TMoYdC8FXgKsmjd02RUm\nDaSlpqAufMI=\n-----END CERTIFICATE-----\n-----BEGIN CERTIFICATE-----\nMIIBgjCCASigAwIBAgIIAg5YEVDvvb0wCgYIKoZIzj0EAwIwFDESMBAGA1UEAxMJ\nVGVzdCBSb290MB4XDTI2MTEzMDA4MzExOFoXDTI3MTEzMDA5MzExOFowFTETMBEG\nA1UEAxMKVGVzdCBVcHBlcjBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABC6gA8tc\nVp7WFkKDtnjsHYYF5jpUBAhgV/LAqwatEwYuSDcy6hx8ljZso0RtITaB3aV8/h78\nKJ/lrr/JS3JzzD+jYzBhMA4GA1UdDwEB/wQEAwICBDAPBgNVHRMBAf8EBTADAQH/\nMB0GA1UdDgQWBBQZcxZUdAfuSFYdGLhpr5JOh+B+1DAfBgNVHSMEGDAWgBQhGZ87\nrNUGACGaTZgpInIQwYve1jAKBggqhkjOPQQDAgNIADBFAiEAuYuahSjeqsUE7NzR\nOzs0ZgBEwn3Flq/Im2pe5bbvMEMCICbSrI3GOf9rqGRK6Bgk1g6XdYEw1/mi0a4D\nDdPkzxQ4\n-----END CERTIFICATE-----\n"
  private_key_pem_wo         = var.key
  private_key_pem_wo_version = "1"
}
