package indexer

import (
	"errors"
	"strings"

	"memoria/index"
	"memoria/index/text"
	"memoria/memory"
	"memoria/memory/store"
	"memoria/memory/store/counter"
)

// Kind names an index of an agent, and its folder.
type Kind string

// The indexes of an agent.
const (
	Recall  Kind = "recall"
	Archive Kind = "archive"
)

// mapping is incremented when the rules for terms change, so that older indexes are
// rebuilt.
const mapping = 3

// maxIndexed bounds the indexed part of one record, in bytes.
const maxIndexed = 64 << 10

// source holds the differences between the two kinds of index.
type source struct {
	feedKind string
	// document reads a record and returns its document. It returns false if the record
	// is not to be indexed, store.ErrNotFound if it does not exist.
	document func(tx *store.Tx, agent, id string) (index.Document, bool, error)
	// page returns the documents of at most n records with ids after the given one, the
	// last id read, and the number of records read.
	page func(tx *store.Tx, agent, after string, n int) (docs []index.Document, last string, seen int, err error)
	// total is the number of records that page visits.
	total func(tx *store.Tx, agent string) (int, error)
}

func sourceOf(o Options) source {
	if o.Kind == Archive {
		return archiveSource(o.Content)
	}
	return recallSource()
}

func recallSource() source {
	return source{
		feedKind: store.KindItem,
		document: func(tx *store.Tx, agent, id string) (index.Document, bool, error) {
			it, err := tx.Item(agent, id)
			if err != nil || !recallable(it) {
				return index.Document{}, false, err
			}
			return itemDocument(it), true, nil
		},
		page: func(tx *store.Tx, agent, after string, n int) (docs []index.Document, last string, seen int, err error) {
			items, err := tx.ItemsAfter(agent, after, n)
			for _, it := range items {
				after = it.ID
				if recallable(it) {
					docs = append(docs, itemDocument(it))
				}
			}
			return docs, after, len(items), err
		},
		total: func(tx *store.Tx, agent string) (int, error) { return tx.Count(agent, counter.Items) },
	}
}

func archiveSource(content func(memory.Record) string) source {
	return source{
		feedKind: store.KindRecord,
		document: func(tx *store.Tx, agent, id string) (index.Document, bool, error) {
			r, err := tx.Record(agent, id)
			if err != nil || !spoken(r) {
				return index.Document{}, false, err
			}
			return recordDocument(r, content), true, nil
		},
		page: func(tx *store.Tx, agent, after string, n int) (docs []index.Document, last string, seen int, err error) {
			records, err := tx.RecordsAfter(agent, after, n)
			for _, r := range records {
				after = r.ID
				if spoken(r) {
					docs = append(docs, recordDocument(r, content))
				}
			}
			return docs, after, len(records), err
		},
		total: func(tx *store.Tx, agent string) (int, error) { return tx.Count(agent, counter.Records) },
	}
}

// spoken reports whether a message was written by a person or a model: not the
// program's own words, and not a tool trace (P3).
func spoken(r memory.Record) bool { return !store.Derived(r) }

// recallable is [memory.Item.Recallable] without the validity, which depends on the
// time of the search.
func recallable(it memory.Item) bool { return it.IsActive() }

func itemDocument(it memory.Item) index.Document {
	said := it.Content
	if it.Title != "" && !strings.Contains(it.Content, it.Title) {
		said += "\n" + it.Title
	}
	for _, tag := range it.Tags {
		// The name of the type is on every item of the type, and would make each of
		// them match "I prefer …"; it is a label.
		if tag != string(it.Type) {
			said += "\n" + tag
		}
	}
	return document(it.ID, said, "type:"+string(it.Type))
}

func recordDocument(r memory.Record, content func(memory.Record) string) index.Document {
	said := r.Content
	if r.ContentRef != "" && said == "" && content != nil {
		said = content(r)
	}
	labels := []string{"session:" + r.SessionID, "role:" + string(r.Role)}
	if r.Sender != "" {
		labels = append(labels, "sender:"+r.Sender)
	}
	return document(r.ID, said, labels...)
}

func document(id, said string, labels ...string) index.Document {
	if len(said) > maxIndexed {
		said = strings.ToValidUTF8(said[:maxIndexed], "")
	}
	return index.Document{ID: id, Words: text.Words(said), Grams: text.Grams(said), Labels: labels}
}

// add adds the newest version of a record to the batch. A record that is deleted,
// unreadable or not to be found is deleted from the index.
func (f *Follower) add(b *batch, tx *store.Tx, id string) error {
	doc, ok, err := f.src.document(tx, f.agent, id)
	switch {
	case unreadable(err):
		f.log.Warn("a record that cannot be read is left out of the index", "record", id)
	case err != nil && !errors.Is(err, store.ErrNotFound):
		return err
	}
	if ok && err == nil {
		b.put(doc)
	} else {
		b.Delete = append(b.Delete, id)
	}
	return nil
}

// batch is a batch that tracks its size.
type batch struct {
	index.Batch
	bytes int
}

// termBytes is the memory overhead of a term: a string header and its field in the
// index.
const termBytes = 64

func (b *batch) put(docs ...index.Document) {
	for _, d := range docs {
		b.bytes += termBytes * (len(d.Words) + len(d.Grams))
	}
	b.Put = append(b.Put, docs...)
}

func (b *batch) empty() bool { return len(b.Put)+len(b.Delete) == 0 }

func (b *batch) full(l batchLimit) bool {
	return len(b.Put)+len(b.Delete) >= l.documents || b.bytes >= l.bytes
}

// batchLimit bounds a batch by its documents or feed entries, and by the approximate
// bytes of its terms, so that long records make small batches.
type batchLimit struct{ documents, bytes int }

// Each batch becomes a segment of the index, and small segments have to be merged. So a
// rebuild makes large batches (100,000 messages take 40 % less CPU time than with
// feedBatch, and some 150 MB more memory). Changes need to be visible soon.
var (
	feedBatch    = batchLimit{documents: pageSize, bytes: 16 << 20}
	rebuildBatch = batchLimit{documents: 4000, bytes: 32 << 20}
)
