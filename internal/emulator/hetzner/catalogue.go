// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package hetzner

import "time"

// The catalogue is modelled on what the vendor sold in the autumn of 2026. Names and sizes are the vendor's. Net prices in
// the EU of cx23 to cx53, cpx22 to cpx62 and ccx13 to ccx43 are public figures of September 2026; those of the cax types
// and cpx12 are derived from public totals with an address; all others, and everything in ash, hil and sin, are scaled,
// since no complete list is public. Of the ids only those of cx23, of the locations and of the x86 images ubuntu-22.04 and
// ubuntu-24.04 were confirmed in public sources; the others are made up in the vendor's style.

// location is where servers stand. Ids, places and network zones: Hetzner API document, GET /locations.
type location struct {
	id                int64
	name, description string
	country, city     string
	latitude          float64
	longitude         float64
	zone              string
}

var locations = []location{
	{1, "fsn1", "Falkenstein DC Park 1", "DE", "Falkenstein", 50.47612, 12.370071, "eu-central"},
	{2, "nbg1", "Nuremberg DC Park 1", "DE", "Nuremberg", 49.452102, 11.076665, "eu-central"},
	{3, "hel1", "Helsinki DC Park 1", "FI", "Helsinki", 60.169855, 24.938379, "eu-central"},
	{4, "ash", "Ashburn, VA", "US", "Ashburn, VA", 39.045821, -77.487073, "us-east"},
	{5, "hil", "Hillsboro, OR", "US", "Hillsboro, OR", 45.54222, -122.951924, "us-west"},
	{6, "sin", "Singapore", "SG", "Singapore", 1.283333, 103.833333, "ap-southeast"},
}

// serverType is a size of server. Memory and disk are in GB.
type serverType struct {
	id           int64
	name         string
	cores        int
	memory, disk int
	cpu          string // shared or dedicated
	architecture string // x86 or arm
	category     string
	net          int // monthly net price in fsn1, in cents
	sold         []string
	retired      []string // locations where it is deprecated and no longer sold
}

var (
	inEurope       = []string{"fsn1", "nbg1", "hel1"}
	inEuropeAndSin = []string{"fsn1", "nbg1", "hel1", "sin"}
	everywhere     = []string{"fsn1", "nbg1", "hel1", "ash", "hil", "sin"}
)

const (
	costOptimized = "Cost-Optimized"
	regular       = "Regular Performance"
	general       = "General Purpose"
)

var serverTypes = []serverType{
	{22, "cpx11", 2, 2, 40, "shared", "x86", regular, 1149, everywhere, inEurope},
	{23, "cpx21", 3, 4, 80, "shared", "x86", regular, 1949, everywhere, inEurope},
	{24, "cpx31", 4, 8, 160, "shared", "x86", regular, 3549, everywhere, inEurope},
	{25, "cpx41", 8, 16, 240, "shared", "x86", regular, 6949, everywhere, inEurope},
	{26, "cpx51", 16, 32, 360, "shared", "x86", regular, 12999, everywhere, inEurope},
	{45, "cax11", 2, 4, 40, "shared", "arm", costOptimized, 599, inEurope, nil},
	{93, "cax21", 4, 8, 80, "shared", "arm", costOptimized, 1049, inEurope, nil},
	{94, "cax31", 8, 16, 160, "shared", "arm", costOptimized, 2099, inEurope, nil},
	{95, "cax41", 16, 32, 320, "shared", "arm", costOptimized, 4099, inEurope, nil},
	{96, "ccx13", 2, 8, 80, "dedicated", "x86", general, 4299, everywhere, nil},
	{97, "ccx23", 4, 16, 160, "dedicated", "x86", general, 8599, everywhere, nil},
	{98, "ccx33", 8, 32, 240, "dedicated", "x86", general, 13849, everywhere, nil},
	{99, "ccx43", 16, 64, 360, "dedicated", "x86", general, 27599, everywhere, nil},
	{100, "ccx53", 32, 128, 600, "dedicated", "x86", general, 55149, everywhere, nil},
	{101, "ccx63", 48, 192, 960, "dedicated", "x86", general, 82699, everywhere, nil},
	{104, "cx22", 2, 4, 40, "shared", "x86", costOptimized, 379, inEurope, inEurope},
	{108, "cpx12", 1, 2, 40, "shared", "x86", regular, 1149, inEuropeAndSin, nil},
	{109, "cpx22", 2, 4, 80, "shared", "x86", regular, 1949, inEuropeAndSin, nil},
	{110, "cpx32", 4, 8, 160, "shared", "x86", regular, 3549, inEuropeAndSin, nil},
	{111, "cpx42", 8, 16, 320, "shared", "x86", regular, 6949, inEuropeAndSin, nil},
	{112, "cpx52", 12, 24, 480, "shared", "x86", regular, 10049, inEuropeAndSin, nil},
	{113, "cpx62", 16, 32, 640, "shared", "x86", regular, 12999, inEuropeAndSin, nil},
	{114, "cx23", 2, 4, 40, "shared", "x86", costOptimized, 549, inEurope, nil},
	{115, "cx33", 4, 8, 80, "shared", "x86", costOptimized, 849, inEurope, nil},
	{116, "cx43", 8, 16, 160, "shared", "x86", costOptimized, 1599, inEurope, nil},
	{117, "cx53", 16, 32, 320, "shared", "x86", costOptimized, 2949, inEurope, nil},
}

