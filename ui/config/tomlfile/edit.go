package tomlfile

import (
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"

	"github.com/BurntSushi/toml"
)

// ErrEdit means that a text cannot be changed as it was asked for without changing
// what else it says. It holds no words of the text.
var ErrEdit = errors.New("the setting cannot be changed in place")

// Edit returns a TOML text in which a setting has a value, and which is otherwise
// as it was. key is its path, value is written as in TOML, on one line; an empty
// value takes the setting out. The error says what is wrong with text or value, or
// is an [ErrEdit]. Taking out what is not there changes nothing.
func Edit(text string, key []string, value string) (string, error) {
	before, err := parse(text)
	if err != nil {
		return "", err
	}
	var wanted map[string]any
	if value != "" {
		if wanted, err = parse("x = " + value); err != nil || len(wanted) != 1 || strings.ContainsAny(value, "\r\n") {
			return "", fmt.Errorf("%q is no value: %w", value, ErrEdit)
		}
	}
	d, err := scan(text)
	if err != nil {
		return "", err
	}
	out := d.edit(key, value)
	after, err := parse(out)
	if err != nil {
		return "", fmt.Errorf("%w: %s", ErrEdit, strings.Join(key, "."))
	}
	if !place(before, key, wanted) || !same(before, after) {
		return "", fmt.Errorf("%w: %s", ErrEdit, strings.Join(key, "."))
	}
	return out, nil
}

func parse(text string) (map[string]any, error) {
	var all map[string]any
	if _, err := toml.Decode(text, &all); err != nil {
		return nil, err
	}
	if all == nil {
		all = map[string]any{}
	}
	return all, nil
}

// place makes the change in what was parsed; false when the path leads through
// something that is no table.
func place(all map[string]any, key []string, wanted map[string]any) bool {
	last := len(key) - 1
	for _, name := range key[:last] {
		below, ok := all[name].(map[string]any)
		switch {
		case ok:
		case all[name] != nil:
			return false
		case wanted == nil:
			return true
		default:
			below = map[string]any{}
			all[name] = below
		}
		all = below
	}
	if wanted == nil {
		delete(all, key[last])
	} else {
		all[key[last]] = wanted["x"]
	}
	return true
}

// empty reports whether a value is missing, or a table that holds nothing.
func empty(v any) bool {
	table, ok := v.(map[string]any)
	for _, below := range table {
		ok = ok && empty(below)
	}
	return v == nil || ok
}

// same compares what was parsed. An empty table is as good as none.
func same(a, b any) bool {
	if empty(a) || empty(b) {
		return empty(a) && empty(b)
	}
	switch a := a.(type) {
	case map[string]any:
		b, ok := b.(map[string]any)
		for name := range a {
			ok = ok && same(a[name], b[name])
		}
		for name := range b {
			ok = ok && (a[name] != nil || empty(b[name]))
		}
		return ok
	case []map[string]any:
		b, ok := b.([]map[string]any)
		return ok && slices.EqualFunc(a, b, func(x, y map[string]any) bool { return same(x, y) })
	case []any:
		b, ok := b.([]any)
		return ok && slices.EqualFunc(a, b, same)
	case float64:
		f, ok := b.(float64)
		return ok && (a == f || math.IsNaN(a) && math.IsNaN(f))
	}
	return reflect.DeepEqual(a, b)
}

// edit makes the change in the text.
func (d document) edit(key []string, value string) string {
	i := slices.IndexFunc(d.entries, func(e entry) bool { return slices.Equal(e.path, key) && !d.sections[e.in].array })
	switch {
	case i >= 0 && value == "":
		return d.without(d.entries[i])
	case i >= 0:
		return d.replaced(d.entries[i], value)
	case value == "":
		return d.text
	}
	return d.with(key, value)
}

// replaced gives a setting another value.
func (d document) replaced(e entry, value string) string {
	lines := d.lifted(comments(d.text[e.value.from:e.value.to]), e)
	at := d.above(e)
	return d.text[:at] + lines + d.text[at:e.value.from] + value + d.text[e.value.to:]
}

// above is the beginning of the line that a setting stands on, or that the inline
// table around it begins on.
func (d document) above(e entry) int {
	at := e.whole.from
	for _, t := range d.tables {
		if t.whole.from <= at && e.whole.to <= t.whole.to {
			at = min(at, t.whole.from)
		}
	}
	return lineStart(d.text, at)
}

// lifted are comments as lines of their own, indented like the setting.
func (d document) lifted(found []string, e entry) string {
	var b strings.Builder
	from := d.above(e)
	rest := d.text[from:]
	indent := rest[:len(rest)-len(strings.TrimLeft(rest, " \t"))]
	for _, c := range found {
		b.WriteString(indent + c + d.end())
	}
	return b.String()
}

// end is how the text ends its lines.
func (d document) end() string {
	if n := strings.IndexByte(d.text, '\n'); n > 0 && d.text[n-1] == '\r' {
		return "\r\n"
	}
	return "\n"
}

