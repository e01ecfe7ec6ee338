package journal

import (
	"cmp"
	"context"
	"errors"
	"hash/crc32"
	"io/fs"
	"maps"
	"math"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"

	"memoria/index"
	"memoria/index/text"
	"memoria/memory"
	"memoria/memory/store"
)

// refresh updates the file records and the index from the feed and the disk (J7).
func (j *Journal) refresh(ctx context.Context) error {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.Store.DB().ReadOnly() {
		return j.load(ctx)
	}
	if err := j.follow(ctx); err != nil {
		return err
	}
	return j.scan(ctx)
}

// current is refresh, but checks the files only after a notification where the system
// sends them.
func (j *Journal) current(ctx context.Context) error {
	if !j.told.Load() || j.edited.Swap(false) {
		return j.refresh(ctx)
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	if err := j.load(ctx); err != nil {
		return err
	}
	if ids, _, _, err := j.news(); err == nil && !j.urgent(ids) {
		return nil // the background lists new messages; this need not wait
	}
	return j.follow(ctx)
}

// urgent reports whether one of the feed's messages must be hidden now.
func (j *Journal) urgent(ids []string) (found bool) {
	err := j.Store.View(func(tx *store.Tx) error {
		for _, id := range ids {
			r, err := tx.Record(j.Agent, id)
			if errors.Is(err, store.ErrNotFound) || err == nil && !mayBeWritten(r) {
				found = true
				return nil
			}
			if err != nil {
				return err
			}
			s, err := tx.Session(j.Agent, r.SessionID)
			if err != nil {
				return err
			}
			if slices.ContainsFunc(s.Silenced, func(ev memory.Evidence) bool { return ev.RecordID == id }) {
				found = true
				return nil
			}
		}
		return nil
	})
	return found || err != nil
}

// scan compares the files with their records. The caller holds mu.
func (j *Journal) scan(ctx context.Context) error {
	there, err := j.disk.list()
	if err != nil {
		return err
	}
	var changed []string
	for p, s := range there {
		f, known := j.files[p]
		indexed := f.Seen != ""
		if !known || f.Removed || j.touched[p] || indexed == covered(f) || f.Size != s.size || !f.Changed.Equal(s.changed) {
			changed = append(changed, p)
		}
	}
	clear(j.touched)
	var gone []memory.JournalFile
	for p, f := range j.files {
		if _, ok := there[p]; !ok && j.there(f) {
			gone = append(gone, f)
		}
	}
	slices.SortFunc(changed, func(a, b string) int { // coarser files first, for unknown ones
		return cmp.Or(-cmpBool(path.Dir(a) == summaryDir, path.Dir(b) == summaryDir),
			cmp.Compare(len(path.Base(a)), len(path.Base(b))), cmp.Compare(a, b))
	})
	for paths := range slices.Chunk(changed, indexAtOnce) {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := j.take(ctx, paths, there, gone); err != nil {
			return err
		}
	}
	return j.lose(gone)
}

// covered reports whether a file is excluded from searches because a summary has all of
// its messages. Such a file is not in the index.
func covered(f memory.JournalFile) bool { return f.Covered != "" && !f.Edited }

// indexAtOnce is the number of files read and indexed together.
const indexAtOnce = 200

// take reads new and changed files.
func (j *Journal) take(_ context.Context, paths []string, there map[string]seen, gone []memory.JournalFile) error {
	var files []memory.JournalFile
	var batch index.Batch
	moved := map[string]string{}   // from an old path to a new one
	heads := map[string]Document{} // of edited files
	found := map[string]Document{} // with a header, and unknown
	var uncovered []string         // edited, with messages in a summary
	for _, p := range paths {
		words, sum, err := j.disk.read(p)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			j.log.Warn("a file of the journal cannot be read", "file", p, "error", err)
			continue
		}
		f, known := j.files[p]
		d := Parse(words)
		if !known {
			f = memory.JournalFile{Path: p, Kind: memory.JournalOwn}
			if kindOf(d) != memory.JournalOwn {
				found[p] = d
			}
			if from, ok := j.renamed(d, gone); ok && moved[from.Path] == "" {
				moved[from.Path] = p
				f = from
				f.Path, f.Seen, f.Passages = p, "", 0
				delete(found, p)
			}
		}
		f.Removed = false
		if f.Kind != memory.JournalOwn && sum != f.Sum && sum != f.Next {
			if !f.Written() { // edited after the program wrote it and died
				found[p] = d
				f.Sum = f.Next
			} else {
				heads[p] = d
			}
			f.Edited = true
			if f.Covered != "" {
				f.Covered = ""
				uncovered = append(uncovered, p)
			}
		}
		want, documents := sum, []index.Document(nil)
		if covered(f) {
			want = ""
		}
		if f.Seen != want {
			if want != "" {
				documents = documentsOf(p, f, d)
			}
			for i := len(documents); i < f.Passages; i++ {
				batch.Delete = append(batch.Delete, passageID(p, i))
			}
			batch.Put = append(batch.Put, documents...)
			f.Seen, f.Passages = want, len(documents)
		}
		f.Size, f.Changed = there[p].size, there[p].changed
		files = append(files, f)
	}
	if len(files) == 0 {
		return nil
	}
	seq, err := j.apply(batch)
	if err != nil {
		return err
	}
	return j.Store.Update(func(tx *store.Tx) error {
		for from, to := range moved {
			ids, err := tx.JournalIDs(j.Agent, from)
			if err != nil && !store.Unreadable(err) {
				return err
			}
			if err := errors.Join(tx.PutJournalIDs(j.Agent, to, ids), j.drop(tx, from), j.coveredBy(tx, from, to)); err != nil {
				return err
			}
		}
		for i, f := range files { // their covering files may have been renamed
			if to := moved[f.Covered]; to != "" {
				files[i].Covered = to
			}
		}
		for i, f := range files {
			if d, ok := found[f.Path]; ok {
				var err error
				if files[i], err = j.adopt(tx, f, d); err != nil {
					return err
				}
			}
		}
		for p, d := range heads {
			if err := j.without(tx, p, d); err != nil {
				return err
			}
		}
		if err := errors.Join(j.put(tx, files...), j.sequenced(tx, seq)); err != nil {
			return err
		}
		for _, p := range uncovered {
			if err := j.withdraw(tx, p); err != nil {
				return err
			}
		}
		return nil
	})
}

