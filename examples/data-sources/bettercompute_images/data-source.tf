# The newest Debian for x86 machines: names are sorted, the last one is the newest.
data "bettercompute_images" "debian" {
  provider_account = data.bettercompute_provider_account.main
  name             = "debian-*"
  architecture     = "x86"
}

output "debian" {
  value = reverse([for image in data.bettercompute_images.debian.images : image.name if image.deprecated == null])[0]
}
