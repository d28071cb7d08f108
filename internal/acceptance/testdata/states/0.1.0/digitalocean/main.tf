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
  certificate_pem            = "-----BEGIN CERTIFICATE-----\nMIIBfzCCASSgAwIBAgIILw2W/aZHc3gwCgYIKoZIzj0EAwIwFTETMBEGA1UEAxMK\nVGVzdCBMb3dlcjAeFw0yNjEwMzExMDE5MjdaFw0yNzAxMjkxMDE5MjdaMA8xDTAL\nBgNVBAMTBGxlYWYwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAATLThRvkuC7Nq9h\nMtBRc7OYijdIbxpsPsd84ZOt2De4aSM2vrJRYetYuHe1TS6uggG5LpQSmK8Q3EFC\nMaUdJA2+o2QwYjAOBgNVHQ8BAf8EBAMCB4AwEwYDVR0lBAwwCgYIKwYBBQUHAwEw\nHwYDVR0jBBgwFoAUXiZKxIg/8tZOQh1SA2/zSB/wGg8wGgYDVR0RBBMwEYIPYXBp\nLmV4YW1wbGUuY29tMAoGCCqGSM49BAMCA0kAMEYCIQD3F76DwdygJBV5T0XKQiM9\nPQKyjC0Jc+0N2VF8mI90AwIhAPzF9y3KiyKF8RdBzPFuiZ7QL88MNGwolzxquadx\n3J3n\n-----END CERTIFICATE-----\n-----BEGIN CERTIFICATE-----\nMIIBhDCCASmgAwIBAgIIPlerHQ788KwwCgYIKoZIzj0EAwIwFTETMBEGA1UEAxMK\nVGVzdCBVcHBlcjAeFw0yNjExMzAwOTE5MjdaFw0yNzExMzAxMDE5MjdaMBUxEzAR\nBgNVBAMTClRlc3QgTG93ZXIwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAAQKyGCU\njPZah2dD9DlPtiQG2LNA7RZJ7vurYlYeK6DVmds+eGmkHjtbplnJ9qHp7EZYDZzZ\nPQofdqJJrXjl5irxo2MwYTAOBgNVHQ8BAf8EBAMCAgQwDwYDVR0TAQH/BAUwAwEB\n/zAdBgNVHQ4EFgQUXiZKxIg/8tZOQh1SA2/zSB/wGg8wHwYDVR0jBBgwFoAUt1vP\n9p9LGJ3P+OToYIIwHQE4qFIwCgYIKoZIzj0EAwIDSQAwRgIhAJkr6j0gr3PtL5Hs\nOrqD8gLPIHx3f0ZR59ES0I6/llO/AiEAxNvYrF9+canzs90nlYbHEmml7/t5130q\nUi5vNeQvPpA=\n-----END CERTIFICATE-----\n-----BEGIN CERTIFICATE-----\nMIIBgjCCASigAwIBAgIIK8zWWbpOVWgwCgYIKoZIzj0EAwIwFDESMBAGA1UEAxMJ\nVGVzdCBSb290MB4XDTI2MTEzMDA5MTkyN1oXDTI3MTEzMDEwMTkyN1owFTETMBEG\nA1UEAxMKVGVzdCBVcHBlcjBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABJPBRH4K\nCQFBJ2aHA5j/MttvYTpxLY7NpPd/0RClvQpoJvrIgQ217pPtq1nPKrjOo5JAv1iN\nKTPFk1dbMAOJc0GjYzBhMA4GA1UdDwEB/wQEAwICBDAPBgNVHRMBAf8EBTADAQH/\nMB0GA1UdDgQWBBS3W8/2n0sYnc/45OhggjAdATioUjAfBgNVHSMEGDAWgBSSU3cr\nnDvoIlAoiuMJBfhnYohsIDAKBggqhkjOPQQDAgNIADBFAiBK95i3tunLC6vw2G4+\nLxiqktbhdn/KVTY+T6Venpv0pQIhAOcn0zcZFYxTB/cZpmK2+ixq0L73Dtn2NtAz\nZlYMklAU\n-----END CERTIFICATE-----\n"
  private_key_pem_wo         = var.key
  private_key_pem_wo_version = "1"
}
