// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package transport

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/url"
	"strings"
)

// hidden stands in the log for what is masked.
const hidden = "***"

// longestText is the most characters of a body that the log gets.
const longestText = 64 << 10

// mask takes secrets out of what is logged.
type mask struct {
	// secrets are texts that are masked wherever they stand: the token, and what the request itself holds under a masked
	// name, since a vendor may repeat it.
	secrets []string
}

func newMask(token string, request []byte) mask {
	m := mask{}
	m.add(token)
	if value, err := decode(request); err == nil {
		m.collect(value, false)
	}
	return m
}

// add masks a text wherever it stands; one that is too short to be a secret would only garble the log.
func (m *mask) add(text string) {
	if len(text) >= 6 {
		m.secrets = append(m.secrets, text)
	}
}

// collect adds every string below a masked name.
func (m *mask) collect(value any, masked bool) {
	switch value := value.(type) {
	case string:
		if masked {
			m.add(value)
		}
	case []any:
		for _, element := range value {
			m.collect(element, masked)
		}
	case map[string]any:
		for name, element := range value {
			m.collect(element, masked || isMasked(name))
		}
	}
}

// isMasked says whether the values under a name are never logged: secrets, user data and keys.
func isMasked(name string) bool {
	name = strings.ToLower(name)
	switch name {
	case "user_data", "public_key", "private_key", "sshkeys":
		return true
	}
	for _, word := range []string{"token", "secret", "password"} {
		if strings.HasSuffix(name, word) {
			return true
		}
	}
	return false
}

func (m mask) text(text string) string {
	for _, secret := range m.secrets {
		text = strings.ReplaceAll(text, secret, hidden)
	}
	return text
}

func (m mask) query(values url.Values) string {
	for name, list := range values {
		for i := range list {
			if isMasked(name) {
				list[i] = hidden
			}
			list[i] = m.text(list[i])
		}
	}
	return values.Encode()
}

// body answers JSON with its secrets masked, and of anything else only how much it is.
func (m mask) body(contentType string, data []byte) string {
	if len(data) == 0 {
		return ""
	}
	value, err := decode(data)
	if err != nil {
		return fmt.Sprintf("(%d bytes of %q that are not JSON)", len(data), contentType)
	}
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(m.value(value)); err != nil {
		return fmt.Sprintf("(%d bytes)", len(data))
	}
	masked := strings.TrimSpace(text.String())
	if len(masked) > longestText {
		return masked[:longestText] + fmt.Sprintf("... (%d bytes)", len(masked))
	}
	return masked
}

func (m mask) value(value any) any {
	switch value := value.(type) {
	case string:
		return m.text(value)
	case []any:
		for i := range value {
			value[i] = m.value(value[i])
		}
	case map[string]any:
		for name, element := range value {
			if isMasked(name) && element != nil {
				value[name] = hidden
				continue
			}
			value[name] = m.value(element)
		}
	}
	return value
}

func decode(data []byte) (any, error) {
	var value any
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.UseNumber()
	err := decoder.Decode(&value)
	return value, err
}
