package compose

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"memoria/chat/model"
	"memoria/memory"
	"memoria/memory/recall"
	"memoria/memory/retrieve"
	"memoria/prompts"
)

// source is a quote of the archive on its way into the package.
type source struct {
	recall.Quote
	inWindow bool
	rank     int // among the quotes found
}

// gatherEvidence looks into the archive when the message, or what recall found
// for it, asks for that (A2), and takes of what it found what its budget allows
// (A3). res is what recall found.
func (b *builder) gatherEvidence(ctx context.Context, res retrieve.Result) error {
	if !b.on(layerEvidence) || b.Config.EvidenceTokens == 0 {
		return nil
	}
	on := b.MemoryConfig.Triggers
	if !b.on(layerRecall) { // then it finds nothing because it is not asked
		on = slices.DeleteFunc(slices.Clone(on), func(t string) bool { return t != retrieve.TriggerProof })
	}
	asked := b.Turn.Record.Asked()
	trigger := retrieve.Trigger(asked, res.Chosen, on)
	mustQuote := trigger == "" && unaided{b}.mustQuote() && slices.Contains(on, retrieve.TriggerMentioned)
	if mustQuote || b.info.Offline && trigger == retrieve.TriggerMentioned { // there is nothing better to say
		trigger = retrieve.TriggerSparse
	}
	if trigger == "" || b.info.Offline && trigger == retrieve.TriggerSparse && (unaided{b}).answered() {
		return nil
	}
	b.out.ProofAsked = trigger == retrieve.TriggerProof
	found, err := b.Memory.Recall().FindEvidence(ctx, b.Agent.ID, recall.EvidenceQuery{
		Text: asked, Trigger: trigger, Recalled: res.Chosen, Before: b.Records, Except: b.Turn.Record.ID,
	})
	if err != nil {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		// An archive that fails must not take the conversation down.
		b.degraded(b.Explain(err))
		b.Log.Warn("looking into the archive failed", "error", err)
		return nil
	}
	b.degraded(found.Degraded)
	if b.info.Offline && !b.out.ProofAsked {
		found.Quotes = unaided{b}.preferArchive(ctx, found)
		found.Loose = !slices.ContainsFunc(found.Quotes, func(q recall.Quote) bool { return q.Bears })
	}
	if mustQuote && len(found.Quotes) == 0 {
		return nil
	}
	if found.Look.Trigger == "" { // nothing in the archive mentions it
		return nil
	}
	b.out.Package.Look = &found.Look
	b.out.Looked, b.loose = true, found.Loose
	b.foundNone = len(found.Quotes) == 0 && found.Degraded == "" && (b.out.ProofAsked || len(res.Chosen) == 0)
	return b.takeEvidence(found.Quotes)
}

// degraded adds a reason why memory is not at its best.
func (b *builder) degraded(why string) {
	if why == "" {
		return
	}
	if p := &b.out.Package; p.Degraded == "" {
		p.Degraded = why
	} else {
		p.Degraded += "; " + why
	}
}

// takeEvidence adds the quotes that fit into the budget. A quote of a message in the window is
// not sent twice, but is a source like the others.
func (b *builder) takeEvidence(quotes []recall.Quote) error {
	var there []source
	frame, err := b.frame(b.evidenceHeader(), 0)
	if err != nil {
		return err
	}
	left := b.Config.EvidenceTokens - frame
	for i, q := range quotes {
		s := source{Quote: q, inWindow: b.inWindow(q), rank: i}
		if s.inWindow {
			there = append(there, s)
			b.dropEvidence(s, "it is in the conversation above")
			continue
		}
		inJournal := b.inJournal(q.Record.ID)
		if inJournal && !b.out.ProofAsked {
			b.dropEvidence(s, "it is quoted from the journal")
			continue
		}
		n := b.count(b.fenceLine(b.sourceRef(s, len(b.evidence)+1), s.said()))
		if n > left {
			b.dropEvidence(s, "over the evidence budget")
			continue
		}
		if inJournal {
			b.preferEvidence(q.Record.ID)
		}
		left -= n
		b.evidence = append(b.evidence, s)
	}
	b.above = there
	return nil
}

func (b *builder) dropEvidence(s source, why string) {
	what := s.Record.ID
	if what == "" {
		what = s.Item.ID
	}
	b.out.Package.Dropped = append(b.out.Package.Dropped, memory.Dropped{Layer: memory.LayerEvidence, What: what, Reason: why})
}

// inWindow reports whether a quote is sent as a part of the conversation: its message
// may be shortened there.
func (b *builder) inWindow(q recall.Quote) bool {
	if q.Record.ID == "" {
		return false
	}
	lo, hi := q.Offset, q.Offset+q.Length
	if q.Length == 0 {
		hi = len(q.Record.Content)
	}
	return slices.ContainsFunc(b.window.entries, func(e entry) bool {
		return e.record.ID == q.Record.ID && (e.cut == cut{} || hi <= e.cut.head || lo >= len(e.record.Content)-e.cut.tail)
	})
}

