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
	if !r.erased {
		return nil
	}
	return r.remake(ctx)
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
	words, sum, err := r.disk.whole(f.Path)
	switch {
	case errors.Is(err, fs.ErrNotExist) || f.Removed:
		return r.kept(f, left)
	case err != nil:
		return err
	case r.mayComeBack(ids, left):
		return r.listen(f, words, sum) // the purge calls again
	}
	silenced := r.silenced(m, ids)
	if len(left) < len(ids) || silenced {
		r.erased = true
		if err := r.outdate(); err != nil {
			return err
		}
	}
	switch {
	case f.Edited || sum != f.Sum && sum != f.Next:
		return r.cutOut(f, words, sum, left)
	case len(left) == 0:
		if err := r.disk.remove(f.Path); err != nil {
			return err
		}
		r.report.Files = append(r.report.Files, f.Path)
		return r.Store.Update(func(tx *store.Tx) error { return errors.Join(r.drop(tx, f.Path), r.uncover(tx, f.Path)) })
	}
	d := Document{Kind: f.Kind, Date: f.Date, Session: f.Session, Records: left}
	if f.Kind == memory.JournalVerbatim {
		d.Body = verbatimBody(m, r.now.Location())
		return r.rename(f, d)
	}
	if len(left) == len(ids) && f.By != memory.JournalByRules && !silenced {
		if !f.Anew {
			return r.kept(f, left) // nothing that the model read is gone
		}
		d.By, d.Body = f.By, Parse(words).Body // until it is made anew
	} else {
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

// listen notes which paragraphs of an edited file repeat a message that can still be taken
// back: when it is gone for good, so are the words to compare them with.
func (r *run) listen(f memory.JournalFile, words, sum string) error {
	if !f.Edited && (sum == f.Sum || sum == f.Next) {
		return nil
	}
	gone, err := r.forgotten(f)
	if err != nil {
		return err
	}
	f.Echoes = gone.echoesIn(Parse(words).Body)
	return r.Store.Update(func(tx *store.Tx) error { return r.put(tx, f) })
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
			if err := r.relist(tx, id, f.Date); err != nil {
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
		f.Stale, f.Echoes, f.Messages = false, nil, len(ids)
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
func (j *Journal) uncover(tx *store.Tx, by string) error { return j.coveredBy(tx, by, "") }

// coveredBy notes that the files which one summary covered are covered by another, or by none.
func (j *Journal) coveredBy(tx *store.Tx, was, by string) error {
	for _, f := range j.files {
		if f.Covered == was {
			f.Covered = by
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

// forgotten is what a file may not say any more: messages that are gone, by their ids, by
// their words and by the paragraphs that repeated them, and words of others of which the user
// deleted a memory.
type forgotten struct {
	ids    map[string]bool
	said   []saying
	echoes map[string]bool // sums of paragraphs
	cut    []string
}

// saying is what a message said.
type saying struct {
	id    string
	words map[string]bool
}

func (j *Journal) forgotten(f memory.JournalFile) (out forgotten, err error) {
	out.ids, out.echoes = map[string]bool{}, map[string]bool{}
	err = j.Store.View(func(tx *store.Tx) error {
		ids, err := tx.JournalIDs(j.Agent, f.Path)
		if err != nil && !store.Unreadable(err) {
			return err
		}
		for _, id := range ids {
			r, err := tx.Record(j.Agent, id)
			gone := errors.Is(err, store.ErrNotFound)
			if gone {
				r, err = tx.TrashedRecord(j.Agent, id)
			}
			if gone && errors.Is(err, store.ErrNotFound) {
				out.ids[id] = true
				continue
			}
			if store.Unreadable(err) {
				continue
			}
			if err == nil && !gone {
				gone, err = j.excluded(tx, r)
			}
			if err != nil {
				return err
			}
			if gone {
				out.ids[id] = true
				out.said = append(out.said, saying{id, wordSet(j.Content(r).Content)})
				continue
			}
			s, _ := tx.Session(j.Agent, r.SessionID)
			for _, ev := range s.Silenced {
				if ev.RecordID != id {
					continue
				}
				if words := strings.TrimSpace(silenced(j.Content(r).Content, ev)); words != "" {
					out.cut = append(out.cut, words)
					out.said = append(out.said, saying{id, wordSet(words)})
				}
			}
		}
		return nil
	})
	for id, sums := range f.Echoes {
		for _, sum := range sums {
			out.echoes[sum] = out.ids[id]
		}
	}
	return out, err
}

// cutOut takes what is forgotten out of a file that the user has edited: what stands under the
// marks of deleted messages, paragraphs that say the same, and forgotten words.
func (r *run) cutOut(f memory.JournalFile, words, sum string, left []string) error {
	gone, err := r.forgotten(f)
	if err != nil {
		return err
	}
	d := Parse(words)
	if d.Kind != "" {
		d.Records = slices.DeleteFunc(d.Records, func(id string) bool { return gone.ids[id] })
	}
	d.Body = withoutGone(d.Body, gone)
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
func withoutGone(body string, gone forgotten) string {
	for _, words := range gone.cut {
		body = strings.ReplaceAll(body, words, forgottenWords)
	}
	var out []string
	skipping := false
	for _, para := range paragraphs(body) {
		if strings.HasPrefix(para[0], sectionHead) {
			_, id := cutMark(para[0])
			skipping = id != "" && gone.ids[id]
		}
		if !skipping && !gone.has(para) {
			out = append(out, para...)
		}
	}
	return strings.Join(out, "\n")
}

// paragraphs are the lines of a body: a heading, an empty line and an item of a list each
// begin a paragraph.
func paragraphs(body string) (out [][]string) {
	for line := range strings.SplitSeq(body, "\n") {
		begins := strings.HasPrefix(line, sectionHead) || strings.TrimSpace(line) == "" || strings.HasPrefix(strings.TrimSpace(line), "- ")
		if begins || len(out) == 0 {
			out = append(out, nil)
		}
		out[len(out)-1] = append(out[len(out)-1], line)
	}
	return out
}

// has reports whether a paragraph tells of what is forgotten.
func (g forgotten) has(para []string) bool {
	marked := slices.ContainsFunc(para, func(line string) bool {
		_, id := cutMark(line)
		return g.ids[id]
	})
	return marked || g.saidIn(para)
}

// saidIn reports whether a paragraph says the same as a message that is gone.
func (g forgotten) saidIn(para []string) bool {
	words := wordSet(strings.Join(para, "\n"))
	return g.echoes[paragraphSum(para)] || slices.ContainsFunc(g.said, func(s saying) bool { return s.repeatedBy(words) })
}

// echoesIn are the sums of the paragraphs that repeat a message, by the message's id.
func (g forgotten) echoesIn(body string) map[string][]string {
	out := map[string][]string{}
	for _, para := range paragraphs(body) {
		words := wordSet(strings.Join(para, "\n"))
		for _, s := range g.said {
			if s.repeatedBy(words) {
				out[s.id] = append(out[s.id], paragraphSum(para))
			}
		}
	}
	return out
}

func paragraphSum(para []string) string {
	return sumOf([]byte(strings.TrimSpace(strings.Join(para, "\n"))))
}

// repeatedBy reports whether a paragraph of these words says the same.
func (s saying) repeatedBy(words map[string]bool) bool {
	n := 0
	for w := range words {
		if s.words[w] {
			n++
		}
	}
	return len(words) > 0 && float64(n) >= shareOfGone*float64(len(words))
}

// wordSet are the content words of a text, and the pairs of its Chinese characters.
func wordSet(s string) map[string]bool {
	out := map[string]bool{}
	for _, w := range text.QueryTerms(s) {
		out[w] = true
	}
	return out
}
