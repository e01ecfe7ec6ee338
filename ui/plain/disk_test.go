package plain

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"memoria/chat/model"
	"memoria/chat/model/modeltest"
	"memoria/memory"
)

// A1: that the disk takes nothing is said, and what is in memory only; and when
// all is written again, that is said too.
func TestDisk(t *testing.T) {
	k := newTalk(t, "", modeltest.NewServer(t)).begin()
	k.say("Hello.").hear("luna: Hello.", "you: ")
	store := filepath.Join(k.dir, "memoria.db")
	must(t, os.Rename(store, store+".away"))
	k.say("I prefer pnpm to npm.").hear("error: The data folder was taken away. ", "in memory only",
		"this answer is in memory only; it is written when the disk takes it\n", "you: ")
	if said := k.text(); strings.Contains(said, "answer is kept") {
		t.Errorf("called kept: %s", said)
	}
	k.say("/health").hear("nothing can be written: ", "store: ")
	must(t, os.Rename(store+".away", store))
	_, err := k.manager.Learning().AddItem(t.Context(), "luna", memory.Item{Content: "Drinks tea."})
	must(t, err)
	k.hear("everything is written again\n", "Remembered: Prefers pnpm over npm.")
	k.say("/health").hear("memories", "store: ")
	if strings.Count(k.text(), "nothing can be written: ") != 1 {
		t.Error("trouble that is over is said")
	}
}

// An answer is said with its price, and the session's where prices are known.
func TestCost(t *testing.T) {
	step := modeltest.Step{Text: "Yes.", Usage: &modeltest.Usage{PromptTokens: 30, CompletionTokens: 12, TotalTokens: 42}}
	server := modeltest.NewServer(t, step, step)
	k := newTalk(t, "", server)
	cfg := configFor(server, "scripted")
	cfg.Prices = map[string]model.Price{"scripted": {Input: 1e6, Output: 1e6}}
	k.models(clientFor(t, server, "scripted"), cfg)
	k.begin()
	k.say("/health").hear("memories", "you: ")
	k.say("One?").hear(", 42 tokens, $42.00\n", "you: ")
	k.say("Two?").hear(", 42 tokens, $42.00 of $84.00 in this session\n", "you: ")
	k.say("/health").hear("this session cost $84.00\n")
	if n := strings.Count(k.text(), "session cost"); n != 1 {
		t.Errorf("said %d times", n)
	}
}

// Q3: records that cannot be read, and backups that do not work, are said.
func TestDamage(t *testing.T) {
	k := newTalk(t, "", nil)
	item, err := k.manager.Learning().AddItem(t.Context(), "luna", memory.Item{Content: "Plays the cello."})
	must(t, err)
	must(t, k.manager.Close())
	store := filepath.Join(k.dir, "memoria.db")
	b, err := os.ReadFile(store)
	must(t, err)
	must(t, os.WriteFile(store, []byte(strings.ReplaceAll(string(b), item.Content, "Qlays the cello.")), 0o600))
	k = newTalk(t, k.dir, nil)
	_, err = k.manager.Vault().Backup(t.Context(), nil)
	must(t, err)
	k.begin()
	k.say("/health").hear("of the store ", "records cannot be read, in items", "; memoria doctor says more\n", "store: ")
}