// said is the whole text that the source's reference points to.
func (s source) said() string {
	if s.Record.ID == "" {
		return s.Item.Content
	}
	return s.Record.Content
}

// sourceRef is a source as the n-th line of the fence. Its label has no words of
// the conversation, since it outlives them.
func (b *builder) sourceRef(s source, n int) memory.Ref {
	label := []string{fmt.Sprint(n)}
	ref := memory.Ref{Kind: memory.KindItem, ID: s.Item.ID, Version: s.Item.Version, Form: memory.FormFence}
	when := s.Item.CreatedAt
	if s.Record.ID != "" {
		ref = memory.Ref{Kind: memory.KindRecord, ID: s.Record.ID, From: s.Offset, Cut: s.Length, Form: memory.FormFence}
		when = s.Record.Timestamp
		label = append(label, b.who(s.Quote))
	} else if len(s.Item.Evidence) == 0 {
		label = append(label, "a note not made from a message")
	} else {
		label = append(label, "a note whose message was deleted")
	}
	label = append(label, when.In(b.Now().Location()).Format("2006-01-02 15:04"))
	if s.Record.ID != "" {
		label = append(label, "message "+shortID(s.Record.ID))
	}
	if s.Item.ID != "" {
		label = append(label, "memory "+shortID(s.Item.ID))
	}
	ref.Source = strings.Join(label, " · ")
	return ref
}

// who is the author of a quote; the user's own words are told apart from pasted ones.
func (b *builder) who(q recall.Quote) string {
	if q.Record.Sender != "" && q.Record.Sender != b.Agent.ID {
		return b.Group.NameOf(q.Record.Sender)
	}
	if q.Record.Role != memory.RoleUser {
		return string(q.Record.Role)
	}
	hi := q.Offset + q.Length
	if q.Length == 0 {
		hi = len(q.Record.Content)
	}
	for _, s := range q.Record.Foreign() {
		if s.Offset < hi && q.Offset < s.Offset+s.Length {
			return "user, " + s.Kind
		}
	}
	return "user"
}

// shortID is the end of an id, by which every command knows it.
func shortID(id string) string { return id[max(0, len(id)-8):] }

// evidenceHeader names the prompt above the evidence.
func (b *builder) evidenceHeader() string {
	if b.loose {
		return prompts.EvidenceLooseHeader
	}
	return prompts.EvidenceHeader
}

// evidenceSection is the layer, or none.
func (b *builder) evidenceSection() ([]section, error) {
	if b.foundNone {
		none, err := b.plain(memory.LayerEvidence, prompts.EvidenceNone, nil)
		return []section{none}, err
	}
	var refs []memory.Ref
	var said []string
	cut := 0
	for i, s := range b.evidence {
		ref := b.sourceRef(s, i+1)
		if ref.From > 0 || ref.Cut > 0 {
			cut++
		}
		refs, said = append(refs, ref), append(said, s.said())
	}
	out, err := b.data(memory.LayerEvidence, b.evidenceHeader(), 0, refs, said)
	if err == nil && cut > 0 {
		out[0].Note = fmt.Sprintf("%d of %d messages cut around the words", cut, len(refs))
	}
	return out, err
}

// leaveEvidence takes the least of the evidence away (C7).
func (b *builder) leaveEvidence() {
	last := len(b.evidence) - 1
	b.dropEvidence(b.evidence[last], "over the model's context")
	b.evidence = b.evidence[:last]
}

// cite numbers what was put before the model, for the package and for an answer
// without a model.
func (b *builder) cite() {
	all := slices.Concat(b.evidence, b.above)
	if b.info.Offline { // it reads no window
		slices.SortFunc(all, func(x, y source) int { return x.rank - y.rank })
	}
	for _, s := range all {
		if s.inWindow && !b.inWindow(s.Quote) {
			continue // it left with the window
		}
		c := s.Quote.Citation(len(b.out.Package.Citations) + 1)
		c.InWindow = s.inWindow
		b.out.Package.Citations = append(b.out.Package.Citations, c)
		b.out.Proof = append(b.out.Proof, b.proof(s, c.N))
	}
}

// proof is a source for the client that answers without a model.
func (b *builder) proof(s source, n int) model.Proof {
	p := model.Proof{N: n, Loose: !s.Bears, Text: s.Quote.Text(), When: s.Item.CreatedAt.In(b.Now().Location())}
	switch {
	case s.Record.ID == "" && len(s.Item.Evidence) > 0:
		p.Who = model.WhoGone
	case s.Record.ID == "":
		p.Who = model.WhoNote
	case s.Record.Role == memory.RoleUser:
		p.Who = model.WhoUser
	default:
		p.Who = b.Agent.Name
		if r := s.Record; r.Sender != "" && r.Sender != b.Agent.ID {
			p.Who = b.Group.NameOf(r.Sender)
		}
	}
	if s.Record.ID != "" {
		p.When = s.Record.Timestamp.In(b.Now().Location())
		p.Session, p.Title = shortID(s.Record.SessionID), s.Title
	}
	return p
}
