package damage

import (
	"bytes"
	"encoding/binary"
	"math/rand/v2"
)

const pageSize = 4096

// The page kinds, in bytes 8 and 9.
const (
	branchPage = 1
	leafPage   = 2
	freePage   = 16
)

// kind is a way to damage a file. do may write into b, which is not empty, and returns
// the new content. nil removes the file.
type kind struct {
	name  string
	store bool // only for stores, of three pages or more
	do    func(rng *rand.Rand, b []byte) []byte
}

// kinds lists all of them.
var kinds = []kind{
	{"flipped bit", false, func(rng *rand.Rand, b []byte) []byte { flip(rng, b); return b }},
	{"twenty flipped bits", false, func(rng *rand.Rand, b []byte) []byte {
		for range 20 {
			flip(rng, b)
		}
		return b
	}},
	{"cut off", false, func(rng *rand.Rand, b []byte) []byte { return b[:rng.IntN(len(b))] }},
	{"cut off by a page", false, func(_ *rand.Rand, b []byte) []byte { return b[:max(0, len(b)-pageSize)] }},
	{"sector zeroed", false, func(rng *rand.Rand, b []byte) []byte { clear(piece(rng, b, 512)); return b }},
	{"sector of noise", false, func(rng *rand.Rand, b []byte) []byte { noise(rng, piece(rng, b, 512)); return b }},
	{"page zeroed", false, func(rng *rand.Rand, b []byte) []byte { clear(piece(rng, b, pageSize)); return b }},
	{"pages zeroed", false, func(rng *rand.Rand, b []byte) []byte { clear(piece(rng, b, pageSize<<(1+rng.IntN(4)))); return b }},
	{"page of noise", false, func(rng *rand.Rand, b []byte) []byte { noise(rng, piece(rng, b, pageSize)); return b }},
	{"all zeroes", false, func(_ *rand.Rand, b []byte) []byte { clear(b); return b }},
	{"all noise", false, func(rng *rand.Rand, b []byte) []byte { noise(rng, b); return b }},
	{"empty", false, func(*rand.Rand, []byte) []byte { return []byte{} }},
	{"missing", false, func(*rand.Rand, []byte) []byte { return nil }},
	{"zeroes at the end", false, func(rng *rand.Rand, b []byte) []byte { return append(b, make([]byte, 1+rng.IntN(9000))...) }},
	{"copied as text", false, func(_ *rand.Rand, b []byte) []byte { return bytes.ReplaceAll(b, []byte("\n"), []byte("\r\n")) }},
	{"high bits cleared", false, func(_ *rand.Rand, b []byte) []byte {
		for i := range b {
			b[i] &= 0x7f
		}
		return b
	}},
	{"page over another", true, func(rng *rand.Rand, b []byte) []byte { copy(page(rng, b), page(rng, b)); return b }},
	{"pages exchanged", true, func(rng *rand.Rand, b []byte) []byte {
		x, y := page(rng, b), page(rng, b)
		old := bytes.Clone(x)
		copy(x, y)
		copy(y, old)
		return b
	}},
	{"half a page of another", true, func(rng *rand.Rand, b []byte) []byte {
		half := len(page(rng, b)) / 2
		copy(page(rng, b)[half:], page(rng, b)[half:])
		return b
	}},
	{"bit of a meta page", true, func(rng *rand.Rand, b []byte) []byte { flip(rng, b[:min(len(b), 80)]); return b }},
	{"meta pages zeroed", true, func(_ *rand.Rand, b []byte) []byte { clear(b[:min(len(b), 2*pageSize)]); return b }},
	{"meta page over the other", true, func(rng *rand.Rand, b []byte) []byte {
		if len(b) >= 2*pageSize {
			from := pageSize * rng.IntN(2)
			copy(b[pageSize-from:], bytes.Clone(b[from:from+pageSize]))
		}
		return b
	}},
	{"bit of the free list", true, func(rng *rand.Rand, b []byte) []byte { flip(rng, used(pageOf(rng, b, freePage))); return b }},
	{"bit of a branch", true, func(rng *rand.Rand, b []byte) []byte { flip(rng, used(pageOf(rng, b, branchPage))); return b }},
	{"bit of a leaf", true, func(rng *rand.Rand, b []byte) []byte { flip(rng, used(pageOf(rng, b, leafPage))); return b }},
	{"bit of an element", true, func(rng *rand.Rand, b []byte) []byte { flip(rng, element(rng, pageOf(rng, b, leafPage))); return b }},
	{"page's number", true, func(rng *rand.Rand, b []byte) []byte { flip(rng, page(rng, b)[:2]); return b }},
	{"page's type", true, func(rng *rand.Rand, b []byte) []byte { flip(rng, page(rng, b)[8:10]); return b }},
	{"page's count", true, func(rng *rand.Rand, b []byte) []byte { flip(rng, page(rng, b)[10:12]); return b }},
	{"page's length", true, func(rng *rand.Rand, b []byte) []byte { flip(rng, page(rng, b)[12:14]); return b }},
	{"elements exchanged", true, func(rng *rand.Rand, b []byte) []byte {
		p := pageOf(rng, b, leafPage)
		x, y := element(rng, p), element(rng, p)
		old := bytes.Clone(x)
		copy(x, y)
		copy(y, old)
		return b
	}},
	{"child that points up", true, func(rng *rand.Rand, b []byte) []byte {
		if e := element(rng, pageOf(rng, b, branchPage)); len(e) == 16 {
			binary.NativeEndian.PutUint64(e[8:], rng.Uint64N(uint64(len(b)/pageSize)+1))
		}
		return b
	}},
}

func flip(rng *rand.Rand, b []byte) {
	if len(b) > 0 {
		b[rng.IntN(len(b))] ^= 1 << rng.IntN(8)
	}
}

func noise(rng *rand.Rand, b []byte) {
	for i := range b {
		b[i] = byte(rng.Uint32())
	}
}

// piece returns a random aligned piece of b of the given size.
func piece(rng *rand.Rand, b []byte, size int) []byte {
	from := rng.IntN(len(b)) / size * size
	return b[from:min(len(b), from+size)]
}

// page returns a random page after the meta pages; a store has at least one.
func page(rng *rand.Rand, b []byte) []byte {
	from := pageSize * (2 + rng.IntN(len(b)/pageSize-2))
	return b[from : from+pageSize]
}

// pageOf returns a random page of a kind, in use or not, or any page if there is none.
func pageOf(rng *rand.Rand, b []byte, is uint16) []byte {
	var all []int
	for from := 2 * pageSize; from+pageSize <= len(b); from += pageSize {
		if binary.NativeEndian.Uint16(b[from+8:]) == is {
			all = append(all, from)
		}
	}
	if len(all) == 0 {
		return page(rng, b)
	}
	from := all[rng.IntN(len(all))]
	return b[from : from+pageSize]
}

// used returns a page without its unused end, approximately.
func used(p []byte) []byte { return bytes.TrimRight(p, "\x00") }

// element returns a random one of a page's first 16-byte elements, nil if there is
// none.
func element(rng *rand.Rand, p []byte) []byte {
	if len(p) < pageSize {
		return nil
	}
	n := min(int(binary.NativeEndian.Uint16(p[10:])), (pageSize-16)/16)
	if n == 0 {
		return nil
	}
	from := 16 + 16*rng.IntN(n)
	return p[from : from+16]
}
