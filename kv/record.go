package kv

import (
	"encoding/binary"
	"hash/crc32"
)

// A record is
//
//	byte  0     version of the payload's layout, 1–255
//	bytes 1–4   CRC-32C, big-endian
//	bytes 5–    payload
//
// The sum covers bucket name and key (each preceded by its length), version and
// payload. It detects any change of up to 32 adjacent bits with certainty, and also a
// healthy record under the wrong key or in the wrong bucket.
const recordHeader = 5

// appendRecord appends the record of payload to dst.
func appendRecord(dst []byte, bucket string, key []byte, version uint8, payload []byte) []byte {
	dst = append(dst, version)
	dst = binary.BigEndian.AppendUint32(dst, checksum(bucket, key, version, payload))
	return append(dst, payload...)
}

// openRecord returns the version and payload of a record, or [ErrChecksum]. The payload
// is a slice of rec.
func openRecord(bucket string, key, rec []byte) (version uint8, payload []byte, err error) {
	if len(rec) < recordHeader || rec[0] == 0 {
		return 0, nil, ErrChecksum
	}
	version, payload = rec[0], rec[recordHeader:]
	if binary.BigEndian.Uint32(rec[1:]) != checksum(bucket, key, version, payload) {
		return 0, nil, ErrChecksum
	}
	return version, payload, nil
}

func checksum(bucket string, key []byte, version uint8, payload []byte) uint32 {
	table := crc32.MakeTable(crc32.Castagnoli) // cached by the standard library
	sum := sumLength(0, table, len(bucket))
	for i := range len(bucket) {
		sum = sumByte(sum, table, bucket[i])
	}
	sum = sumLength(sum, table, len(key))
	sum = crc32.Update(sum, table, key)
	sum = sumByte(sum, table, version)
	return crc32.Update(sum, table, payload)
}

// sumLength adds n as 4 bytes.
func sumLength(sum uint32, table *crc32.Table, n int) uint32 {
	for shift := 0; shift < 32; shift += 8 {
		sum = sumByte(sum, table, byte(n>>shift))
	}
	return sum
}

// sumByte is crc32.Update for one byte, without its heap allocation.
func sumByte(sum uint32, table *crc32.Table, b byte) uint32 {
	sum = ^sum
	return ^(table[byte(sum)^b] ^ sum>>8)
}
