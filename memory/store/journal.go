package store

import (
	"bytes"
	"errors"
	"iter"

	"github.com/oklog/ulid/v2"

	"memoria/kv"
	"memoria/memory"
	"memoria/memory/store/codec"
)

// PutHistory writes a message's progress into the journal.
func (tx *Tx) PutHistory(agent, record string, e memory.HistoryEntry) error {
	return history.Put(tx.kv, kv.Key(agent, record), e)
}

// History returns the history entry of a message.
func (tx *Tx) History(agent, record string) (memory.HistoryEntry, error) {
	return history.Get(tx.kv, kv.Key(agent, record))
}

// DeleteHistory removes an entry, if present.
func (tx *Tx) DeleteHistory(agent, record string) error {
	return history.Delete(tx.kv, kv.Key(agent, record))
}

// Histories yields an agent's entries by message id, oldest first, without unreadable
// ones.
func (tx *Tx) Histories(agent string) iter.Seq2[string, memory.HistoryEntry] {
	return under(tx, history, agent)
}

// under yields the readable records of a bucket with keys (agent, name).
func under[T any](tx *Tx, bucket kv.Bucket[T], agent string) iter.Seq2[string, T] {
	return func(yield func(string, T) bool) {
		for e, err := range readable(tx, bucket.Scan(tx.kv, kv.Prefix(agent))) {
			if err != nil {
				return
			}
			var owner, name string
			if kv.Unpack(e.Key, &owner, &name) == nil && !yield(name, e.Value) {
				return
			}
		}
	}
}

// PutJournalFile writes the record of a journal file.
func (tx *Tx) PutJournalFile(agent string, f memory.JournalFile) error {
	return journalFiles.Put(tx.kv, kv.Key(agent, f.Path), f)
}

// PutJournalIDs writes the source messages of a journal file; none removes the list.
func (tx *Tx) PutJournalIDs(agent, path string, ids []string) error {
	if len(ids) == 0 {
		return journalIDs.Delete(tx.kv, kv.Key(agent, path))
	}
	return journalIDs.Put(tx.kv, kv.Key(agent, path), ids)
}

// JournalIDs returns the source messages of a journal file, in order; none for a file of
// the user.
func (tx *Tx) JournalIDs(agent, path string) ([]string, error) {
	return orZero(journalIDs.Get(tx.kv, kv.Key(agent, path)))
}

// JournalFile returns the record of a journal file.
func (tx *Tx) JournalFile(agent, path string) (memory.JournalFile, error) {
	return journalFiles.Get(tx.kv, kv.Key(agent, path))
}

// JournalFiles yields the records of the agent's journal files, by path.
func (tx *Tx) JournalFiles(agent string) iter.Seq2[string, memory.JournalFile] {
	return under(tx, journalFiles, agent)
}

// DeleteJournalFile deletes a journal file's record and its quotations.
func (tx *Tx) DeleteJournalFile(agent, path string) error {
	_, err := passages.DeletePrefix(tx.kv, kv.Prefix(agent, JournalName(path)))
	return errors.Join(err, journalFiles.Delete(tx.kv, kv.Key(agent, path)), journalIDs.Delete(tx.kv, kv.Key(agent, path)))
}

// JournalLists holds the source messages of all journal files of an agent.
type JournalLists []idList

// idList is the stored list of one file.
type idList struct {
	path string
	ids  []byte
}

// JournalLists reads the lists of all journal files of an agent.
func (tx *Tx) JournalLists(agent string) (out JournalLists, err error) {
	out = JournalLists{}
	for e, err := range readable(tx, raw(journalIDs).Scan(tx.kv, kv.Prefix(agent))) {
		if err != nil {
			return nil, err
		}
		l := idList{ids: e.Value}
		var owner string
		if err := kv.Unpack(e.Key, &owner, &l.path); err != nil {
			return nil, err
		}
		out = append(out, l)
	}
	return out, nil
}

// With returns the paths of the files that contain a message.
func (all JournalLists) With(record string) (paths []string) {
	u, err := ulid.ParseStrict(record)
	if err != nil {
		return nil // not an id of a message
	}
	for _, l := range all {
		for at := 0; ; at++ {
			i := bytes.Index(l.ids[at:], u[:])
			if i < 0 {
				break
			}
			if at += i; at%len(u) == 0 {
				paths = append(paths, l.path)
				break
			}
		}
	}
	return paths
}

