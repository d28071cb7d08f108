# The second argument is our id, the vendor's id, or the name.
import {
  to = bettercompute_certificate.www
  id = provider::bettercompute::import_id(data.bettercompute_provider_account.main, "www")
}
