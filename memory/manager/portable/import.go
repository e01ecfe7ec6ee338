package portable

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"memoria/memory"
	"memoria/memory/journal"
	"memoria/memory/lookup"
	"memoria/memory/manager/write"
	"memoria/memory/profile"
	"memoria/memory/store"
	"memoria/memory/store/counter"
	"memoria/memory/store/gone"
	"memoria/memory/transfer"
)

// Options say how an export is imported.
type Options struct {
	// To is the agent that receives the data; empty means that of the export.
	To string
	// HoldRules imports no instruction that is in force: memories about how to answer wait in
	// the inbox; lines of the profile, the persona and pending work are left out (P10).
	HoldRules bool
	// Current is the agent in use, which then keeps its persona too: another agent gets that
	// of the export.
	Current string
}

// ErrAgents reports that an export has not exactly one agent.
var ErrAgents = fmt.Errorf("%w: it has not exactly one agent", transfer.ErrDamaged)

// Look checks a whole archive, including all checksums, and returns what importing it
// would do. It changes nothing.
func (w *Writer) Look(ctx context.Context, a *transfer.Archive, o Options, progress Progress) (Report, error) {
	in, err := w.importing(a, o)
	if err != nil {
		return Report{}, err
	}
	in.progress = progress
	err = a.Verify(ctx, nil)
	if err == nil {
		err = w.View(ctx, func(tx *store.Tx) error {
			in.tx = tx
			return in.run(ctx)
		})
	}
	if err != nil {
		return Report{}, fmt.Errorf("reading the export: %w", err)
	}
	return in.report, nil
}

// ImportAgent adds the data of an archive that Look accepted to an agent (D1). An agent
// without data becomes equal to the exported one. Otherwise what is here and newer is kept.
// Deletions and refusals of this data folder apply before anything is visible (D2). Each
// conversation and each memory is written whole; an interrupted import is continued by
// importing again.
func (w *Writer) ImportAgent(ctx context.Context, a *transfer.Archive, o Options, progress Progress) (Report, error) {
	in, err := w.importing(a, o)
	if err != nil {
		return Report{}, err
	}
	in.progress = progress
	if in.agent, err = w.Agent(in.to); err == nil {
		err = in.run(ctx)
	}
	if err != nil {
		return in.report, fmt.Errorf("importing the agent %s: %w", in.to, err)
	}
	w.Changed()
	return in.report, nil
}

func (w *Writer) importing(a *transfer.Archive, o Options) (*importing, error) {
	if len(a.Manifest.Agents) != 1 {
		return nil, ErrAgents
	}
	exported := a.Manifest.Agents[0]
	in := &importing{
		Writer: w, archive: a, from: exported.ID, to: o.To, hold: o.HoldRules, current: o.Current, buckets: store.Portables(),
		deleted: map[string]bool{},
	}
	if in.to == "" {
		in.to = in.from
	}
	for _, id := range []string{in.from, in.to} {
		if !memory.ValidAgentID(id) {
			return nil, fmt.Errorf("%w: the agent %q", transfer.ErrDamaged, id)
		}
	}
	in.report = Report{
		Agent: in.to, From: in.from, Name: exported.Name, ExportedAt: a.Manifest.ExportedAt, Rules: []Rule{}, Conflicts: []Conflict{},
	}
	for _, f := range a.Manifest.Files {
		switch {
		case f.Name != "README.md" && !strings.HasPrefix(f.Name, nameOf(in.from)+"/"):
			return nil, fmt.Errorf("%w: the file %q belongs to no agent", transfer.ErrDamaged, f.Name)
		case f.Size > maxContent && strings.HasPrefix(f.Name, nameOf(in.from, contentFolder)+"/"):
			return nil, fmt.Errorf("%w: %s", transfer.ErrLarge, f.Name)
		}
	}
	var err error
	in.gone, err = gone.Read(w.Store.DB().Path())
	return in, err
}

// importing is an import in progress, or a look at what it would do.
type importing struct {
	*Writer
	archive  *transfer.Archive
	from, to string
	hold     bool
	current  string
	agent    *write.Agent // nil for a look
	fresh    bool         // the agent had no data when its import began
	buckets  map[string]store.Portable
	gone     *gone.List
	report   Report
	progress Progress
	done     int

	tx      *store.Tx // of the current write, or of the look
	t       *write.Tx // of the current write
	batch   [][]row
	size    int
	apply   func([]row) error
	deleted map[string]bool // ids of what stays deleted
	words   []string        // its words
	wishes  []string        // what the last version of the profile says about answers
}

