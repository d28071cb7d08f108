// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package proxmox

import (
	"fmt"
	"slices"
	"strings"

	"github.com/better-compute/terraform-provider-bettercompute/internal/emulator/core"
)

// cpuTypes are the built-in CPU types (qs QemuServer/CPUConfig.pm).
var cpuTypes = strings.Fields(`486 pentium pentium2 pentium3 coreduo core2duo Conroe Penryn Nehalem Nehalem-IBRS Westmere
	Westmere-IBRS SandyBridge SandyBridge-IBRS IvyBridge IvyBridge-IBRS Haswell Haswell-IBRS Haswell-noTSX
	Haswell-noTSX-IBRS Broadwell Broadwell-IBRS Broadwell-noTSX Broadwell-noTSX-IBRS Skylake-Client Skylake-Client-IBRS
	Skylake-Client-noTSX-IBRS Skylake-Client-v4 Skylake-Server Skylake-Server-IBRS Skylake-Server-noTSX-IBRS
	Skylake-Server-v4 Skylake-Server-v5 Cascadelake-Server Cascadelake-Server-noTSX Cascadelake-Server-v2
	Cascadelake-Server-v4 Cascadelake-Server-v5 Cooperlake Cooperlake-v2 Icelake-Client Icelake-Client-noTSX
	Icelake-Server Icelake-Server-noTSX Icelake-Server-v3 Icelake-Server-v4 Icelake-Server-v5 Icelake-Server-v6
	SapphireRapids SapphireRapids-v2 GraniteRapids KnightsMill athlon phenom Opteron_G1 Opteron_G2 Opteron_G3 Opteron_G4
	Opteron_G5 EPYC EPYC-IBPB EPYC-v3 EPYC-v4 EPYC-Rome EPYC-Rome-v2 EPYC-Rome-v3 EPYC-Rome-v4 EPYC-Milan EPYC-Milan-v2
	EPYC-Genoa host max kvm32 kvm64 qemu32 qemu64 x86-64-v2 x86-64-v2-AES x86-64-v3 x86-64-v4`)

// listCPUTypes: qs API2/Qemu/CPU.pm. Of the vendors that guests see the emulator knows the ones by the name.
func listCPUTypes(c *call) core.Answer {
	rows := []object{}
	for _, kind := range cpuTypes {
		vendor := "GenuineIntel"
		switch {
		case strings.HasPrefix(kind, "EPYC"), strings.HasPrefix(kind, "Opteron"), kind == "athlon", kind == "phenom":
			vendor = "AuthenticAMD"
		case kind == "host", kind == "max":
			vendor = "default"
		}
		rows = append(rows, object{"name": kind, "custom": 0, "vendor": vendor})
	}
	return c.reply(rows)
}

// cpuConfig is the format of cpu: the type, perhaps with flags. The emulator has no custom types.
func cpuConfig(value string) string {
	parts := properties(value)
	kind := parts[""] + parts["cputype"]
	switch {
	case kind == "":
		return "CPU is missing cputype"
	case strings.HasPrefix(kind, "custom-"):
		return fmt.Sprintf("Custom cputype '%s' not found", strings.TrimPrefix(kind, "custom-"))
	case !slices.Contains(cpuTypes, kind):
		return fmt.Sprintf("Built-in cputype '%s' is not defined (missing 'custom-' prefix?)", kind)
	}
	return ""
}
