// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package nocloud

import (
	"fmt"
	"strings"
	"time"
)

// The modes of Rock Ridge, as stat(2) has them: a directory and a file that everybody reads and nobody writes.
const (
	directoryMode = 0o040555
	fileMode      = 0o100444
)

// rootDirectory answers the records of the root directory: itself, its parent, which is itself, and the files.
func rootDirectory(made time.Time, files []file, starts []int) []byte {
	own := append(sharingProtocol(), posixAttributes(directoryMode, 2)...)
	own = append(own, continuation(len(extensionReference()))...)
	directory := directoryRecord("\x00", directorySector, sectorSize, made, true, own)
	directory = append(directory, directoryRecord("\x01", directorySector, sectorSize, made, true, posixAttributes(directoryMode, 2))...)
	for i, file := range files {
		entries := append(posixAttributes(fileMode, 1), alternateName(file.name)...)
		directory = append(directory, directoryRecord(plainName(i, file.name), starts[i], len(file.data), made, false, entries)...)
	}
	return directory
}

// directoryRecord answers one record (ECMA-119, 9.1) with the entries of Rock Ridge behind it.
func directoryRecord(name string, start, size int, made time.Time, isDirectory bool, entries []byte) []byte {
	const fixed = 33
	record := make([]byte, fixed, fixed+len(name)+1+len(entries))
	copy(record[2:], both32(start))
	copy(record[10:], both32(size))
	copy(record[18:], shortTime(made))
	if isDirectory {
		record[25] = 2
	}
	copy(record[28:], both16(1))
	record[32] = low(len(name))
	record = append(record, name...)
	if len(record)%2 == 1 {
		record = append(record, 0)
	}
	record = append(record, entries...)
	if len(record)%2 == 1 {
		record = append(record, 0)
	}
	record[0] = low(len(record))
	return record
}

// shortTime is a time as directory records have it, in UTC (ECMA-119, 9.1.5).
func shortTime(moment time.Time) []byte {
	moment = moment.UTC()
	return []byte{
		low(moment.Year() - 1900), low(int(moment.Month())), low(moment.Day()),
		low(moment.Hour()), low(moment.Minute()), low(moment.Second()), 0,
	}
}

// plainName answers the name for readers without Rock Ridge: eight characters, of which the last tells files apart and
// keeps their order (ECMA-119, 7.5).
func plainName(index int, name string) string {
	letters := strings.Map(func(character rune) rune {
		switch {
		case character >= 'a' && character <= 'z':
			return character - 'a' + 'A'
		case character >= 'A' && character <= 'Z', character >= '0' && character <= '9':
			return character
		}
		return '_'
	}, name)
	return fmt.Sprintf("%s%c.;1", letters[:min(len(letters), 7)], 'A'+index)
}

// The entries of SUSP 1.12 and Rock Ridge 1.09 (IEEE P1281 and P1282): two letters, length, version, content.

func sharingProtocol() []byte { return []byte{'S', 'P', 7, 1, 0xbe, 0xef, 0} }

func posixAttributes(mode, links int) []byte {
	entry := []byte{'P', 'X', 36, 1}
	for _, number := range []int{mode, links, 0, 0} {
		entry = append(entry, both32(number)...)
	}
	return entry
}

func alternateName(name string) []byte {
	return append([]byte{'N', 'M', low(5 + len(name)), 1, 0}, name...)
}

func continuation(size int) []byte {
	entry := []byte{'C', 'E', 28, 1}
	for _, number := range []int{continuationSector, 0, size} {
		entry = append(entry, both32(number)...)
	}
	return entry
}

// extensionReference names Rock Ridge as the protocol in use; the three texts are fixed by its specification.
func extensionReference() []byte {
	const (
		id          = "RRIP_1991A"
		description = "THE ROCK RIDGE INTERCHANGE PROTOCOL PROVIDES SUPPORT FOR POSIX FILE SYSTEM SEMANTICS"
		source      = "PLEASE CONTACT DISC PUBLISHER FOR SPECIFICATION SOURCE.  SEE PUBLISHER IDENTIFIER IN PRIMARY VOLUME DESCRIPTOR FOR CONTACT INFORMATION."
	)
	entry := []byte{'E', 'R', low(8 + len(id) + len(description) + len(source)), 1, low(len(id)), low(len(description)), low(len(source)), 1}
	entry = append(entry, id...)
	entry = append(entry, description...)
	return append(entry, source...)
}
