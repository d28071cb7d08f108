# The second argument is the machine's name, one of its addresses, our id, or the vendor's id.
import {
  to = bettercompute_instance.web
  id = provider::bettercompute::import_id(data.bettercompute_provider_account.main, "web-1")
}
