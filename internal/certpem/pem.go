// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

// Package certpem reads TLS certificates, their chains and private keys as PEM, in any spelling that people and tools give
// them, and says in words what is wrong with them. No error of it repeats what it was given.
package certpem

import (
	"encoding/pem"
	"fmt"
	"regexp"
	"strings"
)

// Part is one of the texts that make a certificate.
type Part string

// The parts.
const (
	Certificate Part = "certificate"
	PrivateKey  Part = "private_key"
	Chain       Part = "chain"
)

// Fault is what is wrong with one part: a sentence without its subject. It holds nothing of a key.
type Fault struct {
	Part    Part
	Message string
}

func (f *Fault) Error() string { return string(f.Part) + " " + f.Message }

const (
	begin = "-----BEGIN "
	end   = "-----END "
	dash  = "-----"
)

// beginning is a whole line that begins a block. Nothing else may become a label, since labels are shown in errors.
var beginning = regexp.MustCompile(`^-----BEGIN ([A-Z0-9 ]{1,40})-----$`)

// blocks takes a text apart into its PEM blocks. Line ends, indentation, blank lines and what stands outside of blocks do not
// matter.
func blocks(part Part, text string) ([]*pem.Block, error) {
	var found []*pem.Block
	label, body := "", []string(nil)
	for _, line := range lines(text) {
		opened := beginning.FindStringSubmatch(line)
		switch {
		case strings.HasPrefix(line, begin) && opened == nil:
			return nil, badBeginning(part, line)
		case opened != nil && label != "":
			return nil, &Fault{part, fmt.Sprintf("is cut off: a block %q has no end before the next one begins", label)}
		case opened != nil:
			label, body = opened[1], []string{line}
		case label == "":
		case strings.HasPrefix(line, end):
			block, _ := pem.Decode([]byte(strings.Join(append(body, line), "\n") + "\n"))
			if block == nil {
				return nil, &Fault{part, fmt.Sprintf("is damaged: what stands between BEGIN and END of its block %q is not base64", label)}
			}
			found, label = append(found, block), ""
		default:
			body = append(body, line)
		}
	}
	if label != "" {
		return nil, &Fault{part, fmt.Sprintf("is cut off: its block %q has no end", label)}
	}
	return found, nil
}

func badBeginning(part Part, line string) error {
	message := "is damaged: a line that begins a block must hold nothing but " + begin + "..." + dash
	if strings.Contains(line, `\n`) {
		message += `; it has the two characters \n where line breaks belong`
	}
	return &Fault{part, message}
}

// lines answers the lines that are not blank, without white space around them.
func lines(text string) []string {
	var all []string
	for _, line := range strings.FieldsFunc(text, func(r rune) bool { return r == '\n' || r == '\r' }) {
		if line = strings.TrimSpace(strings.TrimPrefix(line, "\ufeff")); line != "" {
			all = append(all, line)
		}
	}
	return all
}

// missing says that a text has no block of the wanted sort, with the likeliest reason.
func missing(part Part, text, wanted string) error {
	message := fmt.Sprintf("holds no PEM block %q", wanted)
	switch {
	case strings.TrimSpace(text) == "":
		message = "is empty"
	case strings.Contains(text, begin):
		message += ": its block is of another sort"
	default:
		message += ": a PEM text begins with " + begin + wanted + dash
	}
	return &Fault{part, message}
}

// encode writes blocks of one label in the one spelling that is uploaded.
func encode(label string, contents ...[]byte) string {
	var text strings.Builder
	for _, content := range contents {
		text.Write(pem.EncodeToMemory(&pem.Block{Type: label, Bytes: content}))
	}
	return text.String()
}

// Same says whether two texts hold the same certificates in the same order, however they are spelled. Texts that cannot be
// read are the same only when they are equal.
func Same(a, b string) bool {
	if a == b {
		return true
	}
	first, firstErr := certificates(Certificate, a)
	second, secondErr := certificates(Certificate, b)
	return firstErr == nil && secondErr == nil && equal(first, second)
}