// withdraw removes the messages of an edited file from their summaries: each message is
// found in one tier (J6), and the user's version wins. The rest of a summary is
// regenerated.
func (j *Journal) withdraw(tx *store.Tx, p string) error {
	own, err := tx.JournalIDs(j.Agent, p)
	if err != nil && !store.Unreadable(err) {
		return err
	}
	for other := range tx.JournalFiles(j.Agent) {
		ids, err := tx.JournalIDs(j.Agent, other)
		if err != nil && !store.Unreadable(err) {
			return err
		}
		left := slices.DeleteFunc(slices.Clone(ids), func(id string) bool { return slices.Contains(own, id) })
		f, err := tx.JournalFile(j.Agent, other)
		if other == p || len(left) == len(ids) || f.Edited || err != nil {
			continue
		}
		f.Stale, f.Regenerate = true, true
		if err := errors.Join(j.put(tx, f), tx.PutJournalIDs(j.Agent, other, left)); err != nil {
			return err
		}
	}
	return nil
}

// adopt takes over a generated file without a record, after an older backup was restored. It
// trusts the header only for messages that the archive has for that day and no other file has.
func (j *Journal) adopt(tx *store.Tx, f memory.JournalFile, d Document) (memory.JournalFile, error) {
	lists, err := tx.JournalLists(j.Agent)
	if err != nil {
		return f, err
	}
	var ids, fresh, removed []string
	other, told := memory.JournalFile{}, d.told()
	for _, id := range d.Records {
		r, err := tx.Record(j.Agent, id)
		if err != nil || !j.may(r) || !near(r.Timestamp, d.Date) || !told(id) {
			continue
		}
		ids = append(ids, id)
		elsewhere := false
		for _, p := range lists.With(id) {
			switch with := j.files[p]; {
			case p == f.Path:
			case with.Removed && with.Covered == "":
				removed = append(removed, p) // restored under another name
			default:
				other, elsewhere = with, true
			}
		}
		if !elsewhere {
			fresh = append(fresh, id)
		}
	}
	switch {
	case len(ids) == 0:
		return f, nil
	case len(fresh) > 0:
		ids = fresh
	case f.Seen != other.Sum && f.Seen != other.Seen:
		return f, nil // a copy edited by the user: the user's own file
	default:
		f.Covered = other.Path
	}
	f.Kind, f.Date, f.Session, f.By, f.Sum = d.Kind, d.Date, d.Session, d.By, cmp.Or(f.Seen, f.Sum)
	f.Messages = len(ids)
	for _, p := range slices.Compact(removed) {
		if err := j.drop(tx, p); err != nil {
			return f, err
		}
	}
	for _, id := range ids {
		if err := tx.DeleteHistory(j.Agent, id); err != nil && !errors.Is(err, store.ErrNotFound) {
			return f, err
		}
	}
	return f, tx.PutJournalIDs(j.Agent, f.Path, ids)
}

