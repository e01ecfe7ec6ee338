package journal

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"memoria/kv"
	"memoria/memory"
	"memoria/memory/store"
)

// MarkPrefix is the prefix of the journals' follower names in the change feed.
const MarkPrefix = "journal/"

func (j *Journal) markName() string { return MarkPrefix + j.Agent }

// followAtOnce is the number of feed entries processed in one write.
const followAtOnce = 2000

// follow lists new messages, and marks files as stale whose messages were deleted or are
// no longer for memory. It is idempotent over feed entries. The caller holds mu.
func (j *Journal) follow(ctx context.Context) error {
	if err := j.load(ctx); err != nil {
		return err
	}
	for more := true; more; {
		if err := ctx.Err(); err != nil {
			return err
		}
		seen, to, rest, err := j.news()
		if errors.Is(err, kv.ErrTrimmed) || errors.Is(err, errUnknown) {
			return j.catchUp(ctx)
		}
		if err != nil {
			return err
		}
		more = rest
		if to == 0 {
			return nil
		}
		if err := j.noteAll(seen, false, &to); err != nil {
			return err
		}
	}
	return nil
}

var errUnknown = errors.New("the journal has no place in the change feed")

// news returns the messages named by the next part of the feed, each once, and its end; 0 if
// there is nothing new.
func (j *Journal) news() (ids []string, to uint64, more bool, err error) {
	err = j.Store.View(func(tx *store.Tx) error {
		marks, err := tx.KV().Marks()
		if err != nil {
			return err
		}
		from, known := marks[j.markName()]
		if !known {
			return errUnknown
		}
		_, last, err := tx.KV().FeedBounds()
		if err != nil || from == last {
			return err
		}
		if from > last {
			return errUnknown
		}
		once := map[string]bool{}
		for c, err := range tx.KV().Changes(from) {
			if err != nil {
				if kv := (*kv.RecordError)(nil); errors.As(err, &kv) {
					return errUnknown
				}
				return err
			}
			to = c.Seq
			if c.Agent == j.Agent && c.Kind == store.KindRecord && !once[c.ID] {
				once[c.ID] = true
				ids = append(ids, c.ID)
			}
			if to-from >= followAtOnce {
				break
			}
		}
		more = to < last
		return nil
	})
	return ids, to, more, err
}

// noteAll processes messages in one write, which also sets the feed mark to *to; nil
// leaves the mark unchanged.
func (j *Journal) noteAll(ids []string, old bool, to *uint64) error {
	return j.Store.Update(func(tx *store.Tx) error {
		lists, err := tx.JournalLists(j.Agent)
		if err != nil {
			return err
		}
		for _, id := range ids {
			if err := j.note(tx, lists, id, old); err != nil {
				return err
			}
		}
		if to == nil {
			return nil
		}
		return tx.KV().SetMark(j.markName(), *to)
	})
}

// note processes one new, changed or deleted message.
func (j *Journal) note(tx *store.Tx, lists store.JournalLists, id string, old bool) error {
	r, err := tx.Record(j.Agent, id)
	lost := errors.Is(err, store.ErrNotFound)
	if err != nil && !lost {
		if store.Unreadable(err) {
			return nil // counted elsewhere; nothing is known about it
		}
		return err
	}
	paths, out := lists.With(id), lost
	if !lost {
		if out, err = j.excluded(tx, r); err != nil {
			return err
		}
	}
	if len(paths) > 0 {
		return j.touch(tx, id, paths, out)
	}
	_, err = tx.History(j.Agent, id)
	listed := err == nil
	switch {
	case err != nil && !errors.Is(err, store.ErrNotFound) && !store.Unreadable(err):
		return err
	case out && listed:
		return tx.DeleteHistory(j.Agent, id)
	case out || listed:
		return nil
	}
	return j.list(tx, r, dayOf(r.Timestamp, j.Now().Location()), old)
}

