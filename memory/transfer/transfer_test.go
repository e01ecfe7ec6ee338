package transfer

import (
	"archive/zip"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// contents is what an archive holds, by name.
type contents map[string][]string

var example = contents{
	"agents/luna/items.jsonl":        {`{"content":"Drinks green tea."}`, `{"content":"喜欢陶艺。"}`},
	"agents/luna/records.jsonl":      {`{"content":"` + strings.Repeat("long ", 1000) + `"}`},
	"agents/luna/journal/memory.md":  {"# Luna", "", "- green tea"},
	"agents/luna/journal/2026-11.md": {},
}

// write returns an archive of c.
func write(t *testing.T, c contents) []byte {
	t.Helper()
	var out bytes.Buffer
	w := NewWriter(&out, Manifest{ExportedAt: time.Date(2026, 11, 25, 12, 0, 0, 0, time.UTC), Agents: []Agent{{ID: "luna"}}})
	for _, name := range names(c) {
		if strings.HasSuffix(name, ".md") {
			if err := w.File(name, strings.NewReader(strings.Join(c[name], "\n"))); err != nil {
				t.Fatal(err)
			}
			continue
		}
		line, err := w.Lines(name)
		for _, l := range c[name] {
			err = errors.Join(err, line(json.RawMessage(l)))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func names(c contents) []string {
	var names []string
	for name := range c {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// read opens, verifies and reads an archive.
func read(t *testing.T, file []byte, secret Secret, l Limits) (contents, error) {
	t.Helper()
	name := filepath.Join(t.TempDir(), "export")
	if err := os.WriteFile(name, file, 0o600); err != nil {
		t.Fatal(err)
	}
	a, err := Open(name, secret, l)
	if err != nil {
		return nil, err
	}
	defer a.Close()
	if err := a.Verify(t.Context(), nil); err != nil {
		return nil, err
	}
	c := contents{}
	for name := range a.Names("") {
		if strings.HasSuffix(name, ".md") {
			r, err := a.Open(t.Context(), name)
			if err != nil {
				return nil, err
			}
			text, err := io.ReadAll(r)
			if err != nil {
				return nil, err
			}
			c[name] = slices.DeleteFunc(strings.Split(string(text), "\n"), func(s string) bool { return len(text) == 0 })
			continue
		}
		c[name] = []string{}
		for line, err := range a.Lines(t.Context(), name) {
			if err != nil {
				return nil, err
			}
			c[name] = append(c[name], string(line))
		}
	}
	return c, nil
}

func equal(a, b contents) bool {
	return slices.Equal(names(a), names(b)) && !slices.ContainsFunc(names(a), func(n string) bool { return !slices.Equal(a[n], b[n]) })
}

// TestRoundTrip checks that an archive returns what was written, and that writing is
// deterministic (D1).
func TestRoundTrip(t *testing.T) {
	file := write(t, example)
	got, err := read(t, file, nil, Limits{})
	if err != nil || !equal(got, example) {
		t.Errorf("read %v, %v", names(got), err)
	}
	if again := write(t, example); !bytes.Equal(file, again) {
		t.Error("two archives of the same contents differ")
	}
}

// TestDamage flips bytes and cuts archives: what is read without an error is what was
// written.
func TestDamage(t *testing.T) {
	file := write(t, example)
	random := rand.New(rand.NewPCG(1, 2))
	for range 500 {
		damaged := slices.Clone(file)
		if at := random.IntN(len(damaged)); random.IntN(4) == 0 {
			damaged = damaged[:at]
		} else {
			damaged[at] ^= 1 << random.IntN(8)
		}
		got, err := read(t, damaged, nil, Limits{})
		if err == nil && !equal(got, example) {
			t.Fatal("a damaged archive was read as a whole one, with other contents")
		}
		if err != nil && !errors.Is(err, ErrDamaged) && !errors.Is(err, ErrFormat) && !errors.Is(err, ErrVersion) {
			t.Fatalf("the error of a damaged archive is %v", err)
		}
	}
}

// TestEncrypted checks passphrases and recipients, and that no word is readable.
func TestEncrypted(t *testing.T) {
	plain := write(t, example)
	var out bytes.Buffer
	w, err := Encryption{Passphrase: "correct horse", work: 10}.Writer(&out)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.Write(plain); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	phrase := func(s string) Secret { return Passphrase(func() (string, error) { return s, nil }) }
	if got, err := read(t, out.Bytes(), phrase("correct horse"), Limits{}); err != nil || !equal(got, example) {
		t.Errorf("with the passphrase: %v", err)
	}
	if _, err := read(t, out.Bytes(), phrase("wrong horse"), Limits{}); !errors.Is(err, ErrSecret) {
		t.Errorf("with a wrong passphrase: %v", err)
	}
	if _, err := read(t, out.Bytes(), nil, Limits{}); !errors.Is(err, ErrEncrypted) {
		t.Errorf("without a passphrase: %v", err)
	}
	if bytes.Contains(out.Bytes(), []byte("luna")) {
		t.Error("a name is readable in the encrypted archive")
	}
}

// TestHostile checks archives that no program of ours wrote.
func TestHostile(t *testing.T) {
	manifest := func(files string) string {
		return `{"format":"memoria-export","version":1,"files":[` + files + `]}`
	}
	for name, tt := range map[string]struct {
		files map[string]string
		want  error
	}{
		"no manifest":  {map[string]string{"a": "b"}, ErrFormat},
		"other format": {map[string]string{"manifest.json": `{"format":"x"}`}, ErrFormat},
		"newer":        {map[string]string{"manifest.json": `{"format":"memoria-export","version":2}`}, ErrVersion},
		"no JSON":      {map[string]string{"manifest.json": `{`}, ErrDamaged},
		"unlisted":     {map[string]string{"manifest.json": manifest(""), "a": "b"}, ErrDamaged},
		"missing":      {map[string]string{"manifest.json": manifest(`{"name":"a","size":1}`)}, ErrDamaged},
		"outside":      {map[string]string{"manifest.json": manifest(`{"name":"../a","size":1}`), "../a": "b"}, ErrDamaged},
		"absolute":     {map[string]string{"manifest.json": manifest(`{"name":"/a","size":1}`), "/a": "b"}, ErrDamaged},
		"checksum":     {map[string]string{"manifest.json": manifest(`{"name":"a","size":1}`), "a": "b"}, ErrDamaged},
		"bomb": {map[string]string{"manifest.json": manifest(`{"name":"a","size":2000000}`), "a": strings.Repeat("0", 2_000_000)},
			ErrLarge},
	} {
		var out bytes.Buffer
		z := zip.NewWriter(&out)
		for name, text := range tt.files {
			f, err := z.Create(name)
			if err != nil {
				t.Fatal(err)
			}
			_, _ = f.Write([]byte(text))
		}
		if err := z.Close(); err != nil {
			t.Fatal(err)
		}
		if _, err := read(t, out.Bytes(), nil, Limits{Total: 1 << 20}); !errors.Is(err, tt.want) {
			t.Errorf("%s: the error is %v, want %v", name, err, tt.want)
		}
	}
	if _, err := read(t, []byte("hello"), nil, Limits{}); !errors.Is(err, ErrFormat) {
		t.Errorf("a text: %v", err)
	}
}

// TestCancelled checks that reading ends with its context.
func TestCancelled(t *testing.T) {
	name := filepath.Join(t.TempDir(), "export")
	if err := os.WriteFile(name, write(t, example), 0o600); err != nil {
		t.Fatal(err)
	}
	a, err := Open(name, nil, Limits{})
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := a.Verify(ctx, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("the error is %v", err)
	}
}
