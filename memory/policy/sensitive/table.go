package sensitive

import (
	"embed"
	"fmt"
	"io/fs"
	"regexp/syntax"
	"slices"
	"strings"
	"sync"

	"memoria/memory/pattern"
)

//go:embed data/*.txt
var data embed.FS

// anyClass is the section of exceptions for all classes.
const anyClass = "any"

// table is the parsed content of the files.
type table struct {
	classes []string
	phrases map[string][]phrase // by initial letters; see initial
	except  map[string][]phrase
	numbers []expression
	lists   map[string][]string // of the last file
}

// A phrase is a sequence of parts, of one class.
type phrase struct {
	class int // index into classes; -1 is any
	parts []part
}

// part is one element of a phrase.
type part struct {
	op       op
	words    [][]string // for opWords: alternatives of one or more words; a word may end in *
	optional bool
}

type op byte

const (
	opWords op = iota
	opGap      // a few other words
	opNumber
	opStart // the beginning of a sentence
	opRest  // everything to the end of the clause
)

// expression is a line with a regular expression.
type expression struct {
	class int
	re    pattern.Pattern
	check string // see secrets.txt
}

// theTable returns the parsed embedded files. It panics on a fault, which a test excludes.
var theTable = sync.OnceValue(func() *table {
	t, err := read(data)
	if err != nil {
		panic("sensitive: " + err.Error())
	}
	return t
})

func newTable() *table { return &table{phrases: map[string][]phrase{}, except: map[string][]phrase{}} }

// read parses all files of a table.
func read(files fs.FS) (*table, error) {
	t := newTable()
	names, err := fs.Glob(files, "data/*.txt")
	if err != nil {
		return nil, err
	}
	for _, name := range names {
		b, err := fs.ReadFile(files, name)
		if err != nil {
			return nil, err
		}
		if err := t.file(string(b)); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
	}
	return t, nil
}

// file adds one file to the table.
func (t *table) file(s string) error {
	t.lists = listsOf(s)
	class, begun := -1, false
	n := 0
	for line := range strings.Lines(s) {
		n++
		line = strings.TrimSpace(line)
		name, ok := strings.CutPrefix(line, "[")
		switch {
		case line == "" || line[0] == '#' || line[0] == '@' && strings.Contains(line, " = "):
			continue
		case ok:
			class, begun = t.class(strings.TrimSuffix(name, "]")), true
			continue
		case !begun:
			return fmt.Errorf("line %d: no class begins before it", n)
		}
		if err := t.line(line, class, t.lists); err != nil {
			return fmt.Errorf("line %d: %w", n, err)
		}
	}
	return nil
}

// listsOf returns the lists of a file by name; all lines of one name form one list.
func listsOf(s string) map[string][]string {
	lists := map[string][]string{}
	for line := range strings.Lines(s) {
		name, words, ok := strings.Cut(strings.TrimSpace(line), " = ")
		if ok && name != "" && name[0] == '@' {
			lists[name] = append(lists[name], split(words)...)
		}
	}
	return lists
}

// class returns the index of a class, adding it if new.
func (t *table) class(name string) int {
	if name == anyClass {
		return -1
	}
	for i, c := range t.classes {
		if c == name {
			return i
		}
	}
	t.classes = append(t.classes, name)
	return len(t.classes) - 1
}

func (t *table) line(line string, class int, lists map[string][]string) error {
	if rest, ok := strings.CutPrefix(line, "~"); ok {
		check, expr, _ := strings.Cut(rest, " ")
		expr = withLists(strings.TrimSpace(expr), lists)
		t.numbers = append(t.numbers, expression{class: class, re: pattern.Regexp(expr), check: check})
		_, err := syntax.Parse(expr, syntax.Perl)
		return err
	}
	to := t.phrases
	if rest, ok := strings.CutPrefix(line, "- "); ok {
		to, line = t.except, rest
	} else if class < 0 {
		return fmt.Errorf("[%s] holds exceptions only", anyClass)
	}
	for _, words := range split(line) {
		p := phrase{class: class}
		for _, w := range strings.Fields(words) {
			one, err := partOf(w, lists)
			if err != nil {
				return err
			}
			p.parts = append(p.parts, one)
		}
		begins, err := p.begins()
		if err != nil {
			return fmt.Errorf("%q: %w", words, err)
		}
		for _, r := range begins {
			to[r] = append(to[r], p)
		}
	}
	return nil
}

// withLists inserts the words of lists into an expression.
func withLists(expr string, lists map[string][]string) string {
	for name, words := range lists {
		expr = strings.ReplaceAll(expr, "{"+name[1:]+"}", "(?:"+strings.Join(words, "|")+")")
	}
	return expr
}

// split splits a line at its commas.
func split(line string) (out []string) {
	for w := range strings.FieldsFuncSeq(line, func(r rune) bool { return r == ',' || r == '，' || r == '、' }) {
		if w = strings.TrimSpace(w); w != "" {
			out = append(out, w)
		}
	}
	return out
}

// partOf parses one element of a phrase.
func partOf(w string, lists map[string][]string) (part, error) {
	inner, open := strings.CutPrefix(w, "(")
	if open {
		w = strings.TrimSuffix(inner, ")")
	}
	p := part{optional: open}
	switch w {
	case "...":
		p.op = opGap
	case "<n>":
		p.op = opNumber
	case "^":
		p.op = opStart
	case ">":
		p.op = opRest
	default:
		for one := range strings.SplitSeq(w, "/") {
			if list, ok := lists[one]; ok {
				for _, words := range list {
					p.words = append(p.words, wordsOf(words))
				}
			} else if strings.HasPrefix(one, "@") && len(one) > 1 {
				return p, fmt.Errorf("there is no list %s", one)
			} else {
				p.words = append(p.words, wordsOf(one))
			}
		}
	}
	return p, nil
}

// wordsOf splits words like a text; a final * stays.
func wordsOf(s string) (out []string) {
	for _, t := range tokens(s) {
		if t.word == "*" && len(out) > 0 {
			out[len(out)-1] += "*"
			continue
		}
		out = append(out, t.word)
	}
	return out
}

// anyNumber is the index of phrases that begin with a digit, or with any number.
const anyNumber = "0"

// initial returns the index of a phrase by its first word: its first letters, at most three bytes.
func initial(word string) string {
	if word != "" && word[0] >= '0' && word[0] <= '9' {
		return anyNumber
	}
	return word[:min(len(word), len("abc"))]
}

// begins returns the indexes of a phrase.
func (p phrase) begins() (out []string, err error) {
	for _, one := range p.parts {
		switch one.op {
		case opWords:
			for _, words := range one.words {
				if len(words) == 0 || words[0] == "" {
					return nil, fmt.Errorf("it has an empty word")
				}
				if begin, open := strings.CutSuffix(words[0], "*"); open && len(begin) < len("abc") {
					return nil, fmt.Errorf("%s is too short", words[0])
				}
				out = append(out, initial(words[0]))
			}
		case opNumber:
			out = append(out, anyNumber)
		case opStart:
			continue
		default:
			return nil, fmt.Errorf("it does not begin with a word")
		}
		if !one.optional {
			slices.Sort(out)
			return slices.Compact(out), nil
		}
	}
	return nil, fmt.Errorf("it has no word")
}
