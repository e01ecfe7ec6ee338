package classify_test

import (
	"bytes"
	"errors"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"memoria/memory/classify"
)

// toy are examples of two writers: what is to go, and what is not.
var toy = []classify.Example{
	{Text: "please delete the cat", Class: "forget", Writer: "a"}, {Text: "delete my job", Class: "forget", Writer: "a"},
	{Text: "把猫删掉", Class: "forget", Writer: "a"}, {Text: "I have a cat", Class: "none", Writer: "a"},
	{Text: "my job is fun", Class: "none", Writer: "a"}, {Text: "我有一只猫", Class: "none", Writer: "a"},
	{Text: "get rid of my car", Class: "forget", Writer: "b"}, {Text: "please delete the dog", Class: "forget", Writer: "b"},
	{Text: "把狗删掉", Class: "forget", Writer: "b"}, {Text: "I have a dog", Class: "none", Writer: "b"},
	{Text: "my car is red", Class: "none", Writer: "b"}, {Text: "我有一条狗", Class: "none", Writer: "b"},
}

func lexicon(t testing.TB, text string) *classify.Lexicon {
	t.Helper()
	l, err := classify.ReadLexicon(strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// P6: a model tells what it was taught, also with words that only its lexicon knows, and its probabilities add up.
func TestTrain(t *testing.T) {
	l := lexicon(t, "# groups\ndelete: delete | get rid of\n | 删 | 删掉 | erase\n")
	m := classify.Train(toy, l)
	for text, want := range map[string]string{
		"please delete my house": "forget", "please erase the cat": "forget", "erased the cat, please": "forget", "把房子删掉": "forget",
		"I have a house": "none", "我有房子": "none",
	} {
		p := m.Probabilities(text)
		if got := classify.Best(p); got != want {
			t.Errorf("%q is %s, want %s: %v", text, got, want, p)
		}
		if sum := p["forget"] + p["none"]; math.Abs(sum-1) > 1e-9 {
			t.Errorf("%q: the probabilities add up to %v", text, sum)
		}
	}
	if got := classify.Best(m.Probabilities("please delete the cat"), "forget"); got != "none" {
		t.Errorf("but for forget it is %s", got)
	}
}

// A model that was written and read again says the same, and training again makes the same model.
func TestWriteAndRead(t *testing.T) {
	m := classify.Train(toy, nil)
	var first, second bytes.Buffer
	if err := m.Write(&first); err != nil {
		t.Fatal(err)
	}
	if err := classify.Train(toy, nil).Write(&second); err != nil || first.String() != second.String() {
		t.Errorf("trained twice: %v\n%s\n%s", err, first.String(), second.String())
	}
	again, err := classify.Parse(first.String(), nil)
	if err := errors.Join(err, m.Check()); err != nil {
		t.Fatal(err)
	}
	for _, e := range toy {
		if a, b := m.Probabilities(e.Text)["forget"], again.Probabilities(e.Text)["forget"]; a != b {
			t.Errorf("%q: %v, read again %v", e.Text, a, b)
		}
	}
}

// Signs count like words of the text.
func TestSigns(t *testing.T) {
	var examples []classify.Example
	for range 5 {
		examples = append(examples, classify.Example{Text: "so it is", Class: "yes", Signs: []string{"sure"}}, classify.Example{Text: "so it is", Class: "no"})
	}
	m := classify.Train(examples, nil)
	if with, without := m.Probabilities("so it is", "sure")["yes"], m.Probabilities("so it is")["yes"]; with < 0.9 || without > 0.6 {
		t.Errorf("with the sign %v, without %v", with, without)
	}
}

// Each writer is judged by the others.
func TestCrossValidate(t *testing.T) {
	all := classify.CrossValidate(toy, lexicon(t, "delete: delete | get rid of | 删掉\n"))
	if len(all) != len(toy) {
		t.Fatalf("%d judged, want %d", len(all), len(toy))
	}
	var out bytes.Buffer
	if err := classify.PrintAlarms(&out, all, "none"); err != nil || !strings.Contains(out.String(), "of 6 alarms") {
		t.Errorf("printed %q, %v", out.String(), err)
	}
	if got := classify.CrossValidate(toy[:6], nil); got != nil {
		t.Errorf("one writer is judged by nobody: %v", got)
	}
}

func TestCommand(t *testing.T) {
	dir := t.TempDir()
	in, out := filepath.Join(dir, "in.jsonl"), filepath.Join(dir, "model.txt")
	if err := os.WriteFile(in, []byte(strings.Repeat(`{"text":"delete it","class":"forget","writer":"a"}`+"\n"+
		`{"text":"delete it","class":"forget","writer":"b"}`+"\n"+`{"text":"hello","class":"none","writer":"a"}`+"\n"+
		`{"text":"hello","class":"none","writer":"b"}`+"\n", 2)), 0o600); err != nil {
		t.Fatal(err)
	}
	c := classify.Command{Load: classify.ReadExamples, None: "none"}
	var said bytes.Buffer
	if err := c.Run([]string{in}, &said); err != nil || !strings.Contains(said.String(), "8 examples") {
		t.Errorf("%q, %v", said.String(), err)
	}
	if err := c.Run([]string{"-o", out, in}, &said); err != nil {
		t.Fatal(err)
	}
	b, err := os.ReadFile(out)
	if err != nil || !strings.HasPrefix(string(b), "classes forget none\n") {
		t.Errorf("wrote %q, %v", b, err)
	}
	said.Reset()
	if err := c.Run([]string{"-top", "1", in}, &said); err != nil || !strings.Contains(said.String(), "forget\n  ") {
		t.Errorf("the strongest features: %q, %v", said.String(), err)
	}
	if err := c.Run([]string{filepath.Join(dir, "missing")}, &said); err == nil {
		t.Error("no error for a missing file")
	}
	if err := os.WriteFile(in, []byte("{\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := c.Run([]string{in}, &said); err == nil || !strings.Contains(err.Error(), "line 1") {
		t.Errorf("a broken line: %v", err)
	}
}

func TestBrokenFiles(t *testing.T) {
	for _, text := range []string{"", "classes a\n", "x\t1 2\n"} {
		if _, err := classify.Parse(text, nil); err == nil {
			t.Errorf("%q is no model, and was read", text)
		}
	}
	for _, rows := range []string{"", "x\n", "x\t1\n", "x\t1 y\n", "x\tNaN 1\n", "x\t1 2\nx\t1 2\n", "y\t1 2\nx\t1 2\n"} {
		if m, err := classify.Parse("classes a b\n"+rows, nil); err != nil || m.Check() == nil {
			t.Errorf("%q are no rows of a model: %v, and not found", rows, err)
		}
	}
	for _, text := range []string{"delete\n", " delete\n", "a b: c\n"} {
		if _, err := classify.ReadLexicon(strings.NewReader(text)); err == nil {
			t.Errorf("%q is no lexicon, and was read", text)
		}
	}
}

// Whatever the text, reading it ends, no feature comes twice, and blanks around it change nothing.
func FuzzFeatures(f *testing.F) {
	for _, s := range []string{"", "delete  my cat", "把猫删掉", "a\x00b\xff", "ｆｕｌｌ　ｗｉｄｔｈ", "1,234.5 °C", "𝔘𝔫𝔦", "it's\nme"} {
		f.Add(s)
	}
	l := lexicon(f, "delete: delete | get rid of | 删掉\n")
	f.Fuzz(func(t *testing.T, s string) {
		got := classify.Features(s, l)
		seen := map[string]bool{}
		for _, feature := range got {
			if seen[feature] || feature == "" {
				t.Errorf("%q: feature %q twice or empty", s, feature)
			}
			seen[feature] = true
		}
		if utf8.ValidString(s) && !slices.Equal(got, classify.Features("  "+s+"  ", l)) {
			t.Errorf("%q: blanks around it change its features", s)
		}
	})
}

// The models of the program are what a training wrote.
func TestModels(t *testing.T) {
	for _, path := range []string{"policy/data/messages.txt", "policy/data/pieces.txt", "instruct/data/model.txt"} {
		text, err := os.ReadFile(filepath.Join("..", path))
		if err != nil {
			t.Fatal(err)
		}
		m, err := classify.Parse(string(text), nil)
		if err != nil {
			t.Fatalf("%s: %v", path, err)
		}
		if err := m.Check(); err != nil {
			t.Errorf("%s: %v", path, err)
		}
	}
}

// Whatever the file, reading it ends with a model or an error.
func FuzzParse(f *testing.F) {
	f.Add("classes a b\nx\t1.50 -1.00\ny\t0 0.70\n", "delete: delete | 删掉\n")
	f.Fuzz(func(t *testing.T, model, words string) {
		l, err := classify.ReadLexicon(strings.NewReader(words))
		if err != nil {
			l = nil
		}
		if m, err := classify.Parse(model, l); err == nil {
			m.Probabilities("delete x and 删掉 y")
			if m.Check() == nil {
				if err := m.Strongest(io.Discard, 3); err != nil {
					t.Error(err)
				}
			}
		}
	})
}
