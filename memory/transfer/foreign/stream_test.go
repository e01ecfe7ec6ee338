package foreign

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"
)

// FuzzElements compares the elements with those that encoding/json finds (D1).
func FuzzElements(f *testing.F) {
	for _, s := range []string{
		`[]`, `[ ]`, `[1]`, `[{"a":[1,2]}, {"b":"],["}]`, `["\"]", "\\"]`, ` [ null , true ]`, `[{"汉":"字"}]`,
		`{`, ``, `[`, `[{]`, `[1,]`, `x`, `[1] 2`,
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		var want []json.RawMessage
		valid := json.Unmarshal(data, &want) == nil && want != nil
		var got [][]byte
		var err error
		for e, fault := range elements(bytes.NewReader(data), 1<<20) {
			if err = fault; err == nil {
				got = append(got, bytes.TrimSpace(slices.Clone(e)))
			}
		}
		if !valid {
			return
		}
		if err != nil || len(got) != len(want) {
			t.Fatalf("elements(%q) = %q, %v; want %q", data, got, err, want)
		}
		for i := range want {
			if !bytes.Equal(got[i], want[i]) {
				t.Fatalf("element %d of %q = %q, want %q", i, data, got[i], want[i])
			}
		}
	})
}

// TestElementsLimit checks that a large element is skipped and the next one is whole.
func TestElementsLimit(t *testing.T) {
	data := `[1, "` + strings.Repeat("x", 100) + `", 3]`
	var got []string
	for e, err := range elements(strings.NewReader(data), 10) {
		if errors.Is(err, errTooLarge) {
			got = append(got, "too large")
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, string(e))
	}
	if want := []string{"1", "too large", "3"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestElementsTruncated checks that what is complete comes before the error.
func TestElementsTruncated(t *testing.T) {
	var got []string
	var last error
	for e, err := range elements(strings.NewReader(`[{"a":1},{"b":`), 100) {
		if last = err; err == nil {
			got = append(got, string(e))
		}
	}
	if !errors.Is(last, io.ErrUnexpectedEOF) || !slices.Equal(got, []string{`{"a":1}`}) {
		t.Errorf("got %q and %v", got, last)
	}
}
