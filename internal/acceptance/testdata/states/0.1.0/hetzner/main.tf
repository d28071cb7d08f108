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
  certificate_pem            = "-----BEGIN CERTIFICATE-----\nMIIBfTCCASSgAwIBAgIIH+USEyIv8cwwCgYIKoZIzj0EAwIwFTETMBEGA1UEAxMK\nVGVzdCBMb3dlcjAeFw0yNjEwMzExMTIzMzFaFw0yNzAxMjkxMTIzMzFaMA8xDTAL\nBgNVBAMTBGxlYWYwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAARbOO2b4BcfzP+i\nXpTuQmAd76j+GVk+wtWI5pYv0OjN1v/vNrBYOTVxPpQI9CYRvpRwL09Ka3IPFn4Z\nBqy+H1TGo2QwYjAOBgNVHQ8BAf8EBAMCB4AwEwYDVR0lBAwwCgYIKwYBBQUHAwEw\nHwYDVR0jBBgwFoAUtcmVHDive/hIcd3rXt0DcbbmwUswGgYDVR0RBBMwEYIPYXBp\nLmV4YW1wbGUuY29tMAoGCCqGSM49BAMCA0cAMEQCIAP7K+CoPl3cA/QCCdTIgOY5\ndtatngZrV9870t2n4pihAiA4imkVuBN+Y6zRfeRUDiBabgETsoycNB/QvE9mkpB0\nPw==\n-----END CERTIFICATE-----\n-----BEGIN CERTIFICATE-----\nMIIBgzCCASmgAwIBAgIIOcdkx3ZTuk4wCgYIKoZIzj0EAwIwFTETMBEGA1UEAxMK\nVGVzdCBVcHBlcjAeFw0yNjExMzAxMDIzMzFaFw0yNzExMzAxMTIzMzFaMBUxEzAR\nBgNVBAMTClRlc3QgTG93ZXIwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAASs8yFp\nelTQfmCIEmVjTKMJDxoBcm8S2t/os+NRhErhv6fSQcj4cwlqLihakRfLTmktjFcU\ndme0q0+dSqicsCnUo2MwYTAOBgNVHQ8BAf8EBAMCAgQwDwYDVR0TAQH/BAUwAwEB\n/zAdBgNVHQ4EFgQUtcmVHDive/hIcd3rXt0DcbbmwUswHwYDVR0jBBgwFoAUi6IC\nsRb0IUCtlCifwFVvACYCCOAwCgYIKoZIzj0EAwIDSAAwRQIhAMVSrMt29q+PhVtN\ngTGzMdGSXtFWVCnPc7JCzRmXOOutAiB8JI1B+wXIRx4MbyzfHle1Q/5sgBJlhfo+\nIGsaix7fxA==\n-----END CERTIFICATE-----\n-----BEGIN CERTIFICATE-----\nMIIBgTCCASigAwIBAgIIDzGenQY4ahUwCgYIKoZIzj0EAwIwFDESMBAGA1UEAxMJ\nVGVzdCBSb290MB4XDTI2MTEzMDEwMjMzMVoXDTI3MTEzMDExMjMzMVowFTETMBEG\nA1UEAxMKVGVzdCBVcHBlcjBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABKFptmO8\nwQTz39dc6FWWN+7CZRGIQgteUVdAFMXOPSTnQ9LM0pOCcauE6X7NAzEOfvI7mcT2\nt7aWUUMO/EarrdOjYzBhMA4GA1UdDwEB/wQEAwICBDAPBgNVHRMBAf8EBTADAQH/\nMB0GA1UdDgQWBBSLogKxFvQhQK2UKJ/AVW8AJgII4DAfBgNVHSMEGDAWgBQ6go5v\n5jbV069EtgJPrhKeCcmnojAKBggqhkjOPQQDAgNHADBEAiAXlVdfTewtSf/QfEbR\n+1vSr+r0ddgmABJBA8UGkryMMgIgSpl2yBDKaYRdj5Ou3traUOROp1DLbMPXEODK\notofnUI=\n-----END CERTIFICATE-----\n"
  private_key_pem_wo         = var.key
  private_key_pem_wo_version = "1"
}
