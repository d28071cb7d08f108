// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package hetzner

import (
	"cmp"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/better-compute/terraform-provider-bettercompute/internal/emulator/core"
)

const (
	defaultPage = 25 // Hetzner API document, "Pagination"
	largestPage = 50 // larger values are clamped (unverified: the document gives only the maximum)
)

// row is an object in a list: its JSON and what it is sorted by.
type row struct {
	body object
	keys map[string]sortKey
}

// sortKey is a number or a word; keys of one field are all of one sort.
type sortKey struct {
	number int64
	word   string
}

func number(n int64) sortKey { return sortKey{number: n} }

func word(w string) sortKey { return sortKey{word: w} }

// replyList sorts, cuts the page out, and gives the body's meta and the Link header.
func (c *call) replyList(root string, rows []row, sortable ...string) core.Answer {
	if wrong := sortRows(rows, c.Query["sort"], sortable); wrong != nil {
		return *wrong
	}
	page, perPage, wrong := c.page()
	if wrong != nil {
		return *wrong
	}
	from := min((page-1)*perPage, len(rows))
	bodies := []object{}
	for _, r := range rows[from:min(from+perPage, len(rows))] {
		bodies = append(bodies, r.body)
	}
	pages := pagination{page: page, perPage: perPage, last: max(1, (len(rows)+perPage-1)/perPage), total: len(rows)}
	answer := reply(http.StatusOK, object{root: bodies, "meta": object{"pagination": pages.body()}}, 0)
	if link := pages.link(c.Request); link != "" {
		answer.Header.Set("Link", link)
	}
	return answer
}

// page reads page and per_page.
func (c *call) page() (page, perPage int, wrong *core.Answer) {
	largest := largestPage
	if own := c.api.settings.Get().PageMax; own > 0 {
		largest = min(largest, own)
	}
	page, perPage = 1, min(defaultPage, largest)
	for name, value := range map[string]*int{"page": &page, "per_page": &perPage} {
		given := c.Query.Get(name)
		if given == "" {
			continue
		}
		number, err := strconv.Atoi(given)
		if err != nil || number < 1 {
			return 0, 0, new(invalid(name, "must be a positive number"))
		}
		*value = number
	}
	return page, min(perPage, largest), nil
}

type pagination struct {
	page, perPage, last, total int
}

func (p pagination) body() object {
	body := object{
		"page": p.page, "per_page": p.perPage, "previous_page": nil, "next_page": nil,
		"last_page": p.last, "total_entries": p.total,
	}
	if p.page > 1 {
		body["previous_page"] = p.page - 1
	}
	if p.page < p.last {
		body["next_page"] = p.page + 1
	}
	return body
}

// link is the Link header: prev, next and last where they make sense.
func (p pagination) link(r *core.Request) string {
	var links []string
	add := func(page int, relation string) {
		query := url.Values{}
		for name, values := range r.Query {
			query[name] = values
		}
		query.Set("page", strconv.Itoa(page))
		links = append(links, fmt.Sprintf("<http://%s%s?%s>; rel=%s", r.Host, r.Path, query.Encode(), relation))
	}
	if p.page > 1 {
		add(p.page-1, "prev")
	}
	if p.page < p.last {
		add(p.page+1, "next")
	}
	if p.last > 1 {
		add(p.last, "last")
	}
	return strings.Join(links, ", ")
}

// sortRows sorts by "field", "field:asc" or "field:desc", the first parameter first. A field that is named twice
// counts once (Hetzner API document, "Sorting").
func sortRows(rows []row, orders, sortable []string) *core.Answer {
	if len(sortable) == 0 {
		return nil
	}
	for _, order := range slices.Backward(orders) {
		field, direction, _ := strings.Cut(order, ":")
		if !slices.Contains(sortable, field) || !slices.Contains([]string{"", "asc", "desc"}, direction) {
			return new(invalid("sort", "is not one of "+strings.Join(sortable, ", ")))
		}
		slices.SortStableFunc(rows, func(a, b row) int {
			order := compare(a.keys[field], b.keys[field])
			if direction == "desc" {
				return -order
			}
			return order
		})
	}
	return nil
}

func compare(a, b sortKey) int {
	return cmp.Or(cmp.Compare(a.number, b.number), cmp.Compare(a.word, b.word))
}

// id reads a path parameter. Ids are numbers; anything else is no object.
func (c *call) id(param string) int64 {
	id, err := strconv.ParseInt(c.Params[param], 10, 64)
	if err != nil {
		return 0
	}
	return id
}

// wanted says whether a repeated filter lets a value pass; without the filter everything passes.
func (c *call) wanted(filter, value string) bool {
	allowed := c.Query[filter]
	return len(allowed) == 0 || slices.Contains(allowed, value)
}
