package journal

import (
	"errors"
	"slices"
	"strings"
	"time"

	"memoria/index/text"
	"memoria/memory"
	"memoria/memory/policy/sensitive"
	"memoria/memory/store"
)

// forgottenWords returns what stands in the place of words whose memory the user deleted (D2).
func forgottenWords(words string) string {
	if strings.ContainsFunc(words, text.Han) {
		return "[已忘记]"
	}
	return "[forgotten]"
}

// material reads messages from the archive, and returns the ids of those that may be written,
// without deleted and excluded ones.
func (j *Journal) material(u unit, ids []string) (m Material, found []string, err error) {
	m = Material{Kind: u.kind, Date: u.date}
	talks := map[string]int{}
	sessions := map[string]memory.Session{}
	err = j.Store.View(func(tx *store.Tx) error {
		for _, id := range ids {
			r, err := tx.Record(j.Agent, id)
			if errors.Is(err, store.ErrNotFound) || store.Unreadable(err) {
				continue
			}
			if err != nil {
				return err
			}
			out, err := j.excluded(tx, r)
			if err != nil {
				return err
			}
			if out {
				continue
			}
			s, known := sessions[r.SessionID]
			if !known {
				if s, err = tx.Session(j.Agent, r.SessionID); err != nil && !errors.Is(err, store.ErrNotFound) && !store.Unreadable(err) {
					return err
				}
				sessions[r.SessionID] = s
			}
			at, known := talks[r.SessionID]
			if !known {
				at = len(m.Talks)
				talks[r.SessionID] = at
				m.Talks = append(m.Talks, Talk{Session: r.SessionID, Title: s.Title})
			}
			m.Talks[at].Said = append(m.Talks[at].Said, j.said(r, s))
			found = append(found, id)
			m.Imported = m.Imported || r.Metadata.Imported
		}
		return nil
	})
	if err != nil {
		return m, nil, err
	}
	m.Accepted = j.Accepted()
	p := j.Policy()
	for i, t := range m.Talks {
		ours := sessions[t.Session].Named || t.says(t.Title)
		if !ours || !p.Speakable(t.Title, m.Accepted...) {
			m.Talks[i].Title = ""
		}
	}
	return m, found, nil
}

// says reports whether the messages have every word of a title. One that was made of other
// messages of the session would outlive these in the file.
func (t Talk) says(title string) bool {
	said := map[string]bool{}
	for _, s := range t.Said {
		for _, w := range text.Words(s.Text) {
			said[w] = true
		}
	}
	return !slices.ContainsFunc(text.Words(title), func(w string) bool { return !said[w] })
}

// excluded reports whether a message may not be written, by itself or because it answers
// such a message.
func (j *Journal) excluded(tx *store.Tx, r memory.Record) (bool, error) {
	if !j.may(r) {
		return true, nil
	}
	if r.Role == memory.RoleUser {
		return false, nil
	}
	for id, steps := r.ParentID, 0; id != "" && steps < 16; steps++ { // tool calls may come between
		p, err := tx.Record(j.Agent, id)
		if errors.Is(err, store.ErrNotFound) || store.Unreadable(err) {
			return false, nil
		}
		if err != nil {
			return false, err
		}
		if p.Role == memory.RoleUser {
			return p.Metadata.Forgetful || j.Policy().Forbids(p.Typed()), nil
		}
		id = p.ParentID
	}
	return false, nil
}

// said returns a message as it may be written: without secrets (P5a), and without words
// whose memory the user deleted.
func (j *Journal) said(r memory.Record, s memory.Session) Said {
	r = j.Content(r)
	out := Said{ID: r.ID, Role: r.Role, At: r.Timestamp, Who: "you", Text: r.Content, Typed: r.Typed()}
	if r.Role == memory.RoleAssistant {
		if out.Who = r.Sender; out.Who == "" {
			out.Who = j.Agent
		}
	}
	var words []memory.Evidence
	for _, ev := range s.Silenced {
		if ev.RecordID == r.ID {
			words = append(words, ev)
		}
	}
	for _, ev := range merged(words, len(r.Content)) {
		out.Text = without(out.Text, ev, forgottenWords(silenced(out.Text, ev)))
		out.Typed = without(out.Typed, ev, " ")
	}
	out.Text, out.Typed = sensitive.HideSecrets(out.Text), sensitive.HideSecrets(out.Typed)
	return out
}

// merged returns the words of a message of n bytes, last first, with overlapping ones as one.
func merged(words []memory.Evidence, n int) (out []memory.Evidence) {
	slices.SortFunc(words, func(a, b memory.Evidence) int { return a.Offset - b.Offset })
	for _, ev := range words {
		if ev.Length == 0 {
			ev.Length = max(n-ev.Offset, 0)
		}
		if last := len(out) - 1; last >= 0 && ev.Offset < out[last].Offset+out[last].Length {
			out[last].Length = max(out[last].Length, ev.Offset+ev.Length-out[last].Offset)
			continue
		}
		out = append(out, ev)
	}
	slices.Reverse(out)
	return out
}

// without replaces words.
func without(s string, ev memory.Evidence, instead string) string {
	lo, hi := span(s, ev)
	return strings.ToValidUTF8(s[:lo]+instead+s[hi:], "")
}

// silenced returns the words of a message that must no longer appear.
func silenced(s string, ev memory.Evidence) string {
	lo, hi := span(s, ev)
	return strings.ToValidUTF8(s[lo:hi], "")
}

// span returns the byte range of the words; length 0 means all.
func span(s string, ev memory.Evidence) (lo, hi int) {
	lo, hi = min(max(ev.Offset, 0), len(s)), len(s)
	if ev.Length > 0 {
		hi = min(lo+ev.Length, hi)
	}
	return lo, hi
}

// verbatimBody formats the messages of one session's day.
func verbatimBody(m Material, loc *time.Location) string {
	var b strings.Builder
	for _, t := range m.Talks {
		title := oneLine(t.Title)
		if title == "" {
			title = m.Date
		}
		b.WriteString("# " + title + "\n")
		for _, s := range t.Said {
			b.WriteString("\n" + sectionHead + s.At.In(loc).Format("15:04") + " · " + s.Who + " " + mark(s.ID) + "\n\n")
			for line := range strings.SplitSeq(strings.Trim(strings.ReplaceAll(s.Text, "\r\n", "\n"), "\n"), "\n") {
				b.WriteString(escaped(line) + "\n")
			}
		}
	}
	return b.String()
}

// firstWords returns the source of a verbatim file's name: its title, and its first
// message.
func firstWords(d Document) string {
	title, _, _ := strings.Cut(strings.TrimPrefix(d.Body, "# "), "\n")
	if title == d.Date {
		title = ""
	}
	said := d.Passages()
	if len(said) == 0 {
		return title
	}
	return title + "\n" + said[0].Text
}