// run reads the files of the agent in their order.
func (in *importing) run(ctx context.Context) error {
	if err := in.begin(ctx); err != nil {
		return err
	}
	for _, file := range []struct {
		name   string
		first  string // the bucket whose rows begin a group; empty: each row alone
		wanted []string
		apply  func([]row) error
	}{
		{agentFile, "", []string{"agents", "texts", "gaps"}, in.agentRow},
		{conversationsFile, "sessions", []string{"records", "summaries", "working", "working_versions", "packages"}, in.conversation},
		{itemsFile, "items", []string{"item_versions", "item_changes"}, in.item},
		{profileFile, "", []string{"profiles", "counts"}, in.profileRow},
		{pendingFile, "", []string{"incoming", "turn_changes", "partials", "drafts", "jobs"}, in.pendingRow},
		{journalFile, "", []string{"history", "journal_files", "journal_ids", "journal_states", "passages"}, in.journalRow},
		{deletionsFile, "", []string{"seals", "refused", "forgotten"}, in.deletionRow},
	} {
		in.apply = file.apply
		if file.name == journalFile {
			if err := in.journalFiles(ctx); err != nil {
				return err
			}
		}
		if err := in.read(ctx, nameOf(in.from, file.name), file.first, file.wanted); err != nil {
			return err
		}
	}
	return in.end(ctx)
}

// Limits of a long content and of a group of rows, such as a conversation, which are in
// memory, and the least number of bytes and rows in one write.
const (
	maxContent = 64 << 20
	maxGroup   = 256 << 20
	batchRows  = 500
	batchBytes = 4 << 20
)

// read applies a file group by group.
func (in *importing) read(ctx context.Context, name, first string, wanted []string) error {
	var group []row
	size := 0
	finish := func() error {
		if len(group) == 0 {
			return nil
		}
		err := in.add(ctx, group, size)
		group, size = nil, 0
		return err
	}
	for line, err := range in.archive.Lines(ctx, name) {
		if err != nil {
			return err
		}
		r, err := parseRow(line, in.from, in.to)
		if err != nil {
			return err
		}
		if r.Bucket != first && !slices.Contains(wanted, r.Bucket) {
			return wrong(r, "it is in another file")
		}
		begins := first == "" || r.Bucket == first || len(group) > 0 && r.id() != group[0].id()
		if begins {
			if err := finish(); err != nil {
				return err
			}
		}
		if first == "sessions" && len(group) == 0 && r.Bucket != first {
			return wrong(r, "it belongs to no conversation")
		}
		group, size = append(group, r), size+len(line)
		if size > maxGroup {
			return fmt.Errorf("%w: a conversation", transfer.ErrLarge)
		}
	}
	if err := finish(); err != nil {
		return err
	}
	return in.flush(ctx)
}

// add applies a group, or adds it to the next write.
func (in *importing) add(ctx context.Context, group []row, size int) error {
	if in.agent == nil {
		if err := context.Cause(ctx); err != nil {
			return err
		}
		return in.apply(group)
	}
	if err := in.storeLong(ctx, group); err != nil {
		return err
	}
	in.batch, in.size = append(in.batch, group), in.size+size
	rows := 0
	for _, g := range in.batch {
		rows += len(g)
	}
	if rows < batchRows && in.size < batchBytes {
		return nil
	}
	return in.flush(ctx)
}

// flush writes the groups that wait.
func (in *importing) flush(ctx context.Context) error {
	if len(in.batch) == 0 {
		return nil
	}
	err := in.write(ctx, func() error {
		for _, group := range in.batch {
			if err := in.apply(group); err != nil {
				return err
			}
		}
		return nil
	})
	in.batch, in.size = nil, 0
	return err
}

// write runs fn in a write, or as part of a look.
func (in *importing) write(ctx context.Context, fn func() error) error {
	if in.agent == nil {
		return fn()
	}
	return in.Update(ctx, in.agent, func(t *write.Tx) error {
		if err := t.RefuseGroup(); err != nil {
			return err
		}
		in.t, in.tx = t, t.Tx
		defer func() { in.t, in.tx = nil, nil }()
		return fn()
	})
}

