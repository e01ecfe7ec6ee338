package portable

import (
	"bytes"
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"os"
	"path"
	"path/filepath"
	"strings"
	"time"

	"memoria/kv"
	"memoria/memory"
	"memoria/memory/lookup"
	"memoria/memory/manager/files"
	"memoria/memory/manager/write"
	"memoria/memory/recall"
	"memoria/memory/store"
	"memoria/memory/store/counter"
	"memoria/memory/transfer"
	"memoria/memory/vault"
)

// readMe is the description of the format inside every export.
//
//go:embed export.md
var readMe string

// Writer exports and imports agents. It is safe for concurrent use.
type Writer struct {
	*write.Core
	files *files.Files
}

// New returns a writer for a data folder.
func New(c *write.Core) *Writer { return &Writer{c, files.New(c)} }

// The files of an agent in an export, in the order in which they are written and read.
const (
	agentFile         = "agent.jsonl"
	conversationsFile = "conversations.jsonl"
	itemsFile         = "items.jsonl"
	profileFile       = "profile.jsonl"
	pendingFile       = "pending.jsonl"
	journalFile       = "journal.jsonl"
	deletionsFile     = "deletions.jsonl"
	contentFolder     = "content"
	journalFolder     = "journal"
)

func nameOf(agent string, parts ...string) string {
	return path.Join(append([]string{"agents", agent}, parts...)...)
}

// Progress is told how many memories and messages are done.
type Progress func(done, total int)

// ExportAgent writes all data of an agent as an archive (D1): what was deleted is absent,
// also while it could be restored. program is the version of the program. A group has no
// export of its own, for the error is write.ErrGroup: its members have what they heard.
func (w *Writer) ExportAgent(ctx context.Context, agentID, program string, out io.Writer, progress Progress) (transfer.Agent, error) {
	var described transfer.Agent
	sum := ""
	err := w.View(ctx, func(tx *store.Tx) error {
		e := &exporting{
			Writer: w, ctx: ctx, tx: tx, agent: agentID, progress: progress, rows: store.Portables(), items: map[string]bool{},
			counts: map[string]int{},
			zip:    transfer.NewWriter(out, transfer.Manifest{ExportedAt: w.Now().UTC().Truncate(time.Second), Program: program}),
		}
		if err := e.all(); err != nil {
			return err
		}
		described = transfer.Agent{ID: agentID, Name: e.info.Name, Counts: e.counts}
		var err error
		if sum, err = e.zip.Close(described); e.info.Empty() {
			sum = ""
		}
		return err
	})
	if err != nil {
		return described, fmt.Errorf("exporting the agent %s: %w", agentID, err)
	}
	if sum != "" {
		w.remember(ctx, agentID, sum)
	}
	return described, nil
}

// remember notes an export as one that this memory wrote. If it cannot be noted, as in a
// folder that is only readable, an import of it asks like for any other.
func (w *Writer) remember(ctx context.Context, agentID, sum string) {
	if w.Store.DB().ReadOnly() {
		return
	}
	err := w.Change(ctx, func(tx *store.Tx) error {
		n, err := tx.Count(agentID, counter.Exported(sum))
		if err != nil || n > 0 {
			return err
		}
		return tx.Add(agentID, counter.Exported(sum), 1)
	})
	if err != nil {
		w.Log.Warn("the export was not noted", "error", err)
	}
}

// exporting is an export in progress.
type exporting struct {
	*Writer
	ctx      context.Context
	tx       *store.Tx
	agent    string
	info     lookup.AgentInfo
	zip      *transfer.Writer
	line     func(any) error
	rows     map[string]store.Portable
	counts   map[string]int
	items    map[string]bool
	long     []memory.Record // whose contents are in files
	stale    map[string]bool // paths of journal files with deleted words
	done     int
	progress Progress
}

func (e *exporting) all() error {
	for _, step := range []func() error{
		e.describe, e.readme, e.agentRows, e.conversations, e.memories, e.profile, e.pending, e.contents, e.journal, e.deletions,
	} {
		if err := step(); err != nil {
			return err
		}
	}
	return nil
}

