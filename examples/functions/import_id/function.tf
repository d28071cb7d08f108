# What the import block of a machine takes: see the page of bettercompute_instance.
output "import_id" {
  value = provider::bettercompute::import_id(data.bettercompute_provider_account.main, "web-1")
}