// near reports whether a moment may be in a day or month, in any time zone.
func near(at time.Time, date string) bool {
	for _, off := range []int{-14, 0, 12} {
		if strings.HasPrefix(at.UTC().Add(time.Duration(off)*time.Hour).Format(time.DateOnly), date) {
			return true
		}
	}
	return false
}

// without relists the messages that an edited file's header no longer names: an editor
// saved an older version over a newer one. Additional ids in the header are ignored.
func (j *Journal) without(tx *store.Tx, p string, d Document) error {
	if d.Kind == "" || len(d.Records) == 0 {
		return nil
	}
	ids, err := tx.JournalIDs(j.Agent, p)
	if err != nil && !store.Unreadable(err) {
		return err
	}
	var kept []string
	for _, id := range ids {
		if slices.Contains(d.Records, id) {
			kept = append(kept, id)
		} else if err := j.relist(tx, id, j.files[p].Date); err != nil {
			return err
		}
	}
	if len(kept) == len(ids) {
		return nil
	}
	return tx.PutJournalIDs(j.Agent, p, kept)
}

// renamed returns the missing file that a new file was renamed from.
func (j *Journal) renamed(d Document, gone []memory.JournalFile) (memory.JournalFile, bool) {
	if kindOf(d) == memory.JournalOwn {
		return memory.JournalFile{}, false
	}
	for _, f := range gone {
		if f.Kind == d.Kind && f.Date == d.Date && f.Session == d.Session {
			return f, true
		}
	}
	return memory.JournalFile{}, false
}

// lose records that files are gone: the user removed them. Their messages do not return,
// unless a coarser file has them all.
func (j *Journal) lose(gone []memory.JournalFile) error {
	if len(gone) == 0 {
		return nil
	}
	var batch index.Batch
	for _, f := range gone {
		for i := range f.Passages {
			batch.Delete = append(batch.Delete, passageID(f.Path, i))
		}
	}
	seq, err := j.apply(batch)
	if err != nil {
		return err
	}
	return j.Store.Update(func(tx *store.Tx) error {
		for _, f := range gone {
			if now, there := j.files[f.Path]; !there || now.Removed {
				continue // it was renamed
			}
			if err := j.uncover(tx, f.Path); err != nil {
				return err
			}
			if f.Kind == memory.JournalOwn {
				if err := j.drop(tx, f.Path); err != nil {
					return err
				}
				continue
			}
			f.Removed, f.Passages, f.Seen = true, 0, ""
			if err := j.put(tx, f); err != nil {
				return err
			}
		}
		return j.sequenced(tx, seq)
	})
}

// mapping is incremented when the rules for passages change.
const mapping = 2

