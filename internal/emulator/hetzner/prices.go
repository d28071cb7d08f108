// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package hetzner

import (
	"fmt"
	"net/http"

	"github.com/better-compute/terraform-provider-bettercompute/internal/emulator/core"
)

// vat is the German rate in percent, which makes gross of net.
const vat = 19

// amount is money in ten-thousandths of a euro. The vendor writes amounts as decimal text with many digits, net with
// ten, gross with sixteen.
type amount int64

func (a amount) price() object {
	gross := int64(a) * (100 + vat) // in millionths
	return object{
		"net":   fmt.Sprintf("%d.%04d000000", a/10000, a%10000),
		"gross": fmt.Sprintf("%d.%06d0000000000", gross/1_000_000, gross%1_000_000),
	}
}

// hoursOfMonth makes the hourly price of the monthly one, as the published pairs show (5.49 and 0.0088).
const hoursOfMonth = 624

func (a amount) hourly() amount { return (a + hoursOfMonth/2) / hoursOfMonth }

// monthly is a type's price in a location.
func (t serverType) monthly(where string) amount {
	net := amount(t.net) * 100
	switch where {
	case "ash", "hil":
		return net * 108 / 100
	case "sin":
		return net * 170 / 100
	}
	return net
}

const terabyte = 1 << 40

// traffic is what is included in a location, in bytes, and the price of a terabyte more.
func traffic(where string) (included int64, more amount) {
	switch where {
	case "ash", "hil":
		return 1 * terabyte, 10000
	case "sin":
		return terabyte / 2, 74000
	}
	return 20 * terabyte, 10000
}

func (t serverType) prices() []object {
	prices := make([]object, 0, len(t.sold))
	for _, where := range t.sold {
		monthly := t.monthly(where)
		included, more := traffic(where)
		prices = append(prices, object{
			"location": where, "price_hourly": monthly.hourly().price(), "price_monthly": monthly.price(),
			"included_traffic": included, "price_per_tb_traffic": more.price(),
		})
	}
	return prices
}

// Monthly net prices of addresses: IPv4 costs, a /64 of IPv6 does not.
const (
	primaryIPv4  amount = 5000
	floatingIPv4 amount = 30000
	floatingIPv6 amount = 10000
)

func getPricing(c *call) core.Answer {
	types := []object{}
	for _, t := range c.types() {
		types = append(types, object{"id": t.id, "name": t.name, "prices": t.prices()})
	}
	return reply(http.StatusOK, object{"pricing": object{
		"currency": "EUR", "vat_rate": fmt.Sprintf("%d.000000", vat),
		"server_types": types, "load_balancer_types": []object{},
		"primary_ips": []object{
			{"type": "ipv4", "prices": addressPrices(primaryIPv4, true)},
			{"type": "ipv6", "prices": addressPrices(0, true)},
		},
		"floating_ips": []object{
			{"type": "ipv4", "prices": addressPrices(floatingIPv4, false)},
			{"type": "ipv6", "prices": addressPrices(floatingIPv6, false)},
		},
		"floating_ip":   object{"price_monthly": floatingIPv4.price()},
		"image":         object{"price_per_gb_month": amount(110).price()},
		"volume":        object{"price_per_gb_month": amount(440).price()},
		"server_backup": object{"percentage": "20.0000000000"},
	}}, 0)
}

func addressPrices(monthly amount, hourly bool) []object {
	prices := make([]object, 0, len(locations))
	for _, l := range locations {
		price := object{"location": l.name, "price_monthly": monthly.price()}
		if hourly {
			price["price_hourly"] = monthly.hourly().price()
		}
		prices = append(prices, price)
	}
	return prices
}