// When the retired types were announced and went away (Hetzner changelog, autumn 2025).
var (
	typesAnnounced = time.Date(2025, 10, 16, 0, 0, 0, 0, time.UTC)
	typesGone      = time.Date(2025, 12, 31, 0, 0, 0, 0, time.UTC)
)

// image is what a server is made from. The same name exists once per architecture.
type image struct {
	id           int64
	kind         string // system or app
	name         string
	description  string
	flavor       string
	version      string
	architecture string
	created      string
	deprecated   string // a date, "" for none
}

// What is known of their ids stands at the top of this file.
var images = []image{
	{15512617, "system", "ubuntu-20.04", "Ubuntu 20.04", "ubuntu", "20.04", "x86", "2020-04-23", "2025-05-31"},
	{45557056, "system", "debian-11", "Debian 11", "debian", "11", "x86", "2021-08-16", "2026-08-31"},
	{40093247, "app", "docker-ce", "Docker CE", "ubuntu", "24.04", "x86", "2021-06-09", ""},
	{67794396, "system", "ubuntu-22.04", "Ubuntu 22.04", "ubuntu", "22.04", "x86", "2022-04-21", ""},
	{76391468, "system", "rocky-9", "Rocky Linux 9", "rocky", "9", "x86", "2022-07-20", ""},
	{103908070, "system", "debian-11", "Debian 11", "debian", "11", "arm", "2023-03-21", "2026-08-31"},
	{103908126, "system", "ubuntu-20.04", "Ubuntu 20.04", "ubuntu", "20.04", "arm", "2023-03-21", "2025-05-31"},
	{103908130, "system", "ubuntu-22.04", "Ubuntu 22.04", "ubuntu", "22.04", "arm", "2023-03-21", ""},
	{103908139, "system", "rocky-9", "Rocky Linux 9", "rocky", "9", "arm", "2023-03-21", ""},
	{105888141, "app", "docker-ce", "Docker CE", "ubuntu", "24.04", "arm", "2023-04-24", ""},
	{114690387, "system", "debian-12", "Debian 12", "debian", "12", "x86", "2023-06-13", ""},
	{114690389, "system", "debian-12", "Debian 12", "debian", "12", "arm", "2023-06-13", ""},
	{161547269, "system", "ubuntu-24.04", "Ubuntu 24.04", "ubuntu", "24.04", "x86", "2024-04-25", ""},
	{161547270, "system", "ubuntu-24.04", "Ubuntu 24.04", "ubuntu", "24.04", "arm", "2024-04-25", ""},
	{250847621, "system", "centos-stream-10", "CentOS Stream 10", "centos", "stream10", "x86", "2024-12-17", ""},
	{250847622, "system", "centos-stream-10", "CentOS Stream 10", "centos", "stream10", "arm", "2024-12-17", ""},
	{290155612, "system", "alma-10", "AlmaLinux 10", "alma", "10", "x86", "2025-06-02", ""},
	{290155613, "system", "alma-10", "AlmaLinux 10", "alma", "10", "arm", "2025-06-02", ""},
	{310557660, "system", "debian-13", "Debian 13", "debian", "13", "x86", "2025-08-11", ""},
	{310557661, "system", "debian-13", "Debian 13", "debian", "13", "arm", "2025-08-11", ""},
	{331047718, "system", "fedora-43", "Fedora 43", "fedora", "43", "x86", "2025-10-28", ""},
	{331047719, "system", "fedora-43", "Fedora 43", "fedora", "43", "arm", "2025-10-28", ""},
}

// imageDisk is the size of every image of the vendor's own, in GB.
const imageDisk = 5