// JournalState returns the state of the agent's journal, initially the zero value.
func (tx *Tx) JournalState(agent string) (memory.JournalState, error) {
	return orZero(journalStates.Get(tx.kv, kv.Key(agent)))
}

// PutJournalState writes the state of the agent's journal.
func (tx *Tx) PutJournalState(agent string, s memory.JournalState) error {
	return journalStates.Put(tx.kv, kv.Key(agent), s)
}

// JournalName returns the name of a journal file in packages, which reveals no word of
// its path.
func JournalName(path string) string { return TextID(path)[:nameLength] }

const nameLength = 16

// PutPassage stores the path of a journal file and, if not empty, quoted words, so that a
// package can refer to them by [JournalName] and by the returned hash.
func (tx *Tx) PutPassage(agent, path, words string) (id string, err error) {
	name := JournalName(path)
	for _, row := range [][2]string{{"", path}, {TextID(words), words}} {
		key := kv.Key(agent, name, row[0])
		if there, err := passages.Has(tx.kv, key); err != nil {
			return "", err
		} else if row[1] == "" || there {
			continue
		}
		if err := passages.Put(tx.kv, key, row[1]); err != nil {
			return "", err
		}
	}
	return TextID(words), nil
}

// Passage returns quoted words of a journal file, by its name and their hash; without the
// hash, the path of the file.
func (tx *Tx) Passage(agent, name, id string) (string, error) {
	return passages.Get(tx.kv, kv.Key(agent, name, id))
}

// journal moves the quotations from the files that contain a record.
func (b *bin) journal(record string) error {
	if b.lists == nil {
		var err error
		if b.lists, err = b.tx.JournalLists(b.agent); err != nil {
			return err
		}
	}
	for _, path := range b.lists.With(record) {
		if _, err := b.takeAll(raw(passages), kv.Prefix(b.agent, JournalName(path)), nil); err != nil {
			return err
		}
	}
	return nil
}

// Unquote deletes the quotations from the files that contain a message.
func (tx *Tx) Unquote(agent, record string) error {
	lists, err := tx.JournalLists(agent)
	for _, path := range lists.With(record) {
		_, failed := passages.DeletePrefix(tx.kv, kv.Prefix(agent, JournalName(path)))
		err = errors.Join(err, failed)
	}
	return err
}

// Touch announces a change outside the record itself: words of it were silenced, or are no
// longer silenced.
func (tx *Tx) Touch(agent, record string) error {
	return tx.announce(agent, KindRecord, record, OpPut)
}

// TrashedRecord returns a record from the trash.
func (tx *Tx) TrashedRecord(agent, id string) (memory.Record, error) {
	for e, err := range readable(tx, trash.Scan(tx.kv, kv.Prefix(agent))) {
		if err != nil {
			return memory.Record{}, err
		}
		for _, row := range e.Value {
			if row.Bucket != records.Name() {
				continue
			}
			if r, err := codec.DecodeRecord(row.Value); err == nil && r.ID == id {
				return r, nil
			}
		}
	}
	return memory.Record{}, ErrNotFound
}

// DeletionIDs yields the ids of all deletions that can be undone, of every agent.
func (tx *Tx) DeletionIDs() iter.Seq2[string, error] {
	return func(yield func(string, error) bool) {
		for e, err := range deletions.Scan(tx.kv, nil) {
			if err != nil && !tx.skip(err) {
				yield("", err)
				return
			}
			if err == nil && !yield(e.Value.ID, nil) {
				return
			}
		}
	}
}

// DropJournal deletes an agent's journal records, which can be rebuilt from the files, and
// the quotations in packages: without the records, a later deletion would not find them.
func (tx *Tx) DropJournal(agent string) error {
	prefix := kv.Prefix(agent)
	_, a := history.DeletePrefix(tx.kv, prefix)
	_, b := journalFiles.DeletePrefix(tx.kv, prefix)
	_, c := journalIDs.DeletePrefix(tx.kv, prefix)
	_, d := journalStates.DeletePrefix(tx.kv, prefix)
	_, e := passages.DeletePrefix(tx.kv, prefix)
	return errors.Join(a, b, c, d, e)
}
