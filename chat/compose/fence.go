package compose

import (
	"fmt"
	"slices"

	"memoria/memory"
	"memoria/memory/lookup"
	"memoria/prompts"
)

// section is a block on its way into a message.
type section struct {
	memory.Block
	data bool   // its lines belong into a fence
	what string // what they are; perhaps nothing
}

// data is the section of a layer whose lines are data about the user, or none when it has
// no lines (C4, C6). header names the prompt that says what they are, "" for none.
func (b *builder) data(layer memory.Layer, header string, total int, refs []memory.Ref, said []string) ([]section, error) {
	if len(refs) == 0 {
		return nil, nil
	}
	s := section{Block: memory.Block{Layer: layer, Role: memory.RoleUser, Parts: refs, Nonce: b.nonce}, data: true}
	for i, ref := range refs {
		s.Tokens += b.count(lookup.Written(ref, b.nonce, said[i]))
	}
	var err error
	s.what, err = b.label(header, len(refs), total)
	return []section{s}, err
}

// label says what some lines of a fence are.
func (b *builder) label(header string, shown, total int) (string, error) {
	if header == "" {
		return "", nil
	}
	what, err := b.Prompts.Render(header, prompts.HeaderData{Shown: shown, Total: total, Held: b.Instruction.held()})
	if err != nil && what == "" {
		return "", fmt.Errorf("rendering %s: %w", header, err)
	}
	return what, nil
}

// plain is a section of the program's own words.
func (b *builder) plain(layer memory.Layer, prompt string, data any) (section, error) {
	said, err := b.Prompts.Render(prompt, data)
	if err != nil && said == "" {
		return section{}, fmt.Errorf("rendering %s: %w", prompt, err)
	}
	return section{Block: memory.Block{
		Layer: layer, Role: memory.RoleUser, Parts: []memory.Ref{b.text(said)}, Tokens: b.count(said),
	}}, nil
}

// fenced puts one fence around the data of each message (C6): it comes first in it, and
// the program's own words between it and what the user said.
func (b *builder) fenced(in []section) ([]memory.Block, error) {
	var out []memory.Block
	for len(in) > 0 {
		n := slices.IndexFunc(in, func(s section) bool { return !s.between() })
		switch n {
		case -1:
			n = len(in)
		case 0:
			n = 1
		}
		message := in[:n]
		in = in[n:]
		slices.SortStableFunc(message, func(x, y section) int {
			switch {
			case x.data == y.data:
				return 0
			case x.data:
				return -1
			}
			return 1
		})
		blocks, err := b.enclose(message)
		if err != nil {
			return nil, err
		}
		out = append(out, blocks...)
	}
	return out, nil
}

// between reports whether a section is nothing that was said, nor the persona.
func (s section) between() bool {
	return s.Role == memory.RoleUser && s.Layer != memory.LayerWindow && s.Layer != memory.LayerMessage
}

// enclose puts marks around the data with which a message begins.
func (b *builder) enclose(message []section) (out []memory.Block, err error) {
	var what []string
	last := -1
	for i, s := range message {
		if s.data {
			last = i
			if s.what != "" {
				what = append(what, s.what)
			}
		}
	}
	for i, s := range message {
		block := s.Block
		if i > 0 && i <= last {
			block.Joined = true
		}
		if i == 0 && s.data {
			head, err := b.head(what)
			if err != nil {
				return nil, err
			}
			block.Parts = slices.Concat([]memory.Ref{b.text(head)}, block.Parts)
			block.Tokens += b.count(head)
		}
		if i == last {
			tail := prompts.FenceTail(b.nonce)
			block.Parts = slices.Concat(block.Parts, []memory.Ref{b.text(tail)})
			block.Tokens += b.count(tail)
		}
		out = append(out, block)
	}
	return out, nil
}

// head is the text above the data of a message.
func (b *builder) head(what []string) (string, error) {
	head, err := b.Prompts.FenceHead(b.nonce, what)
	if err != nil && head == "" {
		return "", fmt.Errorf("rendering the head of a fence: %w", err)
	}
	return head, nil
}

// frame counts what a fence for lines of one kind costs beside them: that is part of
// their budget (C4).
func (b *builder) frame(header string, total int) (int, error) {
	what, err := b.label(header, 1, total)
	if err != nil {
		return 0, err
	}
	head, err := b.head([]string{what})
	return b.count(head) + b.count(prompts.FenceTail(b.nonce)), err
}
