// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package digitalocean

// basicSizes share their CPUs.
var basicSizes = []size{
	{"s-1vcpu-512mb-10gb", "Basic", 512, 1, 10, 0.5, 4, 0.00595, smallestIn},
	{"s-1vcpu-1gb", "Basic", 1024, 1, 25, 1, 6, 0.00893, openRegions},
	{"s-1vcpu-1gb-amd", "Basic AMD", 1024, 1, 25, 1, 7, 0.01042, newerRegions},
	{"s-1vcpu-1gb-intel", "Basic Intel", 1024, 1, 25, 1, 7, 0.01042, newerRegions},
	{"s-1vcpu-1gb-35gb-intel", "Basic Intel", 1024, 1, 35, 1, 8, 0.0119, newerRegions},
	{"s-1vcpu-2gb", "Basic", 2048, 1, 50, 2, 12, 0.01786, openRegions},
	{"s-1vcpu-2gb-amd", "Basic AMD", 2048, 1, 50, 2, 14, 0.02083, newerRegions},
	{"s-1vcpu-2gb-intel", "Basic Intel", 2048, 1, 50, 2, 14, 0.02083, newerRegions},
	{"s-1vcpu-2gb-70gb-intel", "Basic Intel", 2048, 1, 70, 2, 16, 0.02381, newerRegions},
	{"s-2vcpu-2gb", "Basic", 2048, 2, 60, 3, 18, 0.02679, openRegions},
	{"s-2vcpu-2gb-amd", "Basic AMD", 2048, 2, 60, 3, 21, 0.03125, newerRegions},
	{"s-2vcpu-2gb-intel", "Basic Intel", 2048, 2, 60, 3, 21, 0.03125, newerRegions},
	{"s-2vcpu-2gb-90gb-intel", "Basic Intel", 2048, 2, 90, 3, 24, 0.03571, newerRegions},
	{"s-2vcpu-4gb", "Basic", 4096, 2, 80, 4, 24, 0.03571, openRegions},
	{"s-2vcpu-4gb-amd", "Basic AMD", 4096, 2, 80, 4, 28, 0.04167, newerRegions},
	{"s-2vcpu-4gb-intel", "Basic Intel", 4096, 2, 80, 4, 28, 0.04167, newerRegions},
	{"s-2vcpu-4gb-120gb-intel", "Basic Intel", 4096, 2, 120, 4, 32, 0.04762, newerRegions},
	{"s-2vcpu-8gb-amd", "Basic AMD", 8192, 2, 100, 5, 42, 0.0625, newerRegions},
	{"s-2vcpu-8gb-160gb-intel", "Basic Intel", 8192, 2, 160, 5, 48, 0.07143, newerRegions},
	{"s-4vcpu-8gb", "Basic", 8192, 4, 160, 5, 48, 0.07143, openRegions},
	{"s-4vcpu-8gb-amd", "Basic AMD", 8192, 4, 160, 5, 56, 0.08333, newerRegions},
	{"s-4vcpu-8gb-intel", "Basic Intel", 8192, 4, 160, 5, 56, 0.08333, newerRegions},
	{"s-4vcpu-8gb-240gb-intel", "Basic Intel", 8192, 4, 240, 5, 64, 0.09524, newerRegions},
	{"s-4vcpu-16gb-amd", "Basic AMD", 16384, 4, 200, 8, 84, 0.125, newerRegions},
	{"s-4vcpu-16gb-320gb-intel", "Basic Intel", 16384, 4, 320, 8, 96, 0.14286, newerRegions},
	{"s-8vcpu-16gb", "Basic", 16384, 8, 320, 6, 96, 0.14286, openRegions},
	{"s-8vcpu-16gb-amd", "Basic AMD", 16384, 8, 320, 6, 112, 0.16667, newerRegions},
	{"s-8vcpu-16gb-intel", "Basic Intel", 16384, 8, 320, 6, 112, 0.16667, newerRegions},
	{"s-8vcpu-16gb-480gb-intel", "Basic Intel", 16384, 8, 480, 6, 128, 0.19048, newerRegions},
	{"s-8vcpu-32gb-amd", "Basic AMD", 32768, 8, 400, 10, 168, 0.25, newerRegions},
	{"s-8vcpu-32gb-640gb-intel", "Basic Intel", 32768, 8, 640, 10, 192, 0.28571, newerRegions},
}

// retiredSizes are no longer sold. They stay in the list, with available false (Droplets that have one still show it).
var retiredSizes = []size{
	{"512mb", "Legacy Basic", 512, 1, 20, 1, 5, 0.00744, firstRegions},
	{"1gb", "Legacy Basic", 1024, 1, 30, 2, 10, 0.01488, firstRegions},
	{"2gb", "Legacy Basic", 2048, 2, 40, 3, 20, 0.02976, firstRegions},
	{"s-1vcpu-3gb", "Basic", 3072, 1, 60, 3, 15, 0.02232, firstRegions},
	{"s-3vcpu-1gb", "Basic", 1024, 3, 60, 3, 15, 0.02232, firstRegions},
	{"s-6vcpu-16gb", "Basic", 16384, 6, 320, 6, 80, 0.11905, firstRegions},
	{"s-8vcpu-32gb", "Basic", 32768, 8, 640, 7, 160, 0.2381, firstRegions},
	{"s-12vcpu-48gb", "Basic", 49152, 12, 960, 8, 240, 0.35714, firstRegions},
}
