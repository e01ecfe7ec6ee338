package reread

import (
	"context"
	"slices"
	"strings"

	"memoria/index/text"
	"memoria/memory"
	"memoria/memory/instruct"
	"memoria/memory/learn"
	"memoria/memory/manager/write"
	"memoria/memory/policy"
	"memoria/memory/policy/sensitive"
)

const (
	// before is the number of earlier messages that go with the next part of a session.
	before = 2
	// maxReadable bounds the bytes that are read of one message.
	maxReadable = 64 << 10
)

// Part is what one request reads of an imported session.
type Part struct {
	Said    learn.Dialogue
	Sent    learn.Dialogue  // the same without the items that the session did not make
	Records []memory.Record // one for each message
}

// New counts the messages that were not read before.
func (p *Part) New() (n int) {
	for _, s := range p.Said.Said {
		if s.New {
			n++
		}
	}
	return n
}

// Parts divides what no model has read of an imported session into requests (D1). It leaves
// out role-play, quotes, secrets, instructions to a memory, messages that are not for memory,
// messages that were not imported, and parts without a word to learn from.
func Parts(ctx context.Context, c *write.Core, s memory.Session, next NextFrame) (out []*Part, err error) {
	m, err := Imported(ctx, c, s, next)
	if err != nil || s.Imported == nil {
		return nil, err
	}
	whole := m.readable(c.Policy(), s)
	begin := slices.IndexFunc(whole.Said.Said, func(s learn.Said) bool { return s.New })
	for begin >= 0 && begin < len(whole.Records) {
		from := max(0, begin-before)
		to := from + learn.Fits(whole.Said.Said[from:])
		if to <= begin {
			from = begin
			to = from + learn.Fits(whole.Said.Said[from:])
		}
		p := whole.cut(from, to, begin)
		if slices.ContainsFunc(p.Said.Said, func(s learn.Said) bool { return s.New && len(text.Keywords(s.Text)) > 0 }) {
			out = append(out, p)
		}
		begin = to
	}
	return out, nil
}

// cut returns some messages of a part, of which those from begin on are new.
func (p *Part) cut(from, to, begin int) *Part {
	out := &Part{Records: p.Records[from:to]}
	out.Said.Said, out.Sent.Said = slices.Clone(p.Said.Said[from:to]), slices.Clone(p.Sent.Said[from:to])
	for i := range out.Records {
		out.Said.Said[i].New = from+i >= begin
		out.Sent.Said[i].New = from+i >= begin
	}
	return out
}

// readable returns all that a model may read of a session, as one part.
func (m *Messages) readable(p *policy.Policy, s memory.Session) *Part {
	out := &Part{}
	other := func(it memory.Item) bool { return it.Origin != memory.OriginImport } // may hold other words
	imported := slices.DeleteFunc(slices.Clone(m.items), other)
	for _, r := range m.Framed() {
		if !r.Metadata.Imported {
			continue
		}
		said := learn.Said{Text: readable(p, r, s.Silenced), New: r.ID > s.Imported.ReadTo}
		if strings.TrimSpace(said.Text) == "" {
			continue
		}
		r.Content = said.Text
		out.Records = append(out.Records, r)
		said.Used = UsedIn(r.ID, imported)
		out.Sent.Said = append(out.Sent.Said, said)
		said.Used = UsedIn(r.ID, m.items)
		out.Said.Said = append(out.Said.Said, said)
	}
	return out
}

// readable returns what a model may read of a message. Offsets stay valid.
func readable(p *policy.Policy, r memory.Record, silenced []memory.Evidence) string {
	if _, asks := instruct.Read(r.Content, r.Spans); asks {
		return ""
	}
	b := []byte(Without(r, silenced))
	b = b[:min(len(b), maxReadable)]
	blank := func(offset, length int) {
		for i := max(offset, 0); i < min(offset+length, len(b)); i++ {
			if b[i] != '\n' {
				b[i] = ' '
			}
		}
	}
	blank(r.Frame.Offset, r.Frame.Length)
	for _, secret := range sensitive.Secrets(string(b)) {
		blank(secret.Offset, secret.Length)
	}
	out := strings.ToValidUTF8(string(b), " ")
	if p.Forbids(out) || p.OffRecord(out) {
		return ""
	}
	return out
}
