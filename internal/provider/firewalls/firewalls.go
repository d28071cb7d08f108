// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

// Package firewalls is the data source bettercompute_firewalls: the firewalls that machines of an account can be behind.
package firewalls

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/better-compute/terraform-provider-bettercompute/internal/compute"
	"github.com/better-compute/terraform-provider-bettercompute/internal/compute/driver"
	"github.com/better-compute/terraform-provider-bettercompute/internal/provider/attributes"
	"github.com/better-compute/terraform-provider-bettercompute/internal/provider/listing"
)

// NewDataSource makes the data source for the provider's list.
func NewDataSource() datasource.DataSource {
	return listing.Definition{
		TypeName: "firewalls", Collection: "firewalls",
		Description: "The firewalls that machines of an account can be behind: firewalls at Hetzner Cloud and DigitalOcean, security groups of a Proxmox VE cluster. " +
			"They are read and never changed, anew each time, also in an apply.",
		CollectionDescription: "The firewalls, by name, then id.",
		Labels:                "Labels that a firewall has to bear, all of them. Only Hetzner Cloud keeps labels with firewalls; elsewhere this is UNSUPPORTED. Default: all firewalls.",
		Elements: listing.Elements{
			"id":     listing.Text("The vendor's id of the firewall, on Proxmox VE its name. At Hetzner Cloud `hetzner_cloud.firewall_ids` of `bettercompute_instance` takes it."),
			"name":   listing.Text("Name of the firewall, which that argument takes too."),
			"labels": listing.Labels("Its labels. Null where the vendor keeps none with firewalls."),
			"selectors": listing.Texts("What a machine has to bear for the vendor to put it behind the firewall by itself: label selectors at Hetzner Cloud, tags at DigitalOcean, " +
				"where `labels` of a machine with `tier = \"web\"` is the tag `tier:web`. Empty on Proxmox VE."),
			"rules": schema.ListNestedAttribute{
				Computed: true, NestedObject: schema.NestedAttributeObject{Attributes: ruleAttributes},
				MarkdownDescription: "Its rules, in the vendor's order. Proxmox VE tells only those that are switched on, and none to a token without Sys.Audit on `/`.",
			},
		},
		Arguments: map[string]schema.StringAttribute{"name": listing.NamePattern("web-*")},
		Read:      list,
	}.New()
}

var ruleAttributes = map[string]schema.Attribute{
	"direction":   listing.Text("`in` or `out`."),
	"action":      listing.Text("`accept`, `drop` or `reject`."),
	"protocol":    listing.Text("The vendor's word in lower case, such as `tcp`. Null: all."),
	"ports":       listing.Text("A port or a range, such as `80-85`. Null: all, or the protocol has none."),
	"peers":       listing.Texts("The other side in the vendor's words: addresses in CIDR form, at DigitalOcean also `tag:`, `droplet:`, `load_balancer:` and `kubernetes:` with a name or an id. Empty: everybody."),
	"description": listing.Text("What was written about the rule. On Proxmox VE the name of a macro begins it. Null: nothing."),
}

func ruleType() types.ObjectType {
	shape := types.ObjectType{AttrTypes: map[string]attr.Type{}}
	for name, attribute := range ruleAttributes {
		shape.AttrTypes[name] = attribute.GetType()
	}
	return shape
}

func list(ctx context.Context, account *compute.Account, arguments listing.Arguments) ([]listing.Row, error) {
	found, err := account.ListFirewalls(ctx)
	if err != nil {
		return nil, err
	}
	var rows []listing.Row
	for _, firewall := range found {
		if listing.Fits(firewall.Name, arguments["name"]) {
			rows = append(rows, show(firewall))
		}
	}
	return rows, nil
}

func show(firewall driver.Firewall) listing.Row {
	rules := make([]attr.Value, len(firewall.Rules))
	for i, rule := range firewall.Rules {
		rules[i] = types.ObjectValueMust(ruleType().AttrTypes, map[string]attr.Value{
			"direction":   attributes.Text(rule.Direction),
			"action":      attributes.Text(rule.Action),
			"protocol":    attributes.Text(rule.Protocol),
			"ports":       attributes.Text(rule.Ports),
			"peers":       listing.TextList(rule.Peers),
			"description": attributes.Text(rule.Description),
		})
	}
	return listing.Row{
		"id":        types.StringValue(firewall.ID),
		"name":      attributes.Text(firewall.Name),
		"labels":    listing.LabelMap(firewall.Labels),
		"selectors": listing.TextList(firewall.Selectors),
		"rules":     types.ListValueMust(ruleType(), rules),
	}
}