// openIndex opens the index, or starts an empty one if it does not match this journal.
// Without an index, searches read the files.
func (j *Journal) openIndex(ctx context.Context) {
	if j.Store.DB().ReadOnly() {
		j.broken = "the memory was opened for reading alone"
		return
	}
	var state memory.JournalState
	_ = j.Store.View(func(tx *store.Tx) (err error) {
		state, err = tx.JournalState(j.Agent)
		return err
	})
	o := index.Options{Dir: j.Index, MappingVersion: crc32.ChecksumIEEE([]byte(j.Store.DB().ID())) ^ mapping, Logger: j.log}
	ix, err := index.Open(ctx, o)
	if err == nil {
		if seq, ok := ix.Sequence(); (!ok || seq != state.Sequence) && (ok || state.Sequence != 0) {
			err = errors.Join(index.ErrOld, ix.Close())
		}
	}
	if errors.Is(err, index.ErrBroken) || errors.Is(err, index.ErrOld) {
		j.log.Info("rebuilding the index of the journal", "reason", err)
		if err = index.Destroy(j.Index); err == nil {
			ix, err = index.Open(ctx, o)
		}
		for p, f := range j.files { // read all of them again
			f.Seen, f.Size, f.Passages = "", 0, 0
			f.Changed = f.Changed.Add(-1)
			j.files[p] = f
		}
	}
	if err != nil {
		j.broken = err.Error()
		j.log.Warn("the journal has no index", "error", err)
		return
	}
	j.ix = ix
}

// apply changes the index and returns the sequence of the change; 0 without an index.
func (j *Journal) apply(b index.Batch) (seq uint64, err error) {
	if j.ix == nil || len(b.Put)+len(b.Delete) == 0 {
		return 0, nil
	}
	last, _ := j.ix.Sequence()
	if err := j.ix.Apply(b, last+1); err != nil {
		j.broken = err.Error()
		j.log.Warn("the index of the journal was not changed", "error", err)
		return 0, errors.Join(j.ix.Close(), j.forgetIndex())
	}
	return last + 1, nil
}

func (j *Journal) forgetIndex() error {
	j.ix = nil
	return nil
}

// outdated is an invalid sequence. In the store it means that the index is to be rebuilt.
const outdated = math.MaxUint64

// outdate marks the index for rebuilding, now or after a crash: index files keep words that
// were removed from the index (D2).
func (j *Journal) outdate() error {
	return j.Store.Update(func(tx *store.Tx) error { return j.sequenced(tx, outdated) })
}

// remake rebuilds the index in new files. The caller holds mu and scans afterwards.
func (j *Journal) remake(ctx context.Context) error {
	if err := j.outdate(); err != nil {
		return err
	}
	if j.ix != nil {
		if err := errors.Join(j.ix.Close(), j.forgetIndex()); err != nil {
			return err
		}
	}
	j.openIndex(ctx)
	return nil
}

// Compact rebuilds the index, so that its files contain no forgotten words.
func (j *Journal) Compact(ctx context.Context) error {
	if j.Store.DB().ReadOnly() {
		return nil
	}
	if err := j.refresh(ctx); err != nil {
		return err
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	if err := j.remake(ctx); err != nil {
		return err
	}
	return j.scan(ctx)
}

// sequenced stores the sequence of the index's last change. A different sequence in the
// index means that the two do not match.
func (j *Journal) sequenced(tx *store.Tx, seq uint64) error {
	if seq == 0 {
		return nil
	}
	s, err := tx.JournalState(j.Agent)
	if err != nil && !store.Unreadable(err) {
		return err
	}
	s.Sequence = seq
	return tx.PutJournalState(j.Agent, s)
}

// passageID identifies a passage in the index by its file and position.
func passageID(p string, n int) string { return p + "\x1f" + strconv.Itoa(n) }

func passageOf(id string) (p string, n int) {
	p, number, _ := strings.Cut(id, "\x1f")
	n, _ = strconv.Atoi(number)
	return p, n
}

func documentsOf(p string, f memory.JournalFile, d Document) (out []index.Document) {
	for i, one := range d.Passages() {
		said := one.searched()
		out = append(out, index.Document{
			ID: passageID(p, i), Words: text.Words(said), Grams: text.Grams(said),
			Labels: []string{"kind:" + string(f.Kind), "date:" + f.Date},
		})
	}
	return out
}

// snapshot returns the records of the files. The caller does not hold mu.
func (j *Journal) snapshot() map[string]memory.JournalFile {
	j.mu.Lock()
	defer j.mu.Unlock()
	return maps.Clone(j.files)
}

// snapshotLocked is snapshot with mu held.
func (j *Journal) snapshotLocked() map[string]memory.JournalFile { return maps.Clone(j.files) }

// file returns the record of one file, or the zero value.
func (j *Journal) file(p string) memory.JournalFile {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.files[p]
}
