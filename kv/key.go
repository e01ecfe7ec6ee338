package kv

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"reflect"
	"time"
)

// The encoding of a tuple. Each part is a tag and then
//
//	string     its bytes, 0x00 written as 0x00 0xFF, and 0x00 0x01 at the end
//	uint64     8 bytes, big-endian
//	int64      8 bytes, big-endian, sign bit inverted
//	time.Time  seconds since 1970 as int64, then nanoseconds in 4 bytes
//
// Every part marks its own end, so a tuple is a byte prefix of exactly those tuples
// that begin with its parts. Parts of different types sort by tag.
const (
	tagString byte = 0x02
	tagUint   byte = 0x03
	tagInt    byte = 0x04
	tagTime   byte = 0x05

	escape     byte = 0x00 // begins an escaped zero or an end
	escapeZero byte = 0xFF
	escapeEnd  byte = 0x01

	signBit = 1 << 63
)

// Key encodes a tuple. Parts are strings, signed or unsigned integers, time.Time, or
// named types of these kinds; any other type panics. Strings may hold any bytes. Keys
// sort part by part: strings by bytes, numbers by value, times by instant (location and
// monotonic reading are dropped). A part must have the same type in all keys of a
// bucket for the order to be meaningful.
func Key(parts ...any) []byte {
	b := make([]byte, 0, 16*len(parts))
	for _, p := range parts {
		b = appendPart(b, p)
	}
	return b
}

// Prefix encodes the beginning of a tuple. It is a byte prefix of exactly those keys
// whose first parts equal the given ones. Without parts it is empty and matches all
// keys.
func Prefix(parts ...any) []byte { return Key(parts...) }

// Beginning is [Prefix] for keys whose last part, a string, begins with the last one given.
func Beginning(parts ...any) []byte {
	k := Key(parts...)
	return k[:len(k)-len("\x00\x01")]
}

// After returns the smallest key greater than key, to resume a scan. It is not a tuple.
func After(key []byte) []byte {
	return append(bytes.Clone(key), 0)
}

func appendPart(b []byte, part any) []byte {
	switch p := part.(type) {
	case string:
		return appendString(b, p)
	case uint64:
		return binary.BigEndian.AppendUint64(append(b, tagUint), p)
	case int64:
		return appendInt(append(b, tagInt), p)
	case int:
		return appendInt(append(b, tagInt), int64(p))
	case time.Time:
		b = appendInt(append(b, tagTime), p.Unix())
		return binary.BigEndian.AppendUint32(b, uint32(p.Nanosecond()))
	}
	v := reflect.ValueOf(part)
	switch {
	case v.Kind() == reflect.String:
		return appendString(b, v.String())
	case v.CanUint():
		return binary.BigEndian.AppendUint64(append(b, tagUint), v.Uint())
	case v.CanInt():
		return appendInt(append(b, tagInt), v.Int())
	}
	panic(fmt.Sprintf("kv: %T cannot be part of a key", part))
}

func appendString(b []byte, s string) []byte {
	b = append(b, tagString)
	for i := range len(s) {
		b = append(b, s[i])
		if s[i] == escape {
			b = append(b, escapeZero)
		}
	}
	return append(b, escape, escapeEnd)
}

func appendInt(b []byte, n int64) []byte {
	return binary.BigEndian.AppendUint64(b, uint64(n)^signBit)
}

// ParseKey decodes a tuple into string, uint64, int64 and time.Time (UTC) parts. It
// accepts exactly the output of [Key]; all else is [ErrKey].
func ParseKey(key []byte) ([]any, error) {
	var parts []any
	for rest := key; len(rest) > 0; {
		part, n, err := parsePart(rest)
		if err != nil {
			return nil, err
		}
		parts, rest = append(parts, part), rest[n:]
	}
	return parts, nil
}

// Unpack decodes a tuple into pointers to string, uint64, int64 or time.Time, one for
// each part. A wrong number or type of parts is [ErrKey].
func Unpack(key []byte, into ...any) error {
	rest := key
	for i, p := range into {
		part, n, err := parsePart(rest)
		if err != nil {
			return err
		}
		if !assign(p, part) {
			return fmt.Errorf("%w: part %d is %T, not for %T", ErrKey, i, part, p)
		}
		rest = rest[n:]
	}
	if len(rest) > 0 {
		return fmt.Errorf("%w: more than %d parts", ErrKey, len(into))
	}
	return nil
}

func assign(into, part any) bool {
	switch v := part.(type) {
	case string:
		return set(into, v)
	case uint64:
		return set(into, v)
	case int64:
		return set(into, v)
	case time.Time:
		return set(into, v)
	}
	return false
}

func set[T any](into any, v T) bool {
	p, ok := into.(*T)
	if ok {
		*p = v
	}
	return ok
}

// parsePart decodes the first part of b and returns its length in bytes.
func parsePart(b []byte) (part any, n int, err error) {
	if len(b) == 0 {
		return nil, 0, fmt.Errorf("%w: too few parts", ErrKey)
	}
	body := b[1:]
	switch b[0] {
	case tagString:
		s, n, err := parseString(body)
		return s, 1 + n, err
	case tagUint:
		if len(body) >= 8 {
			return binary.BigEndian.Uint64(body), 9, nil
		}
	case tagInt:
		if len(body) >= 8 {
			return parseInt(body), 9, nil
		}
	case tagTime:
		if len(body) >= 12 {
			return parseTime(body)
		}
	default:
		return nil, 0, fmt.Errorf("%w: unknown tag 0x%02x", ErrKey, b[0])
	}
	return nil, 0, fmt.Errorf("%w: cut short", ErrKey)
}

func parseString(b []byte) (string, int, error) {
	var s []byte
	for i := 0; i < len(b); i++ {
		if b[i] != escape {
			s = append(s, b[i])
			continue
		}
		if i++; i == len(b) {
			break
		}
		switch b[i] {
		case escapeEnd:
			return string(s), i + 1, nil
		case escapeZero:
			s = append(s, 0)
		default:
			return "", 0, fmt.Errorf("%w: escape 0x%02x", ErrKey, b[i])
		}
	}
	return "", 0, fmt.Errorf("%w: string without end", ErrKey)
}

func parseInt(b []byte) int64 { return int64(binary.BigEndian.Uint64(b) ^ signBit) }

func parseTime(b []byte) (any, int, error) {
	nanos := binary.BigEndian.Uint32(b[8:])
	if nanos >= uint32(time.Second) {
		return nil, 0, fmt.Errorf("%w: %d nanoseconds", ErrKey, nanos)
	}
	t := time.Unix(parseInt(b), int64(nanos)).UTC()
	return t, 13, nil
}
