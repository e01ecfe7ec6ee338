package manager_test

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"memoria/memory"
	"memoria/memory/lookup"
	"memoria/memory/manager/importer"
	"memoria/memory/manager/write"
	"memoria/memory/recall"
	"memoria/memory/transfer/foreign"
)

// foreignMessage is a message of an imported conversation.
func foreignMessage(id, parent string, role memory.Role, text string, minute int) foreign.Message {
	at := time.Date(2024, 3, 1, 10, minute, 0, 0, time.UTC)
	return foreign.Message{ID: id, Parent: parent, Role: role, Text: text, Time: at, Order: at}
}

// pottery is a conversation with two answers to its first message.
func pottery() foreign.Conversation {
	return foreign.Conversation{
		ID: "c1", Title: "Pottery", Current: "a2", Began: start.AddDate(-2, 0, 0),
		Messages: []foreign.Message{
			foreignMessage("u1", "", memory.RoleUser, "I am allergic to peanuts. Where can I learn pottery?", 0),
			foreignMessage("a1", "u1", memory.RoleAssistant, "At the kiln in Harbour Street.", 1),
			foreignMessage("a2", "u1", memory.RoleAssistant, "At the adult education centre.", 2),
		},
	}
}

func transcript(records []memory.Record) (out []string) {
	for _, r := range records {
		out = append(out, r.Content)
	}
	return out
}

// TestImportConversations checks that an imported conversation is in the archive as it was,
// with its branches and times, and teaches nothing (D1, P10).
func TestImportConversations(t *testing.T) {
	m, _ := open(t)
	ctx := t.Context()
	got := must(m.Importer().Conversations(ctx, luna, "chatgpt", []foreign.Conversation{pottery()}))(t)
	if got.Messages != 3 || len(got.Sessions) != 1 || got.Known != 0 {
		t.Fatalf("imported %+v", got)
	}
	s := must(m.Lookup().Session(ctx, luna, got.Sessions[0]))(t)
	if s.Title != "Pottery" || s.State != memory.SessionArchived || s.Turns != 1 || s.Messages != 3 || s.CreatedAt.Year() != 2024 {
		t.Errorf("the session is %+v", s)
	}
	b := must(m.Lookup().Branch(ctx, luna, s.ID))(t)
	if want := []string{pottery().Messages[0].Text, pottery().Messages[2].Text}; !slices.Equal(transcript(b.Records), want) {
		t.Errorf("the branch shown is %q", transcript(b.Records))
	}
	if r := b.Records[1]; r.Timestamp.Year() != 2024 || r.TurnID == b.Records[0].TurnID {
		t.Errorf("the second answer is %+v", r)
	}
	if err := m.Learning().Learn(ctx, luna, nil); err != nil {
		t.Fatal(err)
	}
	if items := must(m.Lookup().Items(ctx, luna, lookup.ItemFilter{}))(t).Items; len(items) > 0 {
		t.Errorf("the import taught %q", contents(items))
	}
	found := must(m.Recall().SearchArchive(ctx, luna, recall.ArchiveQuery{Text: "kiln", Limit: 5}))(t)
	if len(found.Hits) != 1 || !strings.Contains(found.Hits[0].Record.Content, "Harbour") {
		t.Errorf("the archive finds %+v", found)
	}
}

// TestImportAgain checks that importing twice makes no duplicates, that a later export adds
// only its new messages, and that a continuation by the user stays the shown branch.
func TestImportAgain(t *testing.T) {
	m, _ := open(t)
	ctx := t.Context()
	first := must(m.Importer().Conversations(ctx, luna, "chatgpt", []foreign.Conversation{pottery()}))(t)
	again := must(m.Importer().Conversations(ctx, luna, "chatgpt", []foreign.Conversation{pottery()}))(t)
	if again.Messages != 0 || again.Known != 3 {
		t.Errorf("importing again: %+v", again)
	}
	longer := pottery()
	longer.Messages = append(longer.Messages, foreignMessage("u2", "a1", memory.RoleUser, "How much is it?", 5))
	longer.Current = "u2"
	more := must(m.Importer().Conversations(ctx, luna, "chatgpt", []foreign.Conversation{longer}))(t)
	if more.Messages != 1 || more.Known != 3 {
		t.Errorf("importing a later export: %+v", more)
	}
	id := first.Sessions[0]
	b := must(m.Lookup().Branch(ctx, luna, id))(t)
	if got := transcript(b.Records); len(got) != 3 || got[2] != "How much is it?" {
		t.Errorf("the branch shown is %q", got)
	}
	say(t, m, luna, id, "I went there yesterday.")
	longer.Messages = append(longer.Messages, foreignMessage("a3", "u2", memory.RoleAssistant, "Twenty.", 6))
	longer.Current = "a3"
	if got := must(m.Importer().Conversations(ctx, luna, "chatgpt", []foreign.Conversation{longer}))(t); got.Messages != 1 {
		t.Errorf("importing an answer: %+v", got)
	}
	b = must(m.Lookup().Branch(ctx, luna, id))(t)
	if got := transcript(b.Records); got[len(got)-2] != "I went there yesterday." {
		t.Errorf("after going on here the branch shown is %q", got)
	}
}

