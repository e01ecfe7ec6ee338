package main

import (
	"archive/zip"
	"bytes"
	"compress/flate"
	"compress/gzip"
	"compress/zlib"
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf16"
)

// canary is a random word that a test writes and looks for again.
type canary struct {
	word  string
	forms []string // word, and word as an index may fold it, in lower case
}

// Letters with an accent, and traditional characters, with their folded forms.
var (
	accents     = map[rune]rune{'a': 'á', 'e': 'ê', 'i': 'ï', 'o': 'ö', 'u': 'ü'}
	traditional = []rune("龍鳳龜鷹魚鳥馬麥齒鹽鷗鯨鱷鶴")
	simplified  = []rune("龙凤龟鹰鱼鸟马麦齿盐鸥鲸鳄鹤")
)

// newCanary returns a word that no dictionary has: Latin, with or without accents, or Chinese.
func newCanary(r *rand.Rand, chinese bool) canary {
	if chinese {
		var word, plain []rune
		if r.IntN(3) == 0 {
			for _, i := range r.Perm(len(traditional))[:4] {
				word, plain = append(word, traditional[i]), append(plain, simplified[i])
			}
			return canary{string(word), []string{string(word), string(plain)}}
		}
		for range 3 {
			word = append(word, rune(0x4e00+r.IntN(0x9fa5-0x4e00)))
		}
		return canary{string(word), []string{string(word)}}
	}
	const consonants, vowels = "bdfgklmprtvzx", "aeiou"
	var word, plain []rune
	accented := r.IntN(4) == 0
	for range 4 {
		c, v := rune(consonants[r.IntN(len(consonants))]), rune(vowels[r.IntN(len(vowels))])
		plain = append(plain, c, v)
		if accented && r.IntN(2) == 0 {
			v = accents[v]
		}
		word = append(word, c, v)
	}
	word, plain = append(word, 'q', 'x'), append(plain, 'q', 'x') // nothing that a stemmer cuts
	c := canary{string(word), slices.Compact([]string{string(word), string(plain)})}
	if r.IntN(2) == 0 {
		c.word = strings.ToUpper(c.word[:1]) + c.word[1:]
	}
	return c
}

// in reports whether text has the canary in any form.
func (c canary) in(text string) bool {
	text = strings.ToLower(text)
	return slices.ContainsFunc(c.forms, func(form string) bool { return strings.Contains(text, form) })
}

// encodings returns how the bytes of a file may spell the canary. Of exact ones the case
// of letters counts.
func (c canary) encodings() (folded, exact [][]byte) {
	for _, form := range c.forms {
		folded = append(folded, []byte(form), []byte(hex.EncodeToString([]byte(form))))
		var little, big []byte // A to Z are in lower case in a file's copy, also where they are half of a character
		var escaped, percent strings.Builder
		for _, u := range utf16.Encode([]rune(form)) {
			little = binary.LittleEndian.AppendUint16(little, u)
			big = binary.BigEndian.AppendUint16(big, u)
			if u < 0x80 {
				escaped.WriteByte(byte(u))
			} else {
				fmt.Fprintf(&escaped, `\u%04x`, u)
			}
		}
		for _, b := range []byte(form) {
			fmt.Fprintf(&percent, "%%%02x", b)
		}
		folded = append(folded, lowerASCII(little), lowerASCII(big), []byte(escaped.String()), []byte(percent.String()))
	}
	for _, spelled := range append([]string{c.word}, c.forms...) {
		for shift := range 3 { // where the word begins within three bytes
			encoded := base64.RawStdEncoding.EncodeToString(append(make([]byte, shift), spelled...))
			whole := (shift + len(spelled)) / 3 * 4
			part := encoded[(shift*4+2)/3 : whole]
			exact = append(exact, []byte(part), []byte(strings.NewReplacer("+", "-", "/", "_").Replace(part)))
		}
	}
	return folded, exact
}

// content is a file, a member of an archive in it, or its name.
type content struct {
	name  string
	bytes []byte
	lower []byte // bytes with A to Z in lower case
}

func newContent(name string, b []byte) content {
	return content{name, b, lowerASCII(b)}
}

func lowerASCII(b []byte) []byte {
	lower := slices.Clone(b)
	for i, c := range lower {
		if 'A' <= c && c <= 'Z' {
			lower[i] = c + 'a' - 'A'
		}
	}
	return lower
}

