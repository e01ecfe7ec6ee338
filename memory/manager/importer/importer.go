package importer

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"memoria/memory"
	"memoria/memory/manager/files"
	"memoria/memory/manager/write"
	"memoria/memory/store"
	"memoria/memory/transfer/foreign"
)

// Writer imports conversations. It is safe for concurrent use.
type Writer struct {
	*write.Core
	files *files.Files
}

// New returns a writer for a data folder.
func New(c *write.Core, f *files.Files) *Writer { return &Writer{c, f} }

// Imported counts the results of an import.
type Imported struct {
	// Sessions are the ids of sessions with new messages.
	Sessions []string `json:"sessions"`
	Messages int      `json:"messages"`
	// Known are messages that were imported before, Deleted those that the user has
	// deleted since: they stay deleted.
	Known   int `json:"known"`
	Deleted int `json:"deleted"`
	// Failures say what was left out.
	Failures []*foreign.Failure `json:"-"`
}

func (i *Imported) sum(more Imported) {
	i.Sessions = append(i.Sessions, more.Sessions...)
	i.Messages += more.Messages
	i.Known += more.Known
	i.Deleted += more.Deleted
}

// importBatch is the least number of messages in one write. Larger writes wait less for the
// disk, smaller ones keep the program responsive.
const importBatch = 500

// importBytes is the number of bytes of text that ends a batch before.
const importBytes = 4 << 20

// Import adds the conversations of another program's export to the archive (D1). program
// names it: "chatgpt". progress, if not nil, is called after each write with the sums so
// far. An import that was interrupted is continued by importing again. An error says that
// the export was refused whole, ctx was done, or a write failed; what was written before
// stays.
func (w *Writer) Import(ctx context.Context, agentID, program string, e *foreign.Export, progress func(Imported)) (Imported, error) {
	sum := Imported{Sessions: []string{}}
	var batch []foreign.Conversation
	messages, size := 0, 0
	write := func() error {
		if len(batch) == 0 {
			return nil
		}
		more, err := w.Conversations(ctx, agentID, program, batch)
		if err != nil {
			return err
		}
		sum.sum(more)
		clear(batch)
		batch, messages, size = batch[:0], 0, 0
		if progress != nil {
			progress(sum)
		}
		return nil
	}
	for c, err := range e.Conversations(ctx) {
		var failure *foreign.Failure
		switch {
		case errors.As(err, &failure):
			sum.Failures = append(sum.Failures, failure)
			continue
		case err != nil:
			return sum, err
		}
		batch = append(batch, c)
		for _, m := range c.Messages {
			size += len(m.Text) + len(m.Reasoning)
		}
		if messages += len(c.Messages); messages < importBatch && size < importBytes {
			continue
		}
		if err := write(); err != nil {
			return sum, err
		}
	}
	return sum, write()
}

// Conversations adds conversations in one write. Each becomes an ended session with
// its branches and original times. Nothing is learned from them. Importing the same
// conversation again adds only its new messages.
func (w *Writer) Conversations(ctx context.Context, agentID, program string, cs []foreign.Conversation) (Imported, error) {
	a, err := w.Agent(agentID)
	if err != nil {
		return Imported{}, err
	}
	var all []imported
	for _, c := range cs {
		all = append(all, convert(a.ID, program, c))
	}
	if err := w.storeLong(ctx, a.ID, all); err != nil {
		return Imported{}, fmt.Errorf("importing conversations: %w", err)
	}
	var sum Imported
	err = w.Update(ctx, a, func(t *write.Tx) error {
		sum = Imported{}
		if err := t.RefuseGroup(); err != nil { // its members would not have heard it
			return err
		}
		for _, i := range all {
			if err := add(t, i, &sum); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return Imported{}, fmt.Errorf("importing conversations: %w", err)
	}
	return sum, nil
}

// storeLong stores the long contents of records that will be added.
func (w *Writer) storeLong(ctx context.Context, agent string, all []imported) error {
	for _, i := range all {
		for n, r := range i.records {
			if len(r.Content) <= memory.MaxContent {
				continue
			}
			var there bool
			var deleted time.Time
			err := w.View(ctx, func(tx *store.Tx) (err error) {
				if there, err = tx.HasRecord(agent, r.ID); err == nil {
					deleted, err = tx.ForgottenAt(agent, memory.KindRecord, r.ID)
				}
				return err
			})
			if err == nil && !there && deleted.IsZero() {
				i.records[n], err = w.files.StoreLong(ctx, r)
			}
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// add writes what is new of a conversation.
func add(t *write.Tx, i imported, sum *Imported) error {
	s, err := t.Session(t.Owner.ID, i.session.ID)
	isNew := errors.Is(err, store.ErrNotFound)
	switch {
	case isNew:
		s = i.session
		s.Title = cmp.Or(s.Title, t.Core.Title(i.records[0].Asked()))
	case err != nil:
		return err
	}
	added, goesOn := 0, true // the session goes on here if its branch does not end with an imported message
	for _, r := range i.records {
		goesOn = goesOn && r.ID != s.LastRecordID
		known, err := t.HasRecord(t.Owner.ID, r.ID)
		if err != nil {
			return err
		}
		deleted, err := t.ForgottenAt(t.Owner.ID, memory.KindRecord, r.ID)
		switch {
		case err != nil:
			return err
		case known:
			sum.Known++
			continue
		case !deleted.IsZero() && isNew: // the user deleted the whole conversation
			sum.Deleted += len(i.records)
			return nil
		case !deleted.IsZero():
			sum.Deleted++
			continue
		}
		if err := t.AppendRecord(r); err != nil {
			return err
		}
		added++
		s.Messages++
		if r.Role == memory.RoleUser {
			s.Turns++
		}
		if r.Timestamp.After(s.LastMessageAt) {
			s.LastMessageAt = r.Timestamp
		}
	}
	newer := !isNew && s.Imported != nil && !i.session.Imported.UpdatedAt.Before(s.Imported.UpdatedAt)
	was := s.Imported
	if newer {
		s.Imported = i.session.Imported
		if !s.Named && i.session.Title != "" {
			s.Title = i.session.Title
		}
		if !goesOn {
			s.LastRecordID = i.session.LastRecordID
		}
	}
	if added == 0 && !newer {
		return nil
	}
	if s.Imported != nil {
		now := *s.Imported
		now.Proposed, now.Read = was.Proposed && added == 0, was.Read && added == 0
		now.ReadTo, now.Unusable = was.ReadTo, was.Unusable
		s.Imported = &now
	}
	if added > 0 {
		sum.Messages += added
		sum.Sessions = append(sum.Sessions, s.ID)
	}
	return t.PutSession(s)
}
