// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package compute

import (
	"bytes"
	"fmt"
	"slices"

	"go.yaml.in/yaml/v3"

	"github.com/better-compute/terraform-provider-bettercompute/internal/compute/driver"
)

const cloudConfigHeader = "#cloud-config"

// MergeUserData puts SSH keys into cloud-init user data, which must be a cloud-config then. Without keys the user data
// stays as it is, byte for byte. INVALID_INPUT with field user_data when it is no cloud-config.
func MergeUserData(userData []byte, keys []string) ([]byte, error) {
	if len(keys) == 0 {
		return userData, nil
	}
	if len(bytes.TrimSpace(userData)) == 0 {
		userData = []byte(cloudConfigHeader + "\n")
	}
	header, _, _ := bytes.Cut(userData, []byte("\n"))
	if string(bytes.TrimSpace(header)) != cloudConfigHeader {
		return nil, notCloudConfig("its first line is not " + cloudConfigHeader)
	}
	var document yaml.Node
	if err := yaml.Unmarshal(userData, &document); err != nil {
		// The library's words quote the text, and user data may hold secrets.
		return nil, notCloudConfig("it is not valid YAML")
	}
	root, err := mapping(&document)
	if err != nil {
		return nil, err
	}
	if err := addKeys(root, slices.Sorted(slices.Values(keys))); err != nil {
		return nil, err
	}
	return encode(root)
}

func mapping(document *yaml.Node) (*yaml.Node, error) {
	if len(document.Content) == 0 || document.Content[0].Tag == "!!null" {
		return &yaml.Node{Kind: yaml.MappingNode, Tag: "!!map"}, nil
	}
	root := document.Content[0]
	if root.Kind != yaml.MappingNode {
		return nil, notCloudConfig("its top level is not a mapping")
	}
	return root, nil
}

// addKeys appends to ssh_authorized_keys, which cloud-init gives to the default user, what is not there yet.
func addKeys(root *yaml.Node, keys []string) error {
	list := &yaml.Node{Kind: yaml.SequenceNode, Tag: "!!seq"}
	switch existing := valueOf(root, "ssh_authorized_keys"); {
	case existing == nil:
		root.Content = append(root.Content, text("ssh_authorized_keys"), list)
	case existing.Kind == yaml.SequenceNode:
		list = existing
	default:
		return notCloudConfig("its ssh_authorized_keys is not a list")
	}
	for _, key := range keys {
		if !slices.ContainsFunc(list.Content, func(node *yaml.Node) bool { return node.Value == key }) {
			list.Content = append(list.Content, text(key))
		}
	}
	return nil
}

// valueOf answers the value of a mapping's key; nil: it has none.
func valueOf(mapping *yaml.Node, key string) *yaml.Node {
	for i := 0; i+1 < len(mapping.Content); i += 2 {
		if mapping.Content[i].Value == key {
			return mapping.Content[i+1]
		}
	}
	return nil
}

func text(value string) *yaml.Node {
	return &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: value}
}

func encode(root *yaml.Node) ([]byte, error) {
	var out bytes.Buffer
	out.WriteString(cloudConfigHeader + "\n")
	encoder := yaml.NewEncoder(&out)
	encoder.SetIndent(2)
	if err := encoder.Encode(root); err != nil {
		return nil, notCloudConfig("it cannot be written back as YAML")
	}
	return bytes.TrimSuffix(out.Bytes(), []byte("...\n")), encoder.Close()
}

func notCloudConfig(why string) *Error {
	return &Error{
		Failure: driver.Failure{
			Code: driver.InvalidInput, Field: "user_data",
			Message: fmt.Sprintf("With ssh_authorized_keys the user data must be a cloud-config, into which the keys are merged; %s.", why),
		},
		Vendor: "cloud-init", Action: "merge ssh_authorized_keys into the user data",
		Advice: "Begin it with the line " + cloudConfigHeader + ", or put the keys into the user data yourself and leave ssh_authorized_keys out.",
	}
}