// without takes a setting out, and keeps its comments.
func (d document) without(e entry) string {
	found := comments(d.text[e.value.from:e.value.to])
	if e.table != nil {
		cut := d.around(e)
		lines, at := d.lifted(found, e), d.above(e)
		return d.text[:at] + lines + d.text[at:cut.from] + d.text[cut.to:]
	}
	from := lineStart(d.text, e.whole.from)
	s := scanner{document: d, at: e.whole.to}
	s.line()
	if behind := strings.TrimSpace(d.text[e.whole.to:s.at]); behind != "" {
		found = append(found, behind)
	}
	return d.text[:from] + d.lifted(found, e) + d.text[min(s.at+1, len(d.text)):]
}

// around is what has to go with a setting of an inline table: itself and one comma.
func (d document) around(e entry) span {
	s := scanner{document: d, at: e.whole.to}
	s.space()
	if s.take(",") {
		s.space()
		return span{e.whole.from, s.at}
	}
	left := strings.TrimRight(d.text[:e.whole.from], " \t\r\n")
	if strings.HasSuffix(left, ",") {
		return span{len(left) - 1, e.whole.to}
	}
	return e.whole
}

// with adds a setting where its table is.
func (d document) with(key []string, value string) string {
	table := key[:len(key)-1]
	for _, t := range d.tables {
		if len(t.path) < len(key) && slices.Equal(t.path, key[:len(t.path)]) && !d.sections[t.in].array {
			return d.inInline(t, key[len(t.path):], value)
		}
	}
	if at := d.section(table); at >= 0 {
		return d.inSection(at, written(key[len(table):])+" = "+value)
	}
	// A table that only dotted keys made can have no header.
	for i := len(d.entries) - 1; i >= 0; i-- {
		e := d.entries[i]
		head := d.sections[e.in].path
		if e.table == nil && len(e.path) > len(table) && len(head) < len(table) && slices.Equal(e.path[:len(table)], table) {
			return d.behind(e, written(key[len(head):])+" = "+value)
		}
	}
	end := d.end()
	out := d.text
	if out != "" && !strings.HasSuffix(out, "\n") {
		out += end
	}
	if strings.TrimSpace(strings.TrimPrefix(out, "\ufeff")) != "" {
		out += end
	}
	return out + "[" + written(table) + "]" + end + written(key[len(table):]) + " = " + value + end
}

// section is the place of a table's own section; -1 when it has none.
func (d document) section(table []string) int {
	return slices.IndexFunc(d.sections, func(s section) bool { return !s.array && slices.Equal(s.path, table) })
}

// inSection adds a line behind the last setting of a section, or else behind its
// header.
func (d document) inSection(at int, line string) string {
	if last, ok := d.last(at); ok {
		return d.behind(last, line)
	}
	if at > 0 {
		return d.insert(d.sections[at].header.to, line)
	}
	return d.first(line)
}

// last is the setting of a section that stands behind all others.
func (d document) last(at int) (last entry, ok bool) {
	for _, e := range append(slices.Clone(d.entries), d.tables...) {
		if e.in == at && e.table == nil && (!ok || e.whole.from > last.whole.from) {
			last, ok = e, true
		}
	}
	return last, ok
}

// first adds the first setting that stands before all headers: above the first of
// them and the comment that belongs to it.
func (d document) first(line string) string {
	if len(d.sections) == 1 {
		return d.insert(len(d.text), line)
	}
	at := d.sections[1].header.from
	for at > 0 {
		above := lineStart(d.text, at-1)
		if !strings.HasPrefix(strings.TrimSpace(d.text[above:at]), "#") {
			break
		}
		at = above
	}
	if at == 0 && strings.HasPrefix(d.text, "\ufeff") {
		at = len("\ufeff")
	}
	return d.insert(at, line+d.end())
}

// behind adds a line behind the one that a setting ends on, indented like it.
func (d document) behind(e entry, line string) string {
	s := scanner{document: d, at: e.whole.to}
	s.line()
	from := lineStart(d.text, e.whole.from)
	indent := d.text[from : from+len(d.text[from:e.whole.from])-len(strings.TrimLeft(d.text[from:e.whole.from], " \t\ufeff"))]
	return d.insert(min(s.at+1, len(d.text)), strings.TrimPrefix(indent, "\ufeff")+line)
}

// insert adds a line at the beginning of another, or at the end of the text.
func (d document) insert(at int, line string) string {
	before := d.text[:at]
	if before != "" && before != "\ufeff" && !strings.HasSuffix(before, "\n") {
		before += d.end()
	}
	return before + line + d.end() + d.text[at:]
}

// inInline adds a setting at the end of an inline table.
func (d document) inInline(t entry, key []string, value string) string {
	line := written(key) + " = " + value
	last, ok := entry{}, false
	for _, e := range append(slices.Clone(d.entries), d.tables...) {
		if e.table != nil && e.table.from == t.value.from && (!ok || e.whole.from > last.whole.from) {
			last, ok = e, true
		}
	}
	if !ok {
		return d.text[:t.value.from+1] + " " + line + " " + d.text[t.value.from+1:]
	}
	return d.text[:last.whole.to] + ", " + line + d.text[last.whole.to:]
}

// written is a path as a key.
func written(path []string) string { return toml.Key(path).String() }
