package pattern

import (
	"fmt"
	"strconv"
	"strings"
)

// Block is one entry of a rule file: its first line, "KIND NAME", and the indented lines below it.
type Block struct {
	Kind, Name string
	Where      string // file and line
	Lines      []Line
}

// Line is one line of a block. Lines that are indented further were joined to it with a blank.
type Line struct {
	Text  string
	Where string
}

// Each calls read for each line of a block, with its first word and the rest, until one fails. The error names
// the line and the block.
func (b Block) Each(read func(verb, arg string) error) error {
	for _, line := range b.Lines {
		verb, arg, _ := strings.Cut(line.Text, " ")
		if err := read(verb, strings.TrimSpace(arg)); err != nil {
			return fmt.Errorf("%s: %s %s: %w", line.Where, b.Kind, b.Name, err)
		}
	}
	return nil
}

// Lines returns the lines of a file without comments, which # begins, and without blanks around them; empty ones are
// left out.
func Lines(content string) (out []string) {
	for line := range strings.Lines(content) {
		line, _, _ = strings.Cut(line, "#")
		if line = strings.TrimSpace(line); line != "" {
			out = append(out, line)
		}
	}
	return out
}

// Parse reads a rule file. Blank lines and lines that begin with # are left out. An error names file and line.
func Parse(file, content string) ([]Block, error) {
	var out []Block
	indent := 0 // of the lines of the block
	for n, raw := range strings.Split(content, "\n") {
		text := strings.TrimSpace(raw)
		if text == "" || strings.HasPrefix(text, "#") {
			continue
		}
		where := file + ":" + strconv.Itoa(n+1)
		in := len(raw) - len(strings.TrimLeft(raw, " \t"))
		if in == 0 {
			kind, name, ok := strings.Cut(text, " ")
			if !ok {
				return nil, fmt.Errorf("%s: want a kind and a name, have %q", where, text)
			}
			out = append(out, Block{Kind: kind, Name: strings.TrimSpace(name), Where: where})
			indent = 0
			continue
		}
		if len(out) == 0 {
			return nil, fmt.Errorf("%s: an indented line before any block", where)
		}
		b := &out[len(out)-1]
		switch {
		case indent == 0:
			indent = in
			fallthrough
		case in <= indent:
			b.Lines = append(b.Lines, Line{text, where})
		default:
			last := &b.Lines[len(b.Lines)-1]
			last.Text += " " + text
		}
	}
	return out, nil
}
