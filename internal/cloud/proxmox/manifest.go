// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package proxmox

import (
	"github.com/better-compute/terraform-provider-bettercompute/internal/manifest"
)

// The limits of VMIDs (pve-common, JSONSchema.pm).
const (
	lowestVMID  = 100
	highestVMID = 999999999
)

func config() manifest.Manifest {
	return manifest.Manifest{
		Kind:      kindName,
		Attribute: kindName,
		Title:     "Proxmox VE",
		Doc:       "An account is a Proxmox VE cluster, or a single node, as one API token sees it.",
		Fields:    append(append(placeFields(), cloneFields()...), trustFields()...),
		Check:     checkConfig,
	}
}

func placeFields() []manifest.Field {
	return []manifest.Field{
		{
			Name: "url", Type: manifest.String, Required: true, Check: checkURL,
			Doc: "URL of any node of the cluster, such as `https://pve1.example.com:8006`.",
		},
		{
			Name: "token", Type: manifest.String, Required: true, Secret: true,
			Doc: "Reference to an API token in the form `user@realm!tokenid=secret`, such as `env://PROXMOX_VE_API_TOKEN`.",
		},
		{
			Name: "region", Type: manifest.String, Default: "pve", Check: matching(regionPattern, "must begin with a lower-case letter and have lower-case letters, digits and -"),
			Doc: "Name of the cluster as a region; the vendor has none of its own. Default: `pve`.",
		},
		{
			Name: "node", Type: manifest.String, Check: matching(nodePattern, "must be the name of a node: letters, digits and -"),
			Doc: "Node that clones go to. Another one than the template's needs shared storage. Default: the template's node.",
		},
		{
			Name: "pool", Type: manifest.String, Check: matching(poolPattern, "must be the name of a pool"),
			Doc: "Pool that machines are put in. Default: none.",
		},
		{
			Name: "offers", Type: manifest.StringList, Default: []string{"1c-2g", "2c-4g", "4c-8g", "8c-32g"}, Check: checkOffers,
			Doc: "Sizes that are offered: CPUs, memory in GiB and, optionally, the boot disk in GiB, such as `4c-8g` or `4c-8g-100d`. " +
				"Without a disk it stays the template's. Default: `1c-2g`, `2c-4g`, `4c-8g`, `8c-32g`.",
		},
	}
}

func cloneFields() []manifest.Field {
	return []manifest.Field{
		{
			Name: "full_clone", Type: manifest.Boolean, Default: true,
			Doc: "Whether a machine gets a whole copy of the template's disks. `false` makes linked clones: faster, on the template's node and storage, " +
				"and the template cannot be removed while they live. Default: `true`.",
		},
		{
			Name: "storage", Type: manifest.String, Check: matching(storagePattern, "must be the id of a storage"),
			Doc: "Storage of the disks of full clones. Default: the template's.",
		},
		{
			Name: "disk", Type: manifest.String, Default: "scsi0", Check: matching(diskPattern, "must be a drive such as scsi0, virtio0, sata0 or ide0"),
			Doc: "Drive of the templates that is the boot disk and is grown to the offer's size. Default: `scsi0`.",
		},
		{
			Name: "vmid_min", Type: manifest.Integer, Default: int64(100000000), Check: checkVMID,
			Doc: "Lowest VMID of new machines. A machine's VMID follows from its id, so that a create that was cut off finds it again. Default: `100000000`.",
		},
		{
			Name: "vmid_max", Type: manifest.Integer, Default: int64(highestVMID), Check: checkVMID,
			Doc: "Highest VMID of new machines. Default: `999999999`.",
		},
		{
			Name: "iso_storage", Type: manifest.String, Check: matching(storagePattern, "must be the id of a storage"),
			Doc: "Storage that the volume with a machine's user data is put on: it must take ISO images, and be shared if the machine is to migrate. " +
				"Default: the first one of the node that takes them.",
		},
		snippetsField(),
		{
			Name: "task_timeout", Type: manifest.String, Default: "10m", Check: checkDuration,
			Doc: "How long one task of the cluster, such as a clone, may take: a duration such as `90s` or `30m`. Default: `10m`.",
		},
		{
			Name: "clone_limit", Type: manifest.Integer, Default: int64(2), Check: checkCloneLimit,
			Doc: "How many clones the provider has under way at a time. Default: `2`.",
		},
	}
}

func snippetsField() manifest.Field {
	return manifest.Field{
		Name: "snippets", Type: manifest.Object,
		Doc: "Gives user data to machines as snippets in place of an ISO image: the files are put into a storage's folder, which the vendor's API cannot do. " +
			"Exactly one of `directory` and `sftp`.",
		Fields: []manifest.Field{
			{
				Name: "storage", Type: manifest.String, Required: true, Check: matching(storagePattern, "must be the id of a storage"),
				Doc: "Storage that has the content type snippets.",
			},
			{Name: "directory", Type: manifest.String, Doc: "The storage's folder `snippets`, mounted where the provider runs."},
			{
				Name: "sftp", Type: manifest.Object, Doc: "The storage's folder by SFTP.",
				Fields: []manifest.Field{
					{Name: "host", Type: manifest.String, Required: true, Doc: "Name or address of the server, such as one of the nodes."},
					{Name: "port", Type: manifest.Integer, Default: int64(22), Check: checkPort, Doc: "SSH port. Default: `22`."},
					{Name: "user", Type: manifest.String, Required: true, Doc: "Who logs in."},
					{
						Name: "private_key", Type: manifest.String, Required: true, Secret: true,
						Doc: "Reference to the private key to log in with, without a passphrase: its PEM as it is in the file, or that in base64 on one line where a secret can hold no more (`base64 -w0 FILE`).",
					},
					{
						Name: "known_host", Type: manifest.String, Required: true, Check: checkKnownHost,
						Doc: "The server's public key: a line of `known_hosts`, or of the server's `/etc/ssh/ssh_host_ed25519_key.pub`. Another key is refused.",
					},
					{Name: "directory", Type: manifest.String, Required: true, Doc: "The folder's path on the server, such as `/var/lib/vz/snippets`."},
				},
			},
		},
	}
}

func trustFields() []manifest.Field {
	return []manifest.Field{
		{
			Name: "ca_certificate", Type: manifest.String, Check: checkCertificates,
			Doc: "Certificate authority that the cluster's certificate is checked against, as PEM: `/etc/pve/pve-root-ca.pem` of any node. " +
				"Default: the system's authorities.",
		},
		{
			Name: "tls_fingerprint", Type: manifest.String, Check: checkFingerprint,
			Doc: "SHA-256 fingerprint of the node's certificate, in place of `ca_certificate`: exactly this certificate is trusted.",
		},
	}
}
