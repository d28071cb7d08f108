# The second argument is the address, our id, the vendor's id, or the name where the vendor keeps one.
import {
  to = bettercompute_provider_address.front
  id = provider::bettercompute::import_id(data.bettercompute_provider_account.main, "front")
}
