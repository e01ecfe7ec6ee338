package picture

import (
	"encoding/xml"
	"errors"
	"image"
	"io"
	"strings"
	"testing"
)

// A line is read with its looks; wide characters take two cells.
func TestCells(t *testing.T) {
	got := cells("a\x1b[1;38;2;122;162;247m茶\x1b[7m!\x1b[m \x1b]0;title\x07│")
	want := []cell{
		{text: "a", x: 0, width: 1},
		{look: look{fg: "#7aa2f7", bold: true}, text: "茶", x: 1, width: 2},
		{look: look{fg: "#7aa2f7", bold: true, reversed: true}, text: "!", x: 3, width: 1},
		{text: " ", x: 4, width: 1},
		{text: "│", x: 5, width: 1},
	}
	if len(got) != len(want) {
		t.Fatalf("%+v", got)
	}
	for i := range want {
		if got[i] != want[i] {
			t.Errorf("%d: %+v, want %+v", i, got[i], want[i])
		}
	}
}

// An image is whole XML, its text is where it was, and equal screens are equal images.
func TestSVG(t *testing.T) {
	s := Screen{
		Title: "a <screen>", Width: 12, Dark: true, Cursor: image.Pt(3, 1),
		Lines: []string{"━━━┬──── a&b", "\x1b[31m█▌\x1b[0m 喝茶 👍 x"},
	}
	got := string(SVG(s))
	for d := xml.NewDecoder(strings.NewReader(got)); ; {
		if _, err := d.Token(); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatalf("%v\n%s", err, got)
		}
	}
	for _, want := range []string{
		"<title>a &lt;screen&gt;</title>", ">a&amp;b</text>",
		`<text x="36.1 52.9" y="41.5" class="wide">喝茶</text>`,
		`<rect x="10" y="17.8" width="25.2" height="2.4" fill="#c0caf5"/>`, // ━━━ in one piece
	} {
		if !strings.Contains(got, want) {
			t.Errorf("no %s in\n%s", want, got)
		}
	}
	if again := string(SVG(s)); again != got {
		t.Error("the same screen is another image")
	}
}