// begin finds out what the agent has here, and marks an import into an empty one.
func (in *importing) begin(ctx context.Context) error {
	return in.write(ctx, func() (err error) {
		if _, err := in.tx.Group(in.to); err == nil {
			return write.ErrGroup
		}
		if in.report.DeletedAt, err = in.tx.DepartedAt(in.to); err != nil {
			return err
		}
		wrote, err := in.tx.Count(in.from, counter.Exported(in.archive.Sum()))
		if err != nil {
			return err
		}
		in.report.Own = wrote > 0
		have := 0
		for _, name := range []counter.Name{counter.Items, counter.Sessions, counter.Records, counter.Profiles} {
			n, err := in.tx.Count(in.to, name)
			if err != nil {
				return err
			}
			have += n
		}
		unfinished, err := in.tx.Count(in.to, counter.Importing)
		if err != nil {
			return err
		}
		in.fresh = have == 0 || unfinished > 0
		if in.report.Empty = in.fresh; !in.fresh {
			in.report.DeletedAt = time.Time{}
		}
		if in.fresh && unfinished == 0 && in.t != nil {
			return in.tx.Add(in.to, counter.Importing, 1)
		}
		return nil
	})
}

// end proposes what is left of the profile. It lets the journal of a new agent compare its
// files with the archive.
func (in *importing) end(ctx context.Context) error {
	return in.write(ctx, func() error {
		if err := in.propose(); err != nil || !in.fresh || in.t == nil {
			return err
		}
		return errors.Join(
			in.tidyProfile(),
			in.tx.KV().Unfollow(journal.MarkPrefix+in.to),
			in.tx.Add(in.to, counter.Importing, -1),
		)
	})
}

// put writes a row, or checks one that is only looked at.
func (in *importing) put(r row) error {
	b, err := in.buckets[r.Bucket], error(nil)
	if in.t == nil {
		err = b.Check(r.Value)
	} else {
		err = b.Put(in.tx, r.key(in.to), r.Value)
	}
	if err != nil && (in.t == nil || errors.Is(err, memory.ErrInvalid)) {
		err = fmt.Errorf("%w: a row of %s: %w", transfer.ErrDamaged, r.Bucket, err)
	}
	return err
}

// has reports whether there is a row with this key.
func (in *importing) has(r row) (bool, error) {
	_, err := in.buckets[r.Bucket].Get(in.tx, r.key(in.to))
	switch {
	case errors.Is(err, store.ErrNotFound):
		return false, nil
	case store.Unreadable(err):
		return true, nil
	}
	return err == nil, err
}

// putMissing writes a row if there is none with this key.
func (in *importing) putMissing(r row) error {
	there, err := in.has(r)
	if err != nil || there {
		return err
	}
	return in.put(r)
}

// isGoneRecord reports whether a message was deleted here, or lost words that it has in the import.
func (in *importing) isGoneRecord(r memory.Record) (bool, error) {
	deleted, err := in.isGone(memory.KindRecord, r.ID)
	if deleted || err != nil {
		return deleted, err
	}
	kind, redaction := gone.NextRedaction(r)
	return in.isGone(kind, redaction)
}

// isGone reports whether something was deleted here.
func (in *importing) isGone(kind memory.Kind, id string) (bool, error) {
	at, err := in.tx.ForgottenAt(in.to, kind, id)
	if err != nil && !store.Unreadable(err) {
		return false, err
	}
	return err != nil || !at.IsZero() || in.gone.Has(in.to, kind, id), nil
}

func (in *importing) step(n int) {
	in.done += n
	if in.progress != nil {
		c := in.archive.Manifest.Agents[0].Counts
		in.progress(in.done, c["messages"]+c["memories"])
	}
}

// agentRow applies the description of the agent, and what rows of conversations refer to.
func (in *importing) agentRow(group []row) error {
	r := group[0]
	switch r.Bucket {
	case "texts":
		if words, err := decode[string](r); err != nil || store.TextID(words) != r.id() {
			return wrong(r, "the text is not that of its hash")
		}
	case "agents":
		there, err := in.has(r)
		if err != nil || there {
			return err
		}
		a, err := decode[memory.Agent](r)
		if err != nil {
			return err
		}
		if err := a.ValidateFields(); err != nil {
			return fmt.Errorf("%w: %w", transfer.ErrDamaged, err)
		}
		if a.Persona != "" {
			in.report.Rules = append(in.report.Rules, Rule{Kind: RulePersona, Text: a.Persona})
		}
		if in.hold && in.to == in.current {
			a.Persona, a.Model = "", ""
			if r, err = r.with(a); err != nil {
				return err
			}
		}
		return in.put(r)
	}
	return in.putMissing(r)
}

