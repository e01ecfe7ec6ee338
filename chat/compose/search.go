package compose

import (
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"memoria/index/text"
	"memoria/memory"
	"memoria/memory/recall"
	"memoria/memory/retrieve"
	"memoria/prompts"
)

// SearchFailed makes the result of a call of the search tool that found nothing. why is one
// of the Why constants of prompts. It returns the texts of the result, by id.
func (c *Composer) SearchFailed(model string, call *memory.Call, why string) (map[string]string, error) {
	b := c.builder(model)
	return b.out.Texts, b.searchFailed(call, why)
}

func (b *builder) searchFailed(c *memory.Call, why string) error {
	said, err := b.Prompts.Render(prompts.SearchFailed, prompts.SearchFailure{Why: why})
	if err != nil && said == "" {
		return fmt.Errorf("rendering a search's end: %w", err)
	}
	c.Parts, c.Tokens = []memory.Ref{b.text(said)}, b.count(said)
	c.Failed = map[string]string{
		prompts.WhyArguments: "its arguments cannot be used", prompts.WhyTime: "the time was not understood",
		prompts.WhyTool: "there is none of that name", prompts.WhyRoom: "the model's context is full",
		prompts.WhyFailed: "the search failed",
	}[why]
	return nil
}

// SearchResult makes the result of a call of the search tool from what was found, within a
// budget of tokens. It returns the items that it shows and the texts of the result, by id.
func (c *Composer) SearchResult(
	model string, call *memory.Call, found recall.MemoryFound, keyword string, budget int,
) (used []memory.Used, texts map[string]string, err error) {
	b := c.builder(model)
	b.nonce = c.Nonce()
	used, err = b.searchResult(call, found, keyword, budget)
	return used, b.out.Texts, err
}

// searchResult shows items, in half of the budget if there are messages too, then messages.
func (b *builder) searchResult(c *memory.Call, found recall.MemoryFound, keyword string, budget int) (used []memory.Used, err error) {
	frame, err := b.frame(prompts.SearchHeader, found.Total)
	if err != nil {
		return nil, err
	}
	budget -= frame
	var refs []memory.Ref
	var said []string
	add := func(ref memory.Ref, text string, left int) bool {
		n := b.count(b.fenceLine(ref, text))
		if n > min(left, budget) {
			return false
		}
		budget -= n
		refs, said = append(refs, ref), append(said, text)
		return true
	}
	rest := 0
	if len(found.Messages) > 0 {
		rest = budget / 2
	}
	for _, s := range found.Items {
		ref := itemRef(s.Item)
		ref.Source += " " + shortID(s.Item.ID)
		if add(ref, s.Item.Content, budget-rest) {
			used = append(used, usedBySearch(s))
		}
	}
	for _, h := range found.Messages {
		add(messageRef(h.Record, keyword), h.Record.Content, budget)
	}
	result, err := b.data(memory.LayerEvidence, prompts.SearchHeader, found.Total, refs, said)
	if err != nil || len(result) == 0 {
		return nil, err
	}
	blocks, err := b.enclose(result)
	if err != nil {
		return nil, err
	}
	c.Found, c.Parts, c.Nonce, c.Tokens = len(refs), blocks[0].Parts, blocks[0].Nonce, blocks[0].Tokens
	return used, nil
}

func usedBySearch(s retrieve.Scored) memory.Used {
	return used(s, true, "the model searched for it: "+s.Why)
}

const beforeHit = 80 // characters of a long message before the words

// messageRef is a message as a search shows it: who spoke, when, and of a long one
// the part around the words.
func messageRef(r memory.Record, keyword string) memory.Ref {
	who := "assistant"
	if r.Role == memory.RoleUser {
		who = "user"
	}
	ref := memory.Ref{
		Kind: memory.KindRecord, ID: r.ID, Form: memory.FormFence,
		Source: who + " " + r.Timestamp.Format(time.DateOnly) + " " + shortID(r.ID),
	}
	if cutAt(r.Content, longHit) > 0 {
		ref.From = passage(r.Content, keyword)
		ref.Cut = cutAt(r.Content[ref.From:], longHit)
	}
	return ref
}

// maxLooked bounds how far a long message is looked through, in bytes.
const maxLooked = 64 << 10

// passage is where the part of a message begins that has the words: some
// characters before the first of them, 0 if that is at the beginning.
func passage(said, keyword string) int {
	want := map[string]bool{}
	for _, w := range text.Words(keyword) {
		want[w] = true
	}
	said = strings.ToValidUTF8(said[:min(len(said), maxLooked)], " ")
	for _, t := range text.Tokens(said) {
		if !slices.ContainsFunc(text.Words(t.Text), func(w string) bool { return want[w] }) {
			continue
		}
		at := t.Start
		for range beforeHit {
			_, n := utf8.DecodeLastRuneInString(said[:at])
			at -= n
		}
		return at
	}
	return 0
}
