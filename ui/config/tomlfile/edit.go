package tomlfile

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/BurntSushi/toml"
)

// ErrEdit means that a text cannot be changed as requested without changing what else
// it says. It holds no words of the text.
var ErrEdit = errors.New("the setting cannot be changed in place")

// Edit returns a TOML text in which a setting has a value, and which is otherwise as it
// was. key is its path. value is written as in TOML, on one line; an empty value removes
// the setting. Removing a missing setting changes nothing. The error says what is wrong
// with text or value, or is an [ErrEdit].
func Edit(text string, key []string, value string) (string, error) {
	wanted, err := parse(text)
	if err != nil {
		return "", err
	}
	remove(wanted, key)
	if value != "" {
		v, err := parse("x = " + value)
		if _, ok := v["x"]; !ok || err != nil || len(v) != 1 || strings.ContainsAny(value, "\r\n") {
			return "", fmt.Errorf("%q is no value: %w", value, ErrEdit)
		}
		wanted[toml.Key(key).String()] = v["x"]
	}
	rest, marked := strings.CutPrefix(text, "\ufeff")
	out := scan(rest).edit(key, value)
	if marked {
		out = "\ufeff" + out
	}
	if after, err := parse(out); err != nil || !maps.Equal(wanted, after) {
		return "", fmt.Errorf("%w: %s", ErrEdit, strings.Join(key, "."))
	}
	return out, nil
}

// parse returns the settings of a text by their dotted keys, with values as Go syntax. An
// empty table is the same as none.
func parse(text string) (map[string]string, error) {
	var all map[string]any
	if _, err := toml.Decode(text, &all); err != nil {
		return nil, err
	}
	out := map[string]string{}
	flatten(out, nil, all)
	return out, nil
}

func flatten(out map[string]string, path toml.Key, v any) {
	table, ok := v.(map[string]any)
	for name, below := range table {
		flatten(out, append(path[:len(path):len(path)], name), below)
	}
	if !ok {
		out[path.String()] = fmt.Sprintf("%#v", v)
	}
}

// remove removes a setting, or a table, from what was parsed.
func remove(all map[string]string, key toml.Key) {
	maps.DeleteFunc(all, func(k, _ string) bool { return k == key.String() || strings.HasPrefix(k, key.String()+".") })
}

// edit makes the change in the text.
func (d document) edit(key []string, value string) string {
	i := d.last(func(e entry) bool { return !e.inline && slices.Equal(e.path, key) })
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

// last returns the last entry that ok accepts, outside of lists of tables; -1 for none.
func (d document) last(ok func(entry) bool) int {
	for i, e := range slices.Backward(d.entries) {
		if !d.sections[e.in].array && ok(e) {
			return i
		}
	}
	return -1
}

// replaced gives a setting another value.
func (d document) replaced(e entry, value string) string {
	at := d.above(e)
	lines := d.lifted(comments(d.text[e.value.from:e.value.to]), at)
	return d.text[:at] + lines + d.text[at:e.value.from] + value + d.text[e.value.to:]
}

// above returns the beginning of the line of a setting, or of the inline table around it.
func (d document) above(e entry) int {
	for e.table >= 0 {
		e = d.entries[e.table]
	}
	return lineStart(d.text, e.whole.from)
}

// lifted returns comments as lines of their own, indented like the line at from.
func (d document) lifted(found []string, from int) string {
	var b strings.Builder
	for _, c := range found {
		b.WriteString(d.indent(from) + c + d.end())
	}
	return b.String()
}

// indent returns the indentation of the line at from.
func (d document) indent(from int) string {
	return d.text[from : len(d.text)-len(strings.TrimLeft(d.text[from:], " \t"))]
}

// end returns the end of a line in this text.
func (d document) end() string {
	if n := strings.IndexByte(d.text, '\n'); n > 0 && d.text[n-1] == '\r' {
		return "\r\n"
	}
	return "\n"
}

// without removes a setting, and keeps its comments.
func (d document) without(e entry) string {
	at, cut := d.above(e), e.whole
	found := comments(d.text[e.value.from:e.value.to])
	s := scanner{document: d, at: cut.to}
	if e.table < 0 {
		s.until("\n")
		if behind := strings.TrimSpace(d.text[cut.to:s.at]); behind != "" {
			found = append(found, behind)
		}
		cut = span{at, min(s.at+1, len(d.text))}
	} else if s.pass(" \t"); s.take(",") { // a comma goes with the setting
		s.pass(" \t")
		cut.to = s.at
	} else if before, ok := strings.CutSuffix(strings.TrimRight(d.text[:cut.from], " \t\r\n"), ","); ok {
		cut.from = len(before)
	}
	return d.text[:at] + d.lifted(found, at) + d.text[at:cut.from] + d.text[cut.to:]
}

// with adds a setting to its table.
func (d document) with(key []string, value string) string {
	table := key[:len(key)-1]
	below := func(path, head []string) bool { return len(head) <= len(path) && slices.Equal(path[:len(head)], head) }
	line := func(head []string) string { return toml.Key(key[len(head):]).String() + " = " + value }
	if i := d.last(func(e entry) bool { return e.inline && below(table, e.path) }); i >= 0 {
		return d.inInline(i, line(d.entries[i].path))
	}
	if at := slices.IndexFunc(d.sections, func(s section) bool { return !s.array && slices.Equal(s.path, table) }); at >= 0 {
		return d.inSection(at, line(table))
	}
	// A table that only dotted keys made can have no header.
	if i := d.last(func(e entry) bool {
		return e.table < 0 && below(e.path, table) && len(d.sections[e.in].path) < len(table)
	}); i >= 0 {
		return d.behind(d.entries[i], line(d.sections[d.entries[i].in].path))
	}
	header := "[" + toml.Key(table).String() + "]"
	if strings.TrimSpace(d.text) != "" {
		header = d.end() + header
	}
	return d.insert(len(d.text), header+d.end()+line(table))
}

// inSection adds a line behind the last setting of a section, or else behind its header.
// Without a header it is above the first header and the comment that belongs to it.
func (d document) inSection(n int, line string) string {
	if i := d.last(func(e entry) bool { return e.in == n && e.table < 0 }); i >= 0 {
		return d.behind(d.entries[i], line)
	}
	switch {
	case n > 0:
		return d.insert(d.sections[n].header.to, line)
	case len(d.sections) == 1:
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
	return d.insert(at, line+d.end())
}

// behind adds a line behind the one that a setting ends on, indented like it.
func (d document) behind(e entry, line string) string {
	s := scanner{document: d, at: e.whole.to}
	s.until("\n")
	return d.insert(min(s.at+1, len(d.text)), d.indent(lineStart(d.text, e.whole.from))+line)
}

// insert adds a line at the beginning of another, or at the end of the text.
func (d document) insert(at int, line string) string {
	before := d.text[:at]
	if before != "" && !strings.HasSuffix(before, "\n") {
		before += d.end()
	}
	return before + line + d.end() + d.text[at:]
}

// inInline adds a setting at the end of an inline table.
func (d document) inInline(n int, line string) string {
	if i := d.last(func(e entry) bool { return e.table == n }); i >= 0 {
		at := d.entries[i].whole.to
		return d.text[:at] + ", " + line + d.text[at:]
	}
	at := d.entries[n].value.from + 1
	return d.text[:at] + " " + line + " " + d.text[at:]
}