// profileRow applies a version of the profile, or a count. An agent that has a profile
// keeps it: new memories get their lines there.
func (in *importing) profileRow(group []row) error {
	r := group[0]
	there, err := in.has(r)
	if err != nil {
		return err
	}
	if r.Bucket == "counts" {
		n, err := decode[int](r)
		if err == nil && (n < 0 || n > 1<<40) {
			err = wrong(r, "the count")
		}
		if name := counter.Name(r.id()); err != nil || !in.fresh || name.Local() || name == counter.Group {
			return err
		} else if have, err := in.tx.Count(in.to, name); err != nil || name == counter.Profiles && n <= have {
			return err // the highest number of a version never falls
		}
		return in.put(r)
	}
	p, err := decode[memory.Profile](r)
	if err != nil {
		return err
	}
	in.wishes = in.wishes[:0]
	var own []memory.ProfileLine
	words := false // of items
	for _, l := range p.Lines {
		if !l.Derived() && (l.Section == memory.SectionReply || l.Section == memory.SectionLanguage) && profile.Said(l.Text) != "" {
			in.wishes = append(in.wishes, profile.Said(l.Text))
			if in.hold {
				continue
			}
		}
		if l.Derived() {
			words = words || l.Text != ""
			l.Text = "" // its item has the words
			if in.hold && in.t != nil {
				if follows, err := in.follows(l); err != nil {
					return err
				} else if !follows {
					continue
				}
			}
		}
		own = append(own, l)
	}
	sum := &in.report.Profile
	sum.Total++
	deleted, err := in.isGone(memory.KindProfile, memory.ProfileID(p.Version))
	switch {
	case err != nil:
		return err
	case deleted:
		sum.Deleted++
		return nil
	case there:
		mine, err := in.tx.ProfileVersion(in.to, p.Version)
		if err == nil && mine.Time.Equal(p.Time) {
			sum.Known++
			return nil
		}
		sum.Kept++
		return nil
	case !in.fresh:
		sum.Kept++
		return nil
	}
	sum.New++
	if words || len(own) < len(p.Lines) {
		p.Lines = own
		if r, err = r.with(p); err != nil {
			return err
		}
	}
	return in.put(r)
}

// follows reports whether a derived line says what its item says, in the item's section. A
// forged line could show a fact or another version as an instruction (P10).
func (in *importing) follows(l memory.ProfileLine) (bool, error) {
	it, err := in.tx.Item(in.to, l.ItemID)
	if section, _ := profile.SectionOf(it); err == nil && it.State == memory.StateActive && section == l.Section {
		var was memory.Item
		if was, err = in.tx.ItemVersion(in.to, l.ItemID, l.ItemVersion); err == nil {
			return profile.LineOf(was.Content) == profile.LineOf(it.Content), nil
		}
	}
	if lookup.Lacking(err) {
		err = nil
	}
	return false, err
}

// tidyProfile leaves lines out of the imported profile that do not follow their item: the
// user saw none of them among the rules.
func (in *importing) tidyProfile() error {
	p, err := in.tx.ReadableProfile(in.to)
	if err != nil {
		if errors.Is(err, store.ErrNotFound) {
			err = nil
		}
		return err
	}
	var kept []memory.ProfileLine
	for _, l := range p.Lines {
		follows := true
		if l.Derived() {
			if follows, err = in.follows(l); err != nil {
				return err
			}
		}
		if follows {
			kept = append(kept, l)
		}
	}
	if len(kept) == len(p.Lines) {
		return nil
	}
	_, err = in.tx.PutProfile(memory.Profile{
		AgentID: in.to, Lines: kept, Removed: p.Removed, Time: in.t.Now(),
		Origin: memory.OriginImport, Reason: "lines without their memory",
	})
	return err
}

// propose lists what the newest profile of the export wants of answers, and holds it as
// memories if the profile here does not take it over.
func (in *importing) propose() error {
	mine, err := in.tx.ReadableProfile(in.to)
	if err != nil && !errors.Is(err, store.ErrNotFound) {
		return err
	}
	for _, wish := range in.wishes {
		if in.fresh && !in.hold { // it is in the profile
			in.report.Rules = append(in.report.Rules, Rule{Kind: RuleProfile, Text: wish})
			continue
		}
		if slices.ContainsFunc(mine.Lines, func(l memory.ProfileLine) bool { return !l.Derived() && profile.Said(l.Text) == wish }) {
			continue
		}
		id := memory.DerivedID(in.report.ExportedAt, in.to, "profile", wish)
		it := memory.Item{
			ID: id, AgentID: in.to, Type: memory.TypeRule, Key: "note/" + id, Content: wish, Confidence: 0.5,
			Importance: memory.DefaultImportance, Source: memory.SourceUserStated, Origin: memory.OriginImport,
			Trust: memory.TrustForeign, State: memory.StateHeld, Version: 1,
		}
		same, err := in.tx.ItemsLike(in.to, it.Key, it.Content)
		if err != nil {
			return err
		}
		refused, err := in.refused(it)
		if err != nil {
			return err
		}
		if refused || len(same) > 0 {
			continue
		}
		in.report.Rules = append(in.report.Rules, Rule{Kind: RuleProfile, Text: wish})
		in.report.Held++
		if in.t == nil {
			continue
		}
		it.CreatedAt, it.UpdatedAt = in.t.Now(), in.t.Now()
		if err := in.t.Put(it, memory.Change{Action: memory.ActionHeld, Reason: reasonRule, Origin: memory.OriginImport}); err != nil {
			return err
		}
	}
	return nil
}

