variable "api_certificate" {
  description = "Certificate with its chain, as PEM."
  type        = string
  default     = null
}

# The key is in neither plan nor state.
variable "api_private_key" {
  description = "Private key of the certificate, as PEM."
  type        = string
  ephemeral   = true
  default     = null
}

resource "bettercompute_certificate" "api" {
  count = var.api_certificate == null ? 0 : 1

  provider_account           = data.bettercompute_provider_account.main
  name                       = "api"
  kind                       = "custom"
  certificate_pem            = var.api_certificate
  private_key_pem_wo         = var.api_private_key
  private_key_pem_wo_version = "1"
}
