// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package proxmox

import (
	"crypto/x509"
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"time"

	"github.com/better-compute/terraform-provider-bettercompute/internal/cloud/proxmox/snippets"
	"github.com/better-compute/terraform-provider-bettercompute/internal/manifest"
	"github.com/better-compute/terraform-provider-bettercompute/internal/transport"
)

var (
	regionPattern  = regexp.MustCompile(`^[a-z][a-z0-9-]{0,38}$`)
	nodePattern    = regexp.MustCompile(`^[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?$`)
	poolPattern    = regexp.MustCompile(`^[A-Za-z0-9._-]+(/[A-Za-z0-9._-]+){0,2}$`)
	storagePattern = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9._-]*[A-Za-z0-9]$`)
	diskPattern    = regexp.MustCompile(`^(scsi|virtio|sata|ide)\d{1,2}$`)
)

func matching(pattern *regexp.Regexp, fault string) func(any) error {
	return func(value any) error {
		if text, _ := value.(string); !pattern.MatchString(text) {
			return errors.New(fault)
		}
		return nil
	}
}

func checkURL(value any) error {
	text, _ := value.(string)
	return transport.CheckEndpoint(text)
}

func checkVMID(value any) error {
	if vmid, _ := value.(int64); vmid < lowestVMID || vmid > highestVMID {
		return fmt.Errorf("must be a VMID from %d to %d", lowestVMID, highestVMID)
	}
	return nil
}

func checkCloneLimit(value any) error {
	if limit, _ := value.(int64); limit < 1 || limit > 100 {
		return errors.New("must be from 1 to 100")
	}
	return nil
}

func checkPort(value any) error {
	if port, _ := value.(int64); port < 1 || port > 65535 {
		return errors.New("must be a port from 1 to 65535")
	}
	return nil
}

func checkDuration(value any) error {
	text, _ := value.(string)
	if length, err := time.ParseDuration(text); err != nil || length < time.Second {
		return errors.New("must be a duration of at least a second, such as 90s or 10m")
	}
	return nil
}

func checkOffers(value any) error {
	ids, _ := value.([]string)
	var faults []error
	seen := map[string]bool{}
	for i, id := range ids {
		if _, err := parseOffer(id); err != nil {
			faults = append(faults, manifest.At(strconv.Itoa(i), err.Error()))
		} else if seen[id] {
			faults = append(faults, manifest.At(strconv.Itoa(i), "is there twice"))
		}
		seen[id] = true
	}
	return errors.Join(faults...)
}

func checkKnownHost(value any) error {
	text, _ := value.(string)
	_, err := snippets.ParseKnownHost(text)
	return err
}

func checkCertificates(value any) error {
	text, _ := value.(string)
	if !x509.NewCertPool().AppendCertsFromPEM([]byte(text)) {
		return errors.New("holds no certificate in PEM, such as -----BEGIN CERTIFICATE-----")
	}
	return nil
}

func checkFingerprint(value any) error {
	text, _ := value.(string)
	_, err := parseFingerprint(text)
	return err
}

// checkConfig finds faults of fields that depend on each other.
func checkConfig(values manifest.Values) []manifest.Fault {
	var faults []manifest.Fault
	fault := func(message string, path ...string) {
		faults = append(faults, manifest.Fault{Path: path, Message: message})
	}
	if values.Integer("vmid_min") > values.Integer("vmid_max") {
		fault("must not be greater than vmid_max", "vmid_min")
	}
	if !values.Boolean("full_clone") && values.String("storage") != "" {
		fault("cannot be chosen for linked clones (full_clone = false): they stay on the template's storage", "storage")
	}
	if values.String("ca_certificate") != "" && values.String("tls_fingerprint") != "" {
		fault("cannot be set together with ca_certificate: a fingerprint trusts exactly one certificate", "tls_fingerprint")
	}
	if own := values.Object("snippets"); own != nil && (own.String("directory") == "") == (own.Object("sftp") == nil) {
		fault("must have exactly one of directory and sftp", "snippets")
	}
	return faults
}
