package journal

import (
	"context"
	"errors"
	"io/fs"
	"slices"
	"strings"

	"memoria/index/text"
	"memoria/memory"
	"memoria/memory/store"
)

// renewStale takes out of the files what was deleted, or is not for memory any more, since
// they were written (D2, U2). No model is asked: a summary is made anew by rules. A file of
// which nothing is left is removed.
func (r *run) renewStale(ctx context.Context) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	var stale []memory.JournalFile
	for _, f := range r.files {
		if f.Stale {
			stale = append(stale, f)
		}
	}
	slices.SortFunc(stale, func(a, b memory.JournalFile) int { return strings.Compare(a.Path, b.Path) })
	for _, f := range stale {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := r.renew(ctx, f); err != nil {
			return err
		}
	}
	return nil
}

func (r *run) renew(ctx context.Context, f memory.JournalFile) error {
	var ids []string
	err := r.Store.View(func(tx *store.Tx) (err error) {
		ids, err = tx.JournalIDs(r.Agent, f.Path)
		return err
	})
	if err != nil && !store.Unreadable(err) {
		return err
	}
	u := unit{kind: f.Kind, date: f.Date, session: f.Session}
	m, left, err := r.material(u, ids)
	if err != nil {
		return err
	}
	words, sum, err := r.disk.read(f.Path)
	switch {
	case errors.Is(err, fs.ErrNotExist) || f.Removed:
		return r.kept(f, left)
	case err != nil:
		return err
	case f.Edited || sum != f.Sum && sum != f.Next:
		return r.cutOut(f, words, sum, ids, left)
	case r.mayComeBack(ids, left):
		return nil // the purge calls again
	case len(left) == 0:
		if err := r.disk.remove(f.Path); err != nil {
			return err
		}
		r.report.Files = append(r.report.Files, f.Path)
		return r.Store.Update(func(tx *store.Tx) error { return errors.Join(r.drop(tx, f.Path), r.uncover(tx, f.Path)) })
	}
	d := Document{Kind: f.Kind, Date: f.Date, Session: f.Session, Records: left}
	if f.Kind == memory.JournalVerbatim {
		if d.Body = verbatimBody(m, r.now.Location()); len(left) < len(ids) {
			return r.rename(f, d)
		}
	} else {
		if len(left) == len(ids) && f.By != memory.JournalByRules && !r.silenced(m, ids) {
			return r.kept(f, left) // nothing that the model read is gone
		}
		s, err := Rules{r.Policy()}.Summarise(ctx, m)
		if err != nil {
			return err
		}
		d.By, d.Body = s.By, summaryBody(m, s)
	}
	return r.rewrite(f, d)
}

// mayComeBack reports whether a message that is gone can still be taken back: until then its
// file is only not found any more.
func (r *run) mayComeBack(ids, left []string) (back bool) {
	_ = r.Store.View(func(tx *store.Tx) error {
		for _, id := range ids {
			if !slices.Contains(left, id) {
				_, err := tx.TrashedRecord(r.Agent, id)
				back = back || err == nil
			}
		}
		return nil
	})
	return back
}

// rename writes what is left of a verbatim file under a name that is made of that: the old one
// may have words that were deleted.
func (r *run) rename(f memory.JournalFile, d Document) error {
	if base := verbatimPath(f.Date, Slug(firstWords(d), f.Session)); strings.HasPrefix(f.Path, strings.TrimSuffix(base, extension)) {
		return r.rewrite(f, d)
	}
	if err := r.disk.remove(f.Path); err != nil {
		return err
	}
	r.report.Files = append(r.report.Files, f.Path)
	r.anew = append(r.anew, unit{kind: f.Kind, date: f.Date, session: f.Session, fresh: d.Records})
	return r.Store.Update(func(tx *store.Tx) error {
		for _, id := range d.Records {
			if err := r.relist(tx, id); err != nil {
				return err
			}
		}
		return errors.Join(r.drop(tx, f.Path), r.uncover(tx, f.Path))
	})
}

// silenced reports whether words of the messages are not to be told any more.
func (r *run) silenced(m Material, ids []string) (found bool) {
	_ = r.Store.View(func(tx *store.Tx) error {
		for _, t := range m.Talks {
			s, err := tx.Session(r.Agent, t.Session)
			found = found || err == nil && slices.ContainsFunc(s.Silenced, func(ev memory.Evidence) bool { return slices.Contains(ids, ev.RecordID) })
		}
		return nil
	})
	return found
}

