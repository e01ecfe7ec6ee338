package indexer

import (
	"errors"
	"strings"

	"memoria/index"
	"memoria/index/text"
	"memoria/memory"
	"memoria/memory/store"
)

// Kind names an index of an agent; it is also its folder.
type Kind string

// The indexes of an agent.
const (
	Recall  Kind = "recall"
	Archive Kind = "archive"
)

// mapping is raised when the way in which text becomes terms changes, so that
// older indexes are rebuilt.
const mapping = 1

// maxIndexed bounds how much of one record is indexed, in bytes.
const maxIndexed = 64 << 10

// source is what the two kinds of index differ in.
type source struct {
	feedKind string
	// document reads a record and returns its document; false when there is
	// nothing to index under this id.
	document func(tx *store.Tx, agent, id string) (index.Document, bool, error)
	// page returns at most n documents of records with ids after the given one,
	// the last id it looked at, and how many records it looked at.
	page func(tx *store.Tx, agent, after string, n int) (docs []index.Document, last string, seen int, err error)
	// total is the number of records that page walks over.
	total func(tx *store.Tx, agent string) (int, error)
}

var sources = map[Kind]source{
	Recall: {
		feedKind: store.KindItem,
		document: func(tx *store.Tx, agent, id string) (index.Document, bool, error) {
			it, err := tx.Item(agent, id)
			return found(itemDocument(it), it.IsActive && it.State == memory.StateActive, err)
		},
		page: func(tx *store.Tx, agent, after string, n int) ([]index.Document, string, int, error) {
			items, err := tx.ItemsAfter(agent, after, n)
			var docs []index.Document
			for _, it := range items {
				after = it.ID
				if it.IsActive && it.State == memory.StateActive {
					docs = append(docs, itemDocument(it))
				}
			}
			return docs, after, len(items), err
		},
		total: func(tx *store.Tx, agent string) (int, error) { return tx.Count(agent, "items") },
	},
	Archive: {
		feedKind: store.KindRecord,
		document: func(tx *store.Tx, agent, id string) (index.Document, bool, error) {
			r, err := tx.Record(agent, id)
			return found(recordDocument(r), !r.Own(), err)
		},
		page: func(tx *store.Tx, agent, after string, n int) ([]index.Document, string, int, error) {
			records, err := tx.RecordsAfter(agent, after, n)
			var docs []index.Document
			for _, r := range records {
				after = r.ID
				if !r.Own() {
					docs = append(docs, recordDocument(r))
				}
			}
			return docs, after, len(records), err
		},
		total: func(tx *store.Tx, agent string) (int, error) { return tx.Count(agent, "records") },
	},
}

func found(d index.Document, wanted bool, err error) (index.Document, bool, error) {
	if errors.Is(err, store.ErrNotFound) {
		return index.Document{}, false, nil
	}
	return d, wanted && err == nil, err
}

func itemDocument(it memory.Item) index.Document {
	said := it.Content
	if it.Title != "" && !strings.Contains(it.Content, it.Title) {
		said += "\n" + it.Title
	}
	if len(it.Tags) > 0 {
		said += "\n" + strings.Join(it.Tags, " ")
	}
	return document(it.ID, said, "type:"+string(it.Type))
}

func recordDocument(r memory.Record) index.Document {
	return document(r.ID, r.Content, "session:"+r.SessionID, "role:"+string(r.Role))
}

func document(id, said string, labels ...string) index.Document {
	if len(said) > maxIndexed {
		said = strings.ToValidUTF8(said[:maxIndexed], "")
	}
	return index.Document{ID: id, Words: text.Words(said), Grams: text.Grams(said), Labels: labels}
}
