package chat_test

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"memoria/chat"
	"memoria/chat/model/modeltest"
	"memoria/memory"
	"memoria/memory/lookup"
)

// wantNowhere looks for words in every byte below a folder.
func wantNowhere(t *testing.T, dir string, words ...string) {
	t.Helper()
	files := 0
	err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		files++
		b, err := os.ReadFile(path)
		for _, w := range words {
			if bytes.Contains(bytes.ToLower(b), []byte(strings.ToLower(w))) {
				t.Errorf("%q is in %s", w, path)
			}
		}
		return err
	})
	if err != nil || files == 0 {
		t.Errorf("%d files, %v", files, err)
	}
}

// U5: of a temporary conversation nothing is kept and nothing learned, and no use of a
// memory is counted; it recalls, remembers its own turns while it lasts, and goes on in
// no session. The conversation before it is as it was.
func TestTemporary(t *testing.T) {
	t.Parallel()
	h := newHouse(t, nil, text("Noted."), text("A quokka, I guess."), modeltest.Step{Status: 500}, text("Of your quokka."), text("Tea."))
	before, _ := h.say("I like oolong tea")
	h.settle()
	h.change = func(o *chat.Options) { o.Temporary = true }
	h.reopen()
	had := items(h)
	for i, said := range []string{"My name is Xanthippe and my pet quokka is called Wobble", "this one fails", "What about oolong, and my pet?"} {
		if _, err := h.chat.Send(t.Context(), said, nil); err != nil {
			t.Fatal(err)
		}
		end := until[chat.Finished](h, nil)
		if failed := i == 1; end.Unsaved || failed != (end.Problem != nil) {
			t.Errorf("%q: %+v", said, end)
		}
	}
	for _, e := range h.seen {
		switch e := e.(type) {
		case chat.Learned, chat.SessionChanged, chat.StorageChanged, chat.PackageStored:
			t.Errorf("told %T", e)
		case chat.UserStored:
			if e.Unsaved {
				t.Error("it is said to be written later")
			}
		}
	}
	all := h.server.Requests()
	last := all[len(all)-1]
	sent := ""
	for _, m := range last.Messages {
		sent += m.Content + "\n"
	}
	for _, want := range []string{"quokka is called Wobble", "A quokka, I guess.", "Likes oolong tea."} {
		if !strings.Contains(sent, want) {
			t.Errorf("not sent: %q", want)
		}
	}
	for _, err := range []error{
		h.chat.NewSession(t.Context()), h.chat.Resume(t.Context(), before.Record.SessionID), h.chat.Fork(t.Context(), before.Record.ID),
	} {
		if !errors.Is(err, chat.ErrTemporary) {
			t.Errorf("it may be left for a session: %v", err)
		}
	}
	if h.chat.Busy() || h.chat.Session().ID != "" {
		t.Errorf("busy %v, in session %q", h.chat.Busy(), h.chat.Session().ID)
	}
	h.change = nil
	h.reopen()
	if now := items(h); !slices.EqualFunc(had, now, func(a, b memory.Item) bool {
		return a.ID == b.ID && a.AccessCount == b.AccessCount && a.Version == b.Version
	}) {
		t.Errorf("items %+v, were %+v", now, had)
	}
	left, err := h.manager.Lookup().Incoming(t.Context(), luna)
	if list, total, lerr := h.manager.Lookup().Sessions(t.Context(), luna, 0, 0); err != nil || lerr != nil || len(left) > 0 || total != 1 || list[0].Messages != 2 {
		t.Errorf("left %d, %d sessions %+v, %v, %v", len(left), total, list, err, lerr)
	}
	if d, err := h.manager.Lookup().Draft(t.Context(), luna); err != nil || d.Text != "" {
		t.Errorf("draft %q, %v", d.Text, err)
	}
	wantNowhere(t, filepath.Dir(h.dir), "quokka", "Xanthippe", "Wobble", "this one fails", "Of your")
	h.say("hello again")
	if s := h.chat.Session(); s.ID != before.Record.SessionID {
		t.Error("the conversation before it does not go on")
	}
}

// U5: a text longer than a record leaves no file, a pending message is not
// written, and closing in the middle of an answer loses nothing that was to be kept.
func TestTemporaryLeavesNoFile(t *testing.T) {
	t.Parallel()
	noRace(t)
	h := newHouse(t, func(o *chat.Options) { o.Temporary = true }, modeltest.Step{Text: "one two", StallAfter: modeltest.After(1)})
	long := "zanzibar " + strings.Repeat("long ", memory.MaxContent/4)
	if _, err := h.chat.Send(t.Context(), long, nil); err != nil {
		t.Fatal(err)
	}
	until[chat.Finished](h, nil) // the model takes no message of this size
	for i, said := range []string{"zanzibar is answered", "zanzibar waits"} {
		if _, err := h.chat.Send(t.Context(), said, nil); err != nil {
			t.Fatal(err)
		}
		if i == 0 {
			until[chat.Delta](h, nil)
		}
	}
	if err := h.chat.Leave(); !errors.Is(err, chat.ErrBusy) {
		t.Errorf("left while an answer arrives: %v", err)
	}
	h.reopen()
	wantNowhere(t, filepath.Dir(h.dir), "zanzibar")
	if _, err := h.manager.Learning().LearnTurn(t.Context(), luna, "none"); err != nil {
		t.Error(err)
	}
	if page, err := h.manager.Lookup().Changes(t.Context(), luna, lookup.ChangeFilter{}); err != nil || len(page.Changes) > 0 {
		t.Errorf("%+v, %v", page, err)
	}
}