// kept notes what a file is made of now, without writing it.
func (r *run) kept(f memory.JournalFile, ids []string) error {
	return r.Store.Update(func(tx *store.Tx) error {
		f.Stale, f.Messages = false, len(ids)
		if len(ids) == 0 && !f.Edited {
			return r.drop(tx, f.Path)
		}
		return errors.Join(r.put(tx, f), tx.PutJournalIDs(r.Agent, f.Path, ids))
	})
}

// rewrite writes a file over with what is left of it.
func (r *run) rewrite(f memory.JournalFile, d Document) error {
	words := d.String()
	f.Next, f.Stale = sumOf([]byte(words)), true
	if err := r.Store.Update(func(tx *store.Tx) error { return r.put(tx, f) }); err != nil {
		return err
	}
	if _, err := r.disk.replace(f.Path, words, f.Sum, f.Next); err != nil {
		return err
	}
	r.report.Files = append(r.report.Files, f.Path)
	f.Sum, f.Next, f.By = f.Next, "", d.By
	return r.kept(f, d.Records)
}

// uncover lets files be found again whose summary is gone.
func (j *Journal) uncover(tx *store.Tx, by string) error {
	for _, f := range j.files {
		if f.Covered == by {
			f.Covered = ""
			if err := j.put(tx, f); err != nil {
				return err
			}
		}
	}
	return nil
}

// shareOfGone is the share of a paragraph's words that stand in a deleted message when the
// paragraph goes with it.
const shareOfGone = 0.6

// cutOut takes deleted messages out of a file that the user has edited: what stands under
// their marks, and paragraphs that say the same.
func (r *run) cutOut(f memory.JournalFile, words, sum string, ids, left []string) error {
	gone := map[string]bool{}
	var said []map[string]bool
	err := r.Store.View(func(tx *store.Tx) error {
		for _, id := range ids {
			if slices.Contains(left, id) {
				continue
			}
			gone[id] = true
			was, err := tx.Record(r.Agent, id)
			if err != nil {
				was, err = tx.TrashedRecord(r.Agent, id)
			}
			if errors.Is(err, store.ErrNotFound) || store.Unreadable(err) {
				continue
			}
			if err != nil {
				return err
			}
			said = append(said, wordSet(r.Content(was).Content))
		}
		return nil
	})
	if err != nil {
		return err
	}
	d := Parse(words)
	if d.Kind != "" {
		d.Records = slices.DeleteFunc(d.Records, func(id string) bool { return gone[id] })
	}
	d.Body = withoutGone(d.Body, gone, said)
	f.Edited = true
	if now := d.String(); now != words {
		if _, err := r.disk.replace(f.Path, now, sum); err != nil {
			return err
		}
		r.report.Files = append(r.report.Files, f.Path)
	}
	return r.kept(f, left)
}

// withoutGone leaves out the sections of deleted messages, and paragraphs whose words stand in one of them.
func withoutGone(body string, gone map[string]bool, said []map[string]bool) string {
	var out, para []string
	skipping, drop := false, false
	flush := func() {
		if !drop && !repeats(strings.Join(para, "\n"), said) {
			out = append(out, para...)
		}
		para, drop = nil, false
	}
	for line := range strings.SplitSeq(body, "\n") {
		_, id := cutMark(line)
		if strings.HasPrefix(line, sectionHead) {
			flush()
			skipping = id != "" && gone[id]
		}
		if skipping {
			continue
		}
		if strings.TrimSpace(line) == "" || strings.HasPrefix(strings.TrimSpace(line), "- ") {
			flush()
		}
		para = append(para, line)
		drop = drop || gone[id]
	}
	flush()
	return strings.Join(out, "\n")
}

func repeats(para string, said []map[string]bool) bool {
	words := wordSet(para)
	if len(words) == 0 {
		return false
	}
	for _, s := range said {
		n := 0
		for w := range words {
			if s[w] {
				n++
			}
		}
		if float64(n) >= shareOfGone*float64(len(words)) {
			return true
		}
	}
	return false
}

// wordSet are the content words of a text, and the pairs of its Chinese characters.
func wordSet(s string) map[string]bool {
	out := map[string]bool{}
	for _, w := range text.QueryTerms(s) {
		out[w] = true
	}
	return out
}