// pendingRow applies what was not finished.
func (in *importing) pendingRow(group []row) error {
	r := group[0]
	switch r.Bucket {
	case "incoming":
		rec, err := decode[memory.Record](r)
		if err != nil {
			return err
		}
		in.report.Messages.Total++
		in.step(1)
		known, err := in.tx.HasRecord(in.to, rec.ID)
		if err != nil {
			return err
		}
		deleted, err := in.isGoneRecord(rec)
		switch there, herr := in.has(r); {
		case err != nil, herr != nil:
			return errors.Join(err, herr)
		case deleted:
			in.report.Messages.Deleted++
			in.words = append(in.words, rec.Content)
			return nil
		case known, there:
			in.report.Messages.Known++
			return nil
		}
		in.report.Messages.New++
		if r, err = in.local(r, rec); err != nil {
			return err
		}
		return in.put(r)
	case "turn_changes":
		c, err := decode[memory.Change](r)
		if err != nil || in.deleted[c.ItemID] {
			return err
		}
		return in.putMissing(r)
	}
	if !in.fresh || in.hold { // of another time, or a stranger's work
		return nil
	}
	switch r.Bucket {
	case "partials":
		rec, err := decode[memory.Record](r)
		if err != nil || rec.ContentRef != "" || in.deleted[rec.ParentID] {
			return err
		}
	case "jobs":
		j, err := decode[struct {
			RecordID string `json:"record_id"`
			SaidID   string `json:"said_id"`
		}](r)
		if err != nil || in.deleted[j.RecordID] || in.deleted[j.SaidID] {
			return err
		}
	}
	return in.putMissing(r)
}

// deletionRow takes over what was deleted and refused in the other memory. Refusals are
// hashes with the key of their agent: if there is another key here, they mean nothing.
func (in *importing) deletionRow(group []row) error {
	r := group[0]
	switch r.Bucket {
	case "refused":
		if in.report.Refusals {
			return nil
		}
	case "seals":
		var key []byte
		if json.Unmarshal(r.Value, &key) != nil || len(key) == 0 {
			return wrong(r, "the key")
		}
		mine, err := in.buckets["seals"].Get(in.tx, r.key(in.to))
		if err == nil && string(mine) != string(r.Value) {
			in.report.Refusals = true
			return nil
		}
		if err != nil && !errors.Is(err, store.ErrNotFound) {
			return err
		}
	case "forgotten":
		if !in.fresh {
			return nil
		}
	}
	return in.putMissing(r)
}

// storeLong writes the long contents of the records in a group that are new.
func (in *importing) storeLong(ctx context.Context, group []row) error {
	for _, r := range group {
		if r.Bucket != "records" && r.Bucket != "incoming" {
			continue
		}
		rec, err := decode[memory.Record](r)
		name := nameOf(in.from, contentFolder, rec.ID+".txt")
		if err != nil || rec.ContentRef == "" || !in.archive.Has(name) {
			if err != nil {
				return err
			}
			continue
		}
		wanted := false
		err = in.View(ctx, func(tx *store.Tx) error {
			in.tx = tx
			defer func() { in.tx = nil }()
			there, err := tx.HasRecord(in.to, rec.ID)
			if err != nil || there {
				return err
			}
			deleted, err := in.isGoneRecord(rec)
			wanted = !deleted
			return err
		})
		if err != nil || !wanted {
			if err != nil {
				return err
			}
			continue
		}
		f, err := in.archive.Open(ctx, name)
		if err != nil {
			return err
		}
		content, err := io.ReadAll(f)
		if err = errors.Join(err, f.Close()); err != nil {
			return err
		}
		if rec.Content = string(content); len(content) > memory.MaxContent {
			if _, err := in.files.StoreLong(ctx, rec); err != nil {
				return err
			}
		}
	}
	return nil
}

// local returns a record's row with the place of its content in this data folder.
func (in *importing) local(r row, rec memory.Record) (row, error) {
	rec.AgentID, rec.Heard = in.to, ""
	if rec.ContentRef != "" {
		rec.ContentRef = contentFolder + "/" + in.to + "/" + rec.ID + ".txt"
	}
	return r.with(rec)
}
