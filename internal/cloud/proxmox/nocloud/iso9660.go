// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package nocloud

import (
	"errors"
	"fmt"
	"time"
)

// An ISO 9660 image is made of sectors (ECMA-119). This writer makes the smallest one that Linux and Windows mount: the
// volume descriptors, one path table in both byte orders, the root directory, the area in which it goes on, the files.
const (
	sectorSize         = 2048
	descriptorSector   = 16
	terminatorSector   = 17
	littleTableSector  = 18
	bigTableSector     = 19
	directorySector    = 20
	continuationSector = 21
	firstFileSector    = 22
	// mostBytes keeps all sizes far inside the 32 bits of the format.
	mostBytes = 64 << 20
)

// file is one file in the root directory.
type file struct {
	name string
	data []byte
}

// buildImage answers an image with the files, which must be in the order of their names.
func buildImage(volumeID string, made time.Time, files []file) ([]byte, error) {
	sectors, starts := firstFileSector, make([]int, len(files))
	for i, file := range files {
		if len(file.data) > mostBytes {
			return nil, fmt.Errorf("file %s of %d bytes is too large for the image", file.name, len(file.data))
		}
		starts[i] = sectors
		sectors += (len(file.data) + sectorSize - 1) / sectorSize
	}
	image := make([]byte, sectors*sectorSize)
	copy(sector(image, descriptorSector), primaryDescriptor(volumeID, sectors, made))
	copy(sector(image, terminatorSector), "\xffCD001\x01")
	copy(sector(image, littleTableSector), []byte{1, 0, directorySector, 0, 0, 0, 1, 0, 0})
	copy(sector(image, bigTableSector), []byte{1, 0, 0, 0, 0, directorySector, 0, 1, 0})
	directory := rootDirectory(made, files, starts)
	if len(directory) > sectorSize {
		return nil, errors.New("too many files for the image's one directory sector")
	}
	copy(sector(image, directorySector), directory)
	copy(sector(image, continuationSector), extensionReference())
	for i, file := range files {
		copy(image[starts[i]*sectorSize:], file.data)
	}
	return image, nil
}

func sector(image []byte, number int) []byte { return image[number*sectorSize:] }

// primaryDescriptor answers the primary volume descriptor (ECMA-119, 8.4).
func primaryDescriptor(volumeID string, sectors int, made time.Time) []byte {
	const pathTableSize = 10
	descriptor := make([]byte, sectorSize)
	copy(descriptor, "\x01CD001\x01")
	padded(descriptor[8:40], "LINUX")
	padded(descriptor[40:72], volumeID)
	copy(descriptor[80:], both32(sectors))
	copy(descriptor[120:], both16(1))
	copy(descriptor[124:], both16(1))
	copy(descriptor[128:], both16(sectorSize))
	copy(descriptor[132:], both32(pathTableSize))
	copy(descriptor[140:], little32(littleTableSector))
	copy(descriptor[148:], big32(bigTableSector))
	copy(descriptor[156:], directoryRecord("\x00", directorySector, sectorSize, made, true, nil))
	padded(descriptor[190:813], "")
	for _, at := range []int{813, 830} {
		copy(descriptor[at:], longTime(made))
	}
	for _, at := range []int{847, 864} {
		copy(descriptor[at:], "0000000000000000\x00")
	}
	descriptor[881] = 1
	return descriptor
}

// padded fills a field with a text and blanks.
func padded(field []byte, text string) {
	for i := range field {
		field[i] = ' '
	}
	copy(field, text)
}

// longTime is a time as volume descriptors have it, in UTC (ECMA-119, 8.4.26.1).
func longTime(moment time.Time) string {
	return moment.UTC().Format("20060102150405") + "00\x00"
}

// low is the lowest byte of a number.
func low(number int) byte { return byte(number & 0xff) }

func little32(number int) []byte {
	return []byte{low(number), low(number >> 8), low(number >> 16), low(number >> 24)}
}

func big32(number int) []byte {
	return []byte{low(number >> 24), low(number >> 16), low(number >> 8), low(number)}
}

func both32(number int) []byte { return append(little32(number), big32(number)...) }

func both16(number int) []byte {
	return []byte{low(number), low(number >> 8), low(number >> 8), low(number)}
}
