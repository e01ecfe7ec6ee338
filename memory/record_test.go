package memory

import "testing"

// R1, W3: what is looked up is what was typed; where all of it was pasted or came
// through a pipe, it is all of it. Nothing of that is taken for typed.
func TestAskedAndTyped(t *testing.T) {
	span := func(offset, length int) []Span {
		return []Span{{Offset: offset, Length: length, Kind: SpanPasted}}
	}
	for _, tt := range []struct {
		content      string
		spans        []Span
		typed, asked string
	}{
		{"我喜欢茶", nil, "我喜欢茶", "我喜欢茶"},
		{"what is this: 茶", span(14, 3), "what is this:    ", "what is this:    "},
		{"茶 or tea", span(0, 10), "          ", "茶 or tea"},
		{"a\nb", span(0, 3), " \n ", "a\nb"},
		{"short", span(2, 100), "sh   ", "sh   "},
	} {
		r := Record{Content: tt.content, Spans: tt.spans}
		if got := r.Typed(); got != tt.typed {
			t.Errorf("%q: typed %q, want %q", tt.content, got, tt.typed)
		}
		if got := r.Asked(); got != tt.asked {
			t.Errorf("%q: asked %q, want %q", tt.content, got, tt.asked)
		}
	}
}
