// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package digitalocean

// gpu is what a size has of GPUs. Memory is in GiB of all GPUs, scratch is the second disk in GiB, 0 without one.
type gpu struct {
	count, memory, scratch int
	model                  string
}

// gpuSizes are sold by quota: most are listed as available in no region at all, as an account without that quota saw
// them in October 2026.
var gpuSizes = []size{
	{"gpu-4000adax1-20gb", "RTX 4000 Ada GPU Droplet - 1X", 32768, 8, 500, 10, 565.44, 0.76, nil},
	{"gpu-l40sx1-48gb", "L40S GPU Droplet - 1X", 65536, 8, 500, 10, 1168.08, 1.57, nil},
	{"gpu-6000adax1-48gb", "RTX 6000 Ada GPU Droplet - 1X", 65536, 8, 500, 10, 1168.08, 1.57, nil},
	{"gpu-mi350x1-288gb-spot", "AMD MI350X Spot - 1X", 262144, 24, 720, 15, 1830.24, 2.46, []string{"ric1"}},
	{"gpu-mi300x1-192gb", "AMD MI300X - 1X", 245760, 20, 720, 15, 1926.96, 2.59, nil},
	{"gpu-mi325x1-256gb", "AMD MI325X - 1X", 163840, 20, 720, 15, 2827.2, 3.8, []string{"nyc2", "tor1"}},
	{"gpu-h100x1-80gb", "H100 GPU - 1X", 245760, 20, 720, 15, 3281.04, 4.41, nil},
	{"gpu-h200x1-141gb", "Nvidia H200 - 1X", 245760, 24, 720, 15, 3325.68, 4.47, nil},
	{"gpu-mi350x8-2304gb-spot", "AMD MI350X Spot - 8X", 2097152, 192, 2046, 60, 14641.92, 19.68, []string{"ric1"}},
	{"gpu-mi300x8-1536gb", "AMD MI300X - 8X", 1966080, 160, 2046, 60, 15415.68, 20.72, nil},
	{"gpu-mi325x8-2048gb", "AMD MI325X - 8X", 1310720, 160, 2046, 60, 22617.6, 30.4, []string{"nyc2", "tor1"}},
	{"gpu-h100x8-640gb", "H100 GPU - 8X", 1966080, 160, 2046, 60, 26248.32, 35.28, nil},
	{"gpu-h200x8-1128gb", "Nvidia H200 - 8X", 1966080, 192, 2046, 60, 26605.44, 35.76, nil},
}

// gpus by size. The names of the models but nvidia_h100 are made up in its style.
var gpus = map[string]gpu{
	"gpu-4000adax1-20gb":      {1, 20, 0, "nvidia_rtx4000_ada"},
	"gpu-l40sx1-48gb":         {1, 48, 0, "nvidia_l40s"},
	"gpu-6000adax1-48gb":      {1, 48, 0, "nvidia_rtx6000_ada"},
	"gpu-mi350x1-288gb-spot":  {1, 288, 5120, "amd_mi350x"},
	"gpu-mi300x1-192gb":       {1, 192, 5120, "amd_mi300x"},
	"gpu-mi325x1-256gb":       {1, 256, 5120, "amd_mi325x"},
	"gpu-h100x1-80gb":         {1, 80, 5120, "nvidia_h100"},
	"gpu-h200x1-141gb":        {1, 141, 5120, "nvidia_h200"},
	"gpu-mi350x8-2304gb-spot": {8, 2304, 40960, "amd_mi350x"},
	"gpu-mi300x8-1536gb":      {8, 1536, 40960, "amd_mi300x"},
	"gpu-mi325x8-2048gb":      {8, 2048, 40960, "amd_mi325x"},
	"gpu-h100x8-640gb":        {8, 640, 40960, "nvidia_h100"},
	"gpu-h200x8-1128gb":       {8, 1128, 40960, "nvidia_h200"},
}

// body is gpu_info (DigitalOcean API document, model gpu_info).
func (g gpu) body() object {
	return object{"count": g.count, "model": g.model, "vram": object{"amount": g.memory, "unit": "gib"}}
}
