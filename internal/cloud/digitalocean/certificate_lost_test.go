// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package digitalocean

import (
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/better-compute/terraform-provider-bettercompute/internal/compute"
	"github.com/better-compute/terraform-provider-bettercompute/internal/compute/driver"
	"github.com/better-compute/terraform-provider-bettercompute/internal/emulator"
)

const htmlPage = "<html><body>Bad Gateway</body></html>"

// lostAnswers are the ways in which an answer is lost, by name: the request may have been carried out or not.
var lostAnswers = map[string]emulator.Fault{
	"dropped before":      {Action: "drop", Point: "before"},
	"dropped after":       {Action: "drop", Point: "after"},
	"cut in the middle":   {Action: "truncate", Point: "after"},
	"502 before":          {Action: "status", Point: "before", Status: http.StatusBadGateway},
	"502 after":           {Action: "status", Point: "after", Status: http.StatusBadGateway},
	"504 after":           {Action: "status", Point: "after", Status: http.StatusGatewayTimeout},
	"502 as a page":       {Action: "status", Point: "before", Status: http.StatusBadGateway, Body: htmlPage},
	"504 as a page after": {Action: "status", Point: "after", Status: http.StatusGatewayTimeout, Body: htmlPage},
	"200 as a page after": {Action: "status", Point: "after", Status: http.StatusOK, Body: htmlPage, Headers: map[string]string{"Content-Type": "text/html"}},
}

// An answer that is lost, of any request of a create, ends in one certificate: at once, or with the next apply.
func TestALostAnswerOfAnyRequestOfACreateEndsInOneCertificate(t *testing.T) {
	for _, kind := range []driver.CertificateKind{driver.CertificateManaged, driver.CertificateCustom} {
		for _, name := range slices.Sorted(maps.Keys(lostAnswers)) {
			met := 0
			for request, whole := 0, false; !whole; request++ {
				t.Run(fmt.Sprintf("%s/%s/request %d", kind, name, request+1), func(t *testing.T) {
					inBubble(t, func(p *team) {
						fault := lostAnswers[name]
						fault.Vendor, fault.Skip, fault.Times = "digitalocean", request, new(1)
						p.fault(fault)
						p.loseAndGoOn(certificateWish(p.T, kind))
						whole = p.Faults()[0].Hits == 0
					})
				})
				met = request
			}
			if met < 5 {
				t.Errorf("only %d answers of a %s certificate's create were lost: too little was tested", met, kind)
			}
		}
	}
}

// loseAndGoOn creates, and creates again if that fails.
func (p *team) loseAndGoOn(wish compute.CertificateWish) {
	p.Helper()
	made, err := p.keeper("shop/prod").CreateCertificate(p.Context(), wish)
	if err != nil {
		made, err = p.keeper("shop/prod").CreateCertificate(p.Context(), wish)
	}
	found := p.Objects("digitalocean", "certificates")
	if err != nil || len(found) != 1 || found[0].ID != made.Certificate.ID || made.Unfinished || made.Certificate.State != driver.CertificateReady {
		p.Errorf("%+v, %v; there is %+v", made, err, found)
	}
	orders, rows := 0, 0
	for _, entry := range p.Journal() {
		if entry.Method == http.MethodPost && entry.Path == "/v2/certificates" && entry.Accepted {
			orders++
		}
	}
	for _, tag := range p.Objects("digitalocean", "tags") {
		if strings.HasPrefix(tag.ID, tagRow) {
			rows++
		}
	}
	if orders != 1 || rows != 3 {
		p.Errorf("%d certificates were ordered; the row is %+v", orders, p.Objects("digitalocean", "tags"))
	}
}
