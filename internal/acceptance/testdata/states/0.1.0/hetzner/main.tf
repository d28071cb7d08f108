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
  certificate_pem            = "-----BEGIN CERTIFICATE-----\nMIIBfjCCASSgAwIBAgIIJRD39y+MMwowCgYIKoZIzj0EAwIwFTETMBEGA1UEAxMK\nVGVzdCBMb3dlcjAeFw0yNjEwMzEwOTMwNDdaFw0yNzAxMjkwOTMwNDdaMA8xDTAL\nBgNVBAMTBGxlYWYwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAAQcD++4d2/FWrG+\nA2RCVC9PG1PPwfnFfSLpbGO6C2eBKVWIa6P7IJtcepazq7+xaR0wHXO7TwCf8eWN\nz6cmS1/ro2QwYjAOBgNVHQ8BAf8EBAMCB4AwEwYDVR0lBAwwCgYIKwYBBQUHAwEw\nHwYDVR0jBBgwFoAUCovfg06t1UxIrcehfUXAD2RJ3EIwGgYDVR0RBBMwEYIPYXBp\nLmV4YW1wbGUuY29tMAoGCCqGSM49BAMCA0gAMEUCIQD7i3WAMbREZduZWl8ZOGkz\n9zNzcg/L+6VSHnn67vTYWgIgKpbCh4GgZKs9tDoPRV2Te0wxLpizRprDcR3VoOq9\nYF8=\n-----END CERTIFICATE-----\n-----BEGIN CERTIFICATE-----\nMIIBgjCCASmgAwIBAgIIJ/CBcb19a/gwCgYIKoZIzj0EAwIwFTETMBEGA1UEAxMK\nVGVzdCBVcHBlcjAeFw0yNjExMzAwODMwNDdaFw0yNzExMzAwOTMwNDdaMBUxEzAR\nBgNVBAMTClRlc3QgTG93ZXIwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAATNJesS\nPvn9mPVOFr3fpHmq+zT091FZUEefvcm3Yzr9gtBeQKqj6HlqRYabQgA1bjwjX/aI\na3wuBNgt5MQIjIUno2MwYTAOBgNVHQ8BAf8EBAMCAgQwDwYDVR0TAQH/BAUwAwEB\n/zAdBgNVHQ4EFgQUCovfg06t1UxIrcehfUXAD2RJ3EIwHwYDVR0jBBgwFoAUf9PW\nzxd61b+/34F0q3u/GwL3kLAwCgYIKoZIzj0EAwIDRwAwRAIgXK0nEpTfJLasA4Ui\n5yyOcOIFUn55dC58EM5cyJ+wQoYCIARCfwkkuv3JlcqqEpxVCYz1hprSLpDB3Fic\n7swIYOMU\n-----END CERTIFICATE-----\n-----BEGIN CERTIFICATE-----\nMIIBgjCCASigAwIBAgIIHZljYT2K+3cwCgYIKoZIzj0EAwIwFDESMBAGA1UEAxMJ\nVGVzdCBSb290MB4XDTI2MTEzMDA4MzA0N1oXDTI3MTEzMDA5MzA0N1owFTETMBEG\nA1UEAxMKVGVzdCBVcHBlcjBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABH/n3cfH\nKt2gYsb8gyQnjR4IG45l9IVbPdo6KH1z8DIaLjUd48Xzs4jRAN4miOIAphy+pVY9\njAu+0QhLu8WL1AqjYzBhMA4GA1UdDwEB/wQEAwICBDAPBgNVHRMBAf8EBTADAQH/\nMB0GA1UdDgQWBBR/09bPF3rVv7/fgXSre78bAveQsDAfBgNVHSMEGDAWgBTBENV7\n/DOmP+7omTbPFVUftatMzjAKBggqhkjOPQQDAgNIADBFAiAEU6HH5IkcYYjWPNpM\n8MVb3u2rKEKQz3ZPHskW+luPNgIhAP9sKTUL7VBCyDSvT01Ue8iW6YRJyn6dcoxh\nIubKrJ2a\n-----END CERTIFICATE-----\n"
  private_key_pem_wo         = var.key
  private_key_pem_wo_version = "1"
}