// TestImportDeleted checks that a deleted conversation is not imported again (D2).
func TestImportDeleted(t *testing.T) {
	m, c := open(t)
	ctx := t.Context()
	first := must(m.Importer().Conversations(ctx, luna, "chatgpt", []foreign.Conversation{pottery()}))(t)
	must(m.DeleteSession(ctx, luna, first.Sessions[0], true))(t)
	c.Add(write.DeletionUndoTime + time.Second)
	if err := m.Trash().Purge(ctx); err != nil {
		t.Fatal(err)
	}
	longer := pottery()
	longer.Messages = append(longer.Messages, foreignMessage("u2", "a1", memory.RoleUser, "How much is it?", 5))
	got := must(m.Importer().Conversations(ctx, luna, "chatgpt", []foreign.Conversation{longer}))(t)
	if got.Messages != 0 || got.Deleted != 4 {
		t.Errorf("importing a deleted conversation: %+v", got)
	}
	if _, n, err := m.Lookup().Sessions(ctx, luna, 0, 0); err != nil || n != 0 {
		t.Errorf("there are %d sessions, %v", n, err)
	}
}

// TestImportLong checks speakers, attachments, pasted text and a message in a file of its
// own.
func TestImportLong(t *testing.T) {
	c := newClock()
	dir := filepath.Join(t.TempDir(), "data")
	m := openAt(t, dir, c, nil)
	ctx := t.Context()
	long := strings.Repeat("long ", memory.MaxContent/5+1)
	from := foreign.Conversation{ID: "c", Current: "2", Began: start, Messages: []foreign.Message{
		{ID: "1", Role: memory.RoleUser, Speaker: "Ann", Text: "Look at this", Attachments: []string{"cat.png"}, Time: start, Order: start},
		{ID: "2", Parent: "1", Role: memory.RoleAssistant, Text: long, Time: start, Order: start.Add(time.Millisecond)},
	}}
	got := must(m.Importer().Conversations(ctx, luna, "jsonl", []foreign.Conversation{from}))(t)
	records := must(m.Lookup().Records(ctx, luna, got.Sessions[0]))(t)
	if records[0].Content != "Ann: Look at this\n\n[cat.png]" || strings.TrimSpace(records[0].Typed()) != "Look at this" {
		t.Errorf("the message is %q, typed %q", records[0].Content, records[0].Typed())
	}
	if records[1].Content != long {
		t.Errorf("the long message has %d bytes", len(records[1].Content))
	}
}

// TestImportGroup checks that nothing is imported into a group: its members would not have
// heard it (S9).
func TestImportGroup(t *testing.T) {
	m, _, _ := openGroup(t)
	_, err := m.Importer().Conversations(t.Context(), trio, "chatgpt", []foreign.Conversation{pottery()})
	if !errors.Is(err, memory.ErrInvalid) {
		t.Errorf("the error is %v", err)
	}
	if _, n, err := m.Lookup().Sessions(t.Context(), trio, 0, 0); err != nil || n != 0 {
		t.Errorf("the group has %d sessions, %v", n, err)
	}
}

// TestImportUnreadable checks that importing again does not write over a session that cannot
// be read (Q3).
func TestImportUnreadable(t *testing.T) {
	c, dir := newClock(), filepath.Join(t.TempDir(), "data")
	m := openAt(t, dir, c, nil)
	first := must(m.Importer().Conversations(t.Context(), luna, "chatgpt", []foreign.Conversation{pottery()}))(t)
	if err := m.Close(); err != nil {
		t.Fatal(err)
	}
	rot(t, filepath.Join(dir, "memoria.db"), `"title":"Pottery"`)
	m = openAt(t, dir, c, nil)
	longer := pottery()
	longer.Messages = append(longer.Messages, foreignMessage("u2", "a1", memory.RoleUser, "How much is it?", 5))
	if got, err := m.Importer().Conversations(t.Context(), luna, "chatgpt", []foreign.Conversation{longer}); err == nil {
		t.Errorf("imported %+v over an unreadable session", got)
	}
	if _, err := m.Lookup().Session(t.Context(), luna, first.Sessions[0]); err == nil {
		t.Error("the unreadable session was replaced")
	}
}

// TestImportLargeConversations checks that a batch ends after some bytes too: five hundred
// conversations of one long message do not wait in memory.
func TestImportLargeConversations(t *testing.T) {
	noRace(t)
	dir := t.TempDir()
	m := openAt(t, filepath.Join(dir, "data"), newClock(), nil)
	var lines strings.Builder
	for _, session := range []string{"a", "b", "c"} {
		lines.WriteString(`{"session":"` + session + `","time":"2024-03-01T10:00:00Z","role":"user","text":"` + strings.Repeat("clay ", 1<<20) + "\"}\n")
	}
	name := filepath.Join(dir, "chat.jsonl")
	if err := os.WriteFile(name, []byte(lines.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	e := must(foreign.Open(name, foreign.Lines, foreign.Options{Now: start}))(t)
	defer e.Close()
	writes := 0
	sum := must(m.Importer().Import(t.Context(), luna, "jsonl", e, func(importer.Imported) { writes++ }))(t)
	if sum.Messages != 3 || writes != 3 {
		t.Errorf("%d messages in %d writes", sum.Messages, writes)
	}
}