func (e *exporting) describe() (err error) {
	e.info, _, err = e.Lookup().AgentInfo(e.tx, e.agent)
	if err == nil && e.info.Group {
		err = write.ErrGroup
	}
	return err
}

func (e *exporting) readme() error { return e.zip.File("README.md", strings.NewReader(readMe)) }

func (e *exporting) begin(name string) (err error) {
	e.line, err = e.zip.Lines(nameOf(e.agent, name))
	return err
}

// step counts a memory or message.
func (e *exporting) step(what string) {
	e.counts[what]++
	e.done++
	if e.progress != nil {
		e.progress(e.done, e.info.Memories+e.info.Messages)
	}
}

// each calls fn for the rows of a bucket, until ctx is done.
func (e *exporting) each(bucket string, fn func(row) error, parts ...any) error {
	for entry, err := range e.scan(bucket, parts...) {
		if err != nil {
			return err
		}
		if err := context.Cause(e.ctx); err != nil {
			return err
		}
		r, err := rowOf(bucket, entry)
		if err == nil {
			err = fn(r)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (e *exporting) scan(bucket string, parts ...any) iter.Seq2[kv.Entry[json.RawMessage], error] {
	return e.rows[bucket].Rows(e.tx, e.agent, parts...)
}

// copy writes all rows of buckets.
func (e *exporting) copy(buckets []string, parts ...any) error {
	for _, b := range buckets {
		if err := e.each(b, func(r row) error { return e.line(r) }, parts...); err != nil {
			return err
		}
	}
	return nil
}

// agentRows writes the description, with the fields that the configuration gives, and what
// rows of conversations refer to.
func (e *exporting) agentRows() error {
	if err := e.begin(agentFile); err != nil {
		return err
	}
	a := e.info.Agent
	if a != (memory.Agent{ID: a.ID}) {
		r, err := row{Bucket: "agents", Key: []any{}}.with(a)
		if err := errors.Join(err, e.line(r)); err != nil {
			return err
		}
	}
	return e.copy([]string{"texts", "gaps"})
}

// conversations writes each session followed by its rows. Sessions whose messages are not
// kept await their erasure.
func (e *exporting) conversations() error {
	if err := e.begin(conversationsFile); err != nil {
		return err
	}
	return e.each("sessions", func(r row) error {
		s, err := decode[memory.Session](r)
		if err != nil || s.Unkept {
			return err
		}
		if s.Group != "" { // the words are its own from here on
			if s.State != memory.SessionArchived {
				s.State, s.ArchivedAt = memory.SessionArchived, s.LastMessageAt
			}
			s.Group = ""
			if r, err = r.with(s); err != nil {
				return err
			}
		}
		e.counts["conversations"]++
		if err := e.line(r); err != nil {
			return err
		}
		if err := e.each("records", e.record, s.ID); err != nil {
			return err
		}
		return e.copy([]string{"summaries", "working", "working_versions", "packages"}, s.ID)
	})
}

func (e *exporting) record(r row) error {
	rec, err := decode[memory.Record](r)
	if err != nil {
		return err
	}
	if rec.Heard != "" { // of a group
		if rec, err = e.tx.Record(e.agent, rec.ID); err != nil {
			if store.Unreadable(err) {
				return nil
			}
			return err
		}
		rec.Heard = ""
	}
	if rec.ContentRef != "" {
		e.long = append(e.long, rec)
		rec.ContentRef = path.Join(contentFolder, e.agent, rec.ID+".txt")
	}
	if r, err = r.with(rec); err != nil {
		return err
	}
	e.step("messages")
	return e.line(r)
}

// contents writes long contents. One that cannot be read is absent, as it is here.
func (e *exporting) contents() error {
	for _, r := range e.long {
		b, err := []byte(nil), fs.ErrInvalid
		if vault.IsContentRef(r.ContentRef) {
			b, err = os.ReadFile(filepath.Join(e.Vault().Dir(), filepath.FromSlash(r.ContentRef)))
		}
		if err == nil && r.ContentSum != "" && r.ContentSum != recall.Checksum(b) {
			err = fs.ErrInvalid
		}
		if err != nil {
			e.counts["unreadable"]++
			continue
		}
		if err := e.zip.File(nameOf(e.agent, contentFolder, r.ID+".txt"), bytes.NewReader(b)); err != nil {
			return err
		}
	}
	return nil
}

// memories writes each item followed by its versions and its ledger, then the notes about
// deleted items, which have no words.
func (e *exporting) memories() error {
	if err := e.begin(itemsFile); err != nil {
		return err
	}
	err := e.each("items", func(r row) error {
		e.items[r.id()] = true
		e.step("memories")
		if err := e.line(r); err != nil {
			return err
		}
		return e.copy([]string{"item_versions", "item_changes"}, r.id())
	})
	if err != nil {
		return err
	}
	return e.each("item_changes", func(r row) error {
		if e.items[r.id()] {
			return nil
		}
		return e.line(r)
	})
}

func (e *exporting) profile() error {
	if err := e.begin(profileFile); err != nil {
		return err
	}
	if err := e.copy([]string{"profiles"}); err != nil {
		return err
	}
	return e.each("counts", func(r row) error {
		if counter.Name(r.id()).Local() {
			return nil
		}
		return e.line(r)
	})
}

func (e *exporting) pending() error {
	if err := e.begin(pendingFile); err != nil {
		return err
	}
	if err := e.each("incoming", e.record); err != nil {
		return err
	}
	return e.copy([]string{"turn_changes", "partials", "drafts", "jobs"})
}

func (e *exporting) deletions() error {
	if err := e.begin(deletionsFile); err != nil {
		return err
	}
	return e.copy([]string{"seals", "refused", "forgotten"})
}

// journal writes the records of journal files, and the files. Files with words of messages
// that were deleted meanwhile are absent: they are made from the archive again.
func (e *exporting) journal() error {
	if err := e.begin(journalFile); err != nil {
		return err
	}
	if err := e.findStale(); err != nil {
		return err
	}
	for _, bucket := range []string{"history", "journal_files", "journal_ids", "journal_states", "passages"} {
		if err := e.each(bucket, e.journalRow); err != nil {
			return err
		}
	}
	dir := filepath.Join(e.Vault().Dir(), journalFolder, e.agent)
	return filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		rel, err := filepath.Rel(dir, name)
		if rel = filepath.ToSlash(rel); err != nil || !isJournalPath(rel) || e.stale[rel] {
			return err
		}
		b, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		e.counts["journal"]++
		return e.zip.File(nameOf(e.agent, journalFolder, rel), bytes.NewReader(b))
	})
}

// findStale finds the journal files with messages that no longer exist, or are no longer for
// memory.
func (e *exporting) findStale() error {
	e.stale = map[string]bool{}
	return e.each("journal_ids", func(r row) error {
		ids, err := decode[[]string](r)
		for _, id := range ids {
			if err != nil || e.stale[r.id()] {
				break
			}
			rec, rerr := e.tx.Record(e.agent, id)
			switch {
			case errors.Is(rerr, store.ErrNotFound), rerr == nil && rec.NotForMemory:
				e.stale[r.id()] = true
			case rerr != nil && !store.Unreadable(rerr):
				err = rerr
			}
		}
		return err
	})
}

func (e *exporting) journalRow(r row) error {
	switch r.Bucket {
	case "journal_files", "journal_ids":
		if e.stale[r.id()] {
			return nil
		}
	case "passages":
		for p := range e.stale {
			if store.JournalName(p) == r.id() {
				return nil
			}
		}
	}
	var err error
	switch r.Bucket {
	case "journal_files": // what is known of the files on this disk stays here
		var f memory.JournalFile
		if f, err = decode[memory.JournalFile](r); err == nil {
			f.Seen, f.Size, f.Changed, f.Passages = "", 0, time.Time{}, 0
			r, err = r.with(f)
		}
	case "journal_states":
		var s memory.JournalState
		if s, err = decode[memory.JournalState](r); err == nil {
			s.Sequence = 0
			r, err = r.with(s)
		}
	}
	if err != nil {
		return err
	}
	return e.line(r)
}
