package plain

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"memoria/chat/model/modeltest"
	"memoria/ui/app"
	"memoria/ui/config"
)

// I5: settings are said and changed line by line, under Chinese names too.
func TestSettings(t *testing.T) {
	k := newTalk(t, "", modeltest.NewServer(t))
	path := filepath.Join(t.TempDir(), "config.toml")
	l, err := config.Load(config.Source{Path: path, Env: []string{"MEMORY_RETRIEVAL_LIMIT=5"}})
	must(t, err)
	k.opts.Settings = app.NewSettings(app.SettingsOptions{
		Loaded: l, Memory: k.manager, Conversations: k.conversations, Models: k.opts.Models,
	})
	must(t, os.WriteFile(path, []byte("[backup]\ndaily = 9\n"), 0o600)) // takes effect after a restart
	k.begin()
	k.say("/settings").hear("1. ui.language: ", fmt.Sprintf("1 to 10 of %d settings; /more goes on", len(config.Settings())))
	k.say("/settings backup.").hear("backup.daily: 3, after restart 9\n")
	k.say("/设置rag_top_n").hear("memory.rag_top_n is 5\nwhat it is for: ", "allowed: 0 to 100\ndefault: 5\n"+
		"it comes from: environment, MEMORY_RETRIEVAL_LIMIT\nvariable: MEMORIA_MEMORY_RAG_TOP_N\ntakes effect: now\n")
	k.say("/set rag_top_n = 7").hear("memory.rag_top_n is 7 now · MEMORY_RETRIEVAL_LIMIT is set, and overrides the file after restart\n")
	k.say("/设为 rag_top_n 101").hear("error: memory.rag_top_n is 101; allowed are 0 to 100\n")
	k.say("/set rag_top_n").hear("memory.rag_top_n is 7\n", "/set memory.rag_top_n and a value changes it")
	k.say("/set undo").hear("memory.rag_top_n is 5 now")
	k.say("/set undo").hear("no setting was changed in this run\n")
	k.say("/unset rag_top_n").hear("memory.rag_top_n is 5 as before")
	k.say("/set nothing 1").hear("error: there is no setting \"nothing\"")
	k.say("/settings xyz").hear("no setting has these words: xyz\n")
	must(t, k.in.Close())
	must(t, k.ended())
}

// Where nobody keeps settings, that is said.
func TestNoSettings(t *testing.T) {
	k := newTalk(t, "", modeltest.NewServer(t)).begin()
	for _, line := range []string{"/settings", "/set a 1", "/unset a"} {
		k.say(line).hear("there are no settings to change here\n")
	}
	must(t, k.in.Close())
	must(t, k.ended())
}