// contents returns every file below the folders, unpacked too where it or a part of it is
// compressed, and the name of every file and folder.
func contents(t *testing.T, folders ...string) (out []content) {
	t.Helper()
	for _, dir := range folders {
		err := filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
			if errors.Is(err, fs.ErrNotExist) && name == dir {
				return nil
			}
			if err != nil {
				return err
			}
			out = append(out, newContent("name of "+name, []byte(filepath.Base(name))))
			if !d.Type().IsRegular() {
				return nil
			}
			b, err := os.ReadFile(name)
			if err != nil {
				return err
			}
			out = append(out, unpacked(name, b, 3)...)
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return out
}

// unpacked returns b and what its compressed parts hold, down to the given depth.
func unpacked(name string, b []byte, depth int) []content {
	out := []content{newContent(name, b)}
	if depth == 0 {
		return out
	}
	add := func(kind string, from int, in io.Reader) {
		plain, _ := io.ReadAll(io.LimitReader(in, 64<<20)) // what could be read before an error
		if len(plain) > 8 {
			out = append(out, unpacked(fmt.Sprintf("%s, %s at %d", name, kind, from), plain, depth-1)...)
		}
	}
	for i := range starts(b, "\x1f\x8b\x08") {
		if in, err := gzip.NewReader(bytes.NewReader(b[i:])); err == nil {
			add("gzip", i, in)
		}
	}
	for _, magic := range []string{"\x78\x01", "\x78\x5e", "\x78\x9c", "\x78\xda"} {
		for i := range starts(b, magic) {
			if in, err := zlib.NewReader(bytes.NewReader(b[i:])); err == nil {
				add("zlib", i, in)
			}
		}
	}
	for i := range starts(b, "PK\x03\x04") {
		if len(b)-i < 30 || binary.LittleEndian.Uint16(b[i+8:]) != zip.Deflate {
			continue // stored: the bytes are in b itself
		}
		from := i + 30 + int(binary.LittleEndian.Uint16(b[i+26:])) + int(binary.LittleEndian.Uint16(b[i+28:]))
		if from < len(b) {
			add("ZIP member", i, flate.NewReader(bytes.NewReader(b[from:])))
		}
	}
	return out
}

// starts yields where magic is in b.
func starts(b []byte, magic string) func(func(int) bool) {
	return func(yield func(int) bool) {
		for from := 0; ; {
			i := bytes.Index(b[from:], []byte(magic))
			if i < 0 || !yield(from+i) {
				return
			}
			from += i + 1
		}
	}
}

// place is where a canary was found.
type place struct {
	name   string
	offset int
	around string
	near   []byte // lower case, from before bytes ahead of the canary
	before int
}

func (p place) String() string { return fmt.Sprintf("%s at %d: %s", p.name, p.offset, p.around) }

// places returns where the contents have the canary.
func places(all []content, c canary) (out []place) {
	folded, exact := c.encodings()
	for _, in := range all {
		find := func(hay, needle []byte) {
			for i := range starts(hay, string(needle)) {
				from, to := max(0, i-24), min(len(hay), i+len(needle)+24)
				near := in.lower[from:to]
				out = append(out, place{in.name, i, fmt.Sprintf("%q", in.bytes[from:to]), near, i - from})
			}
		}
		for _, needle := range slices.CompactFunc(slices.SortedFunc(slices.Values(folded), bytes.Compare), bytes.Equal) {
			find(in.lower, needle)
		}
		for _, needle := range slices.CompactFunc(slices.SortedFunc(slices.Values(exact), bytes.Compare), bytes.Equal) {
			find(in.bytes, needle)
		}
	}
	return out
}

// The search finds a word in every form that it says it finds.
func TestPlaces(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(1, 2))
	for n := range 60 {
		c := newCanary(r, n%2 == 0)
		text := "before " + c.word + " after"
		pack := func(w func(io.Writer) io.WriteCloser) []byte {
			var out bytes.Buffer
			in := w(&out)
			if _, err := in.Write([]byte(text)); err != nil {
				t.Fatal(err)
			}
			if err := in.Close(); err != nil {
				t.Fatal(err)
			}
			return append([]byte("in front"), out.Bytes()...)
		}
		zipped := func() []byte {
			var out bytes.Buffer
			z := zip.NewWriter(&out)
			in, err := z.Create("member")
			if err == nil {
				_, err = in.Write([]byte(text))
			}
			if err = errors.Join(err, z.Close()); err != nil {
				t.Fatal(err)
			}
			return out.Bytes()
		}
		var escaped strings.Builder
		var wide []byte
		for _, u := range utf16.Encode([]rune(text)) {
			wide = binary.LittleEndian.AppendUint16(wide, u)
			if u < 0x80 {
				escaped.WriteByte(byte(u))
			} else {
				fmt.Fprintf(&escaped, `\u%04X`, u)
			}
		}
		for kind, b := range map[string][]byte{
			"as it is": []byte(text), "folded": []byte(c.forms[len(c.forms)-1]), "UTF-16": wide, "JSON": []byte(escaped.String()),
			"base64": []byte(base64.StdEncoding.EncodeToString([]byte(text[n%7:]))), "hex": []byte(strings.ToUpper(hex.EncodeToString([]byte(strings.ToLower(text))))),
			"gzip": pack(func(w io.Writer) io.WriteCloser { return gzip.NewWriter(w) }),
			"zlib": pack(func(w io.Writer) io.WriteCloser { return zlib.NewWriter(w) }), "ZIP": zipped(),
		} {
			if len(places(unpacked("file", b, 3), c)) == 0 {
				t.Errorf("%s: %q is not found in %q", kind, c.word, b)
			}
			if got := places(unpacked("file", b, 3), newCanary(r, n%3 == 0)); len(got) > 0 {
				t.Errorf("%s: another word is found: %v", kind, got)
			}
		}
	}
}
