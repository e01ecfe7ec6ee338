package reread

import (
	"context"
	"slices"

	"memoria/memory"
	"memoria/memory/frame"
	"memoria/memory/manager/write"
	"memoria/memory/quoted"
	"memoria/memory/store"
)

// NextFrame returns the frame of a message from that of the one before it.
type NextFrame func(before memory.Frame, now frame.Message) memory.Frame

// Messages are the messages of an imported session.
type Messages struct {
	next  NextFrame
	all   []memory.Record // oldest first, parents first
	items []memory.Item   // with evidence in the session
}

// Imported reads an imported session. If several people wrote the user's messages, it returns
// none: which of them the user is, is unknown.
func Imported(ctx context.Context, c *write.Core, s memory.Session, next NextFrame) (*Messages, error) {
	m := &Messages{next: next}
	err := c.View(ctx, func(tx *store.Tx) (err error) {
		if m.all, err = tx.SessionRecords(s.AgentID, s.ID); err != nil {
			return err
		}
		m.items, err = MadeOf(tx, s.AgentID, s.ID)
		return err
	})
	if err != nil || manySpeakers(m.all) {
		return &Messages{}, err
	}
	for i, r := range m.all {
		if teaches(r) {
			r = c.Recall().Fetch(r)
			r.Spans = append(slices.Clip(r.Spans), quoted.Find(r.Content, r.Spans)...)
			m.all[i] = r
		}
	}
	return m, nil
}

// teaches reports whether a message may be read for the memory.
func teaches(r memory.Record) bool { return r.Role == memory.RoleUser && !r.NotForMemory }

// Typed returns the user's messages, with the quotes in them as spans.
func (m *Messages) Typed() (out []memory.Record) {
	for _, r := range m.all {
		if teaches(r) {
			out = append(out, r)
		}
	}
	return out
}

// Framed returns the user's messages with their frames (P5b).
func (m *Messages) Framed() []memory.Record {
	at := map[string]memory.Record{} // with the frame of the user's last message
	for i, r := range m.all {
		before := at[r.ParentID]
		if teaches(r) {
			now := frame.Message{Typed: r.Typed(), Material: len(r.Foreign()) > 0}
			if !before.Timestamp.IsZero() && !r.Timestamp.IsZero() {
				now.Pause = r.Timestamp.Sub(before.Timestamp)
			}
			m.all[i].Frame = m.next(before.Frame, now)
			r.Frame = m.all[i].Frame
		} else {
			r.Frame = before.Frame
		}
		at[r.ID] = memory.Record{Frame: r.Frame, Timestamp: r.Timestamp}
	}
	return m.Typed()
}

func manySpeakers(records []memory.Record) bool {
	speakers := map[string]bool{}
	for _, r := range records {
		if r.Role == memory.RoleUser {
			speakers[speakerOf(r)] = true
		}
	}
	return len(speakers) > 1
}

// speakerOf returns the name that a message begins with, or "".
func speakerOf(r memory.Record) string {
	for _, s := range r.Spans {
		if s.Kind == memory.SpanName {
			return r.Content[min(s.Offset, len(r.Content)):min(s.Offset+s.Length, len(r.Content))]
		}
	}
	return ""
}
