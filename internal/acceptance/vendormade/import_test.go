// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package vendormade

import (
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/better-compute/terraform-provider-bettercompute/internal/acceptance"
	"github.com/better-compute/terraform-provider-bettercompute/internal/emulator"
)

const address = "bettercompute_instance.web"

// TestImportOfAMachineWithEveryOption that others have made as the vendor's own provider does.
func TestImportOfAMachineWithEveryOption(t *testing.T) {
	acceptance.OnEach(t, emulator.Options{ActionTime: -1}, func(t *testing.T, cloud *acceptance.Cloud, cli string) {
		made := machines[cloud.Name]
		made.make(t, cloud)
		made.mustImport(acceptance.NewWorkspace(t, cloud, cli), cloud)
	})
}

// mustImport plans the import of the machine in every way, carries it out, and finds nothing left to do.
func (m machine) mustImport(w *acceptance.Workspace, cloud *acceptance.Cloud) {
	w.Helper()
	ids, written := idsOf(cloud), testdata(w.T, cloud.Name)
	before := cloud.Inventory()[cloud.Name]
	cloud.ClearJournal()
	w.Write(beginning)
	w.Init()
	m.mustGenerate(w)
	if len(m.named) > 0 {
		w.Write(beginning + written)
		mustPlan(w, "written with names", m.written(nil, ids), m.follows...)
	}
	w.Write(beginning + ids.text(written))
	mustPlan(w, "written with ids", m.written(ids, ids))
	if sent := writes(cloud); len(sent) > 0 {
		w.Errorf("the plans have written: %q", sent)
	}
	w.Must("apply", "planned")
	if diff := cmp.Diff(m.marks, writes(cloud)); diff != "" {
		w.Errorf("the apply has written (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(unmarked(cloud, before), unmarked(cloud, cloud.Inventory()[cloud.Name])); diff != "" {
		w.Errorf("what is at the vendor has changed (-before +after):\n%s", diff)
	}
	w.MustBeEmpty()
}

// mustPlan plans the import alone, as a change in place of some attributes; follows are those that are left open besides.
func mustPlan(w *acceptance.Workspace, what string, want changes, follows ...string) {
	w.Helper()
	plan := mustUpdate(w, address)
	if plan.Change.Importing == nil {
		w.Errorf("%s: the plan imports nothing", what)
	}
	got := plan.changes()
	for _, name := range follows {
		if got[name].After != open {
			w.Errorf("%s: %s is not left open: %v", what, name, got[name])
		}
		delete(got, name)
	}
	wantChanges(w.T, what, got, want)
}

// mustGenerate has the CLI write the configuration: its plan changes nothing that the vendor tells. What is required and not
// told the CLI leaves to the user, and its plan fails until then.
func (m machine) mustGenerate(w *acceptance.Workspace) {
	w.Helper()
	file, want := filepath.Join(w.Folder, "generated.tf"), maps.Clone(always)
	out, err := w.Run("plan", "-generate-config-out=generated.tf")
	text, missing := os.ReadFile(file)
	if missing != nil || (err != nil) != (len(m.missing) > 0) {
		w.Fatalf("the configuration is not generated: %v, %v\n%s", err, missing, out)
	}
	for name, value := range m.missing {
		text = regexp.MustCompile(`(?m)^(  `+name+` *= )null$`).ReplaceAll(text, []byte("${1}"+strconv.Quote(value)))
		want[name] = change{nil, value}
	}
	if err := os.WriteFile(file, text, 0o600); err != nil {
		w.Fatal(err)
	}
	mustPlan(w, "generated", want)
	if err := os.Remove(file); err != nil {
		w.Fatal(err)
	}
}

// random is what differs from run to run in a request that marks.
var random = regexp.MustCompile(`(inst|pacct)_[0-9a-z]{52}|\b(0|[0-9a-z]{10})-[0-9a-z]{16}\b`)

// writes answers the requests since the journal was emptied that were no reads, in order, with what is random left out.
func writes(cloud *acceptance.Cloud) []string {
	var found []string
	for _, entry := range cloud.Journal() {
		if entry.Method != http.MethodGet {
			found = append(found, entry.Method+" "+random.ReplaceAllString(entry.Path, "ID"))
		}
	}
	return found
}

// markLines are the marks in a description.
var markLines = regexp.MustCompile(`(?m)^(better-compute|account|claim) .*$`)

// unmarked is what there is at the vendor without marks: of the machines the labels are left, and of the tags nothing.
func unmarked(cloud *acceptance.Cloud, all map[string][]emulator.Object) map[string][]emulator.Object {
	without := map[string][]emulator.Object{}
	for kind, objects := range all {
		for _, object := range objects {
			if kind == cloud.Collection {
				object.Labels, _ = cloud.Labels(object)
				object.Tags, object.Description = nil, strings.TrimSpace(markLines.ReplaceAllString(object.Description, ""))
			}
			if kind != "tags" {
				without[kind] = append(without[kind], object)
			}
		}
	}
	return without
}