// list adds a message to the history.
func (j *Journal) list(tx *store.Tx, r memory.Record, day string, old bool) error {
	size := len(r.Content)
	if r.ContentRef != "" && size == 0 {
		size = memory.MaxContent
	}
	return tx.PutHistory(j.Agent, r.ID, memory.HistoryEntry{
		Session: r.SessionID, Day: day, Bytes: size, Archived: memory.ArchivedNo,
		Old: (old || imported(r)) && tierOf(day, j.today()) != memory.JournalVerbatim,
	})
}

// relist adds a message from the file of a day or month to the history again.
func (j *Journal) relist(tx *store.Tx, id, date string) error {
	r, err := tx.Record(j.Agent, id)
	if errors.Is(err, store.ErrNotFound) || store.Unreadable(err) {
		return nil
	}
	if err != nil || !j.may(r) {
		return err
	}
	return j.list(tx, r, within(dayOf(r.Timestamp, j.Now().Location()), date), false)
}

// imported reports whether a message comes from another program, or was stored long after
// its time.
func imported(r memory.Record) bool {
	if r.Metadata.Imported {
		return true
	}
	came, err := memory.IDTime(r.ID)
	return err == nil && came.Sub(r.Timestamp) > 24*time.Hour
}

// touch marks the files of a changed or excluded message as stale.
func (j *Journal) touch(tx *store.Tx, id string, paths []string, out bool) error {
	for _, p := range paths {
		f, err := tx.JournalFile(j.Agent, p)
		if errors.Is(err, store.ErrNotFound) || store.Unreadable(err) {
			continue
		}
		if err != nil {
			return err
		}
		f.Stale = true
		if err := j.put(tx, f); err != nil {
			return err
		}
	}
	if !out {
		return nil
	}
	if err := tx.DeleteHistory(j.Agent, id); err != nil && !errors.Is(err, store.ErrNotFound) {
		return err
	}
	return tx.Unquote(j.Agent, id)
}

// catchUp compares the whole archive with the files: at the first start, after a restore, and
// if the feed was trimmed.
func (j *Journal) catchUp(ctx context.Context) error {
	var last uint64
	known := map[string]bool{}
	var changed []string
	err := j.Store.View(func(tx *store.Tx) (err error) {
		if _, last, err = tx.KV().FeedBounds(); err != nil {
			return err
		}
		for p := range tx.JournalFiles(j.Agent) {
			ids, err := tx.JournalIDs(j.Agent, p)
			if err != nil && !store.Unreadable(err) {
				return err
			}
			for _, id := range ids {
				known[id] = true
			}
		}
		for id := range tx.Histories(j.Agent) {
			known[id] = true
		}
		for r, err := range tx.AllRecords(j.Agent) {
			if err != nil {
				if store.Unreadable(err) {
					continue
				}
				return err
			}
			if ctx.Err() != nil {
				return ctx.Err()
			}
			if known[r.ID] {
				delete(known, r.ID)
				if mayBeWritten(r) {
					continue
				}
			}
			changed = append(changed, r.ID)
		}
		for id := range known {
			changed = append(changed, id)
		}
		return nil
	})
	if err != nil {
		return err
	}
	for ids := range slices.Chunk(changed, followAtOnce) {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := j.noteAll(ids, true, nil); err != nil {
			return err
		}
	}
	return j.noteAll(nil, false, &last)
}

// may is mayBeWritten, but also honours a request in the message not to be remembered
// (U5).
func (j *Journal) may(r memory.Record) bool {
	return mayBeWritten(r) && !(r.Role == memory.RoleUser && j.Policy().Forbids(r.Typed()))
}

// mayBeWritten reports whether the journal may hold a message, by the record's own fields
// (U2, U5, A1).
func mayBeWritten(r memory.Record) bool {
	switch {
	case r.Role != memory.RoleUser && !r.Answers(), r.Withheld(), r.Metadata.Forgetful, r.SessionID == "":
		return false
	}
	return strings.TrimSpace(r.Content) != "" || r.ContentRef != ""
}
