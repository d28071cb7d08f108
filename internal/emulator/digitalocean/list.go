// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package digitalocean

import (
	"fmt"
	"net/http"
	"net/url"
	"strconv"

	"github.com/better-compute/terraform-provider-bettercompute/internal/emulator/core"
)

// DigitalOcean API document, "Links & Pagination".
const (
	defaultPage = 20
	largestPage = 200 // larger values are clamped (unverified: the document gives only the maximum)
)

// replyList cuts the page out of total rows, which body makes, and gives links and meta. Links are {} when everything
// fits on one page.
func (c *call) replyList(root string, total int, body func(i int) any) core.Answer {
	page, perPage := c.page()
	from := min((page-1)*perPage, total)
	rows := []any{}
	for i := from; i < min(from+perPage, total); i++ {
		rows = append(rows, body(i))
	}
	last := max(1, (total+perPage-1)/perPage)
	return reply(http.StatusOK, object{
		root: rows, "links": pageLinks(c.Request, page, last), "meta": object{"total": total},
	}, "")
}

// page reads page and per_page; what is no positive number counts as not given (unverified).
func (c *call) page() (page, perPage int) {
	largest := largestPage
	if own := c.settings.PageMax; own > 0 {
		largest = min(largest, own)
	}
	return c.positive("page", 1), min(c.positive("per_page", defaultPage), largest)
}

func (c *call) positive(name string, fallback int) int {
	number, err := strconv.Atoi(c.Query.Get(name))
	if err != nil || number < 1 {
		return fallback
	}
	return number
}

// pageLinks has only the links that make sense: no first and prev on the first page, no next and last on the last. They
// are whole URLs that repeat the query.
func pageLinks(r *core.Request, page, last int) object {
	if last == 1 && page == 1 {
		return object{}
	}
	pages := object{}
	if page > 1 {
		pages["first"], pages["prev"] = pageURL(r, 1), pageURL(r, min(page-1, last))
	}
	if page < last {
		pages["next"], pages["last"] = pageURL(r, page+1), pageURL(r, last)
	}
	return object{"pages": pages}
}

func pageURL(r *core.Request, page int) string {
	query := url.Values{}
	for name, values := range r.Query {
		query[name] = values
	}
	query.Set("page", strconv.Itoa(page))
	return fmt.Sprintf("%s%s?%s", baseURL(r), r.Path, query.Encode())
}

// baseURL is where the client reached the emulator.
func baseURL(r *core.Request) string { return "http://" + r.Host }
