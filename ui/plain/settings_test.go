package plain

import (
	"errors"
	"testing"

	"memoria/chat/model/modeltest"
	"memoria/ui/setting"
)

// I5: settings are said and changed line by line, under Chinese names too.
func TestSettings(t *testing.T) {
	k := newTalk(t, "", modeltest.NewServer(t))
	value := "5"
	infos := func() []setting.Info {
		return []setting.Info{
			{Key: "memory.rag_top_n", Kind: setting.Number, Value: value, Default: "5", Allowed: "0 to 100", Help: "How many memories may go with a message.", From: "environment", Where: "MEMORY_RETRIEVAL_LIMIT", Variable: "MEMORIA_MEMORY_RAG_TOP_N"},
			{Key: "memory.rerank", Kind: setting.Switch, Value: "false", Default: "false", From: "default"},
			{Key: "backup.daily", Kind: setting.Number, Value: "3", Later: "9", Default: "3", From: "default", AtStart: true},
		}
	}
	change := func(to string) (setting.Change, error) {
		if to == "101" {
			return setting.Change{}, errors.New("allowed are 0 to 100")
		}
		was := value
		value = to
		return setting.Change{Info: infos()[0], Before: was, Notes: []string{"MEMORY_RETRIEVAL_LIMIT is set"}}, nil
	}
	undone := false
	k.opts.Settings = setting.Access{
		List:  func() ([]setting.Info, error) { return infos(), nil },
		Set:   func(_, to string) (setting.Change, error) { return change(to) },
		Unset: func(string) (setting.Change, error) { return change("5") },
		Undo: func() (setting.Change, error) {
			if undone {
				return setting.Change{}, setting.ErrNothing
			}
			undone = true
			return change("5")
		},
	}
	k.begin()
	k.say("/settings").hear("1. memory.rag_top_n: 5 (environment)\n2. memory.rerank: false\n3. backup.daily: 3, after restart 9\n3 settings in all")
	k.say("/设置rag_top_n").hear("memory.rag_top_n is 5\nwhat it is for: How many memories may go with a message.\nallowed: 0 to 100\ndefault: 5\nit comes from: environment, MEMORY_RETRIEVAL_LIMIT\nvariable: MEMORIA_MEMORY_RAG_TOP_N\ntakes effect: now\n")
	k.say("/set rag_top_n = 7").hear("memory.rag_top_n is 7 now · MEMORY_RETRIEVAL_LIMIT is set\n")
	k.say("/设为 rag_top_n 101").hear("error: allowed are 0 to 100\n")
	k.say("/set rag_top_n").hear("memory.rag_top_n is 7\n", "/set memory.rag_top_n and a value changes it")
	k.say("/set undo").hear("memory.rag_top_n is 5 now")
	k.say("/set undo").hear("no setting was changed in this run\n")
	k.say("/unset rag_top_n").hear("memory.rag_top_n is 5 as before")
	k.say("/set nothing 1").hear("error: there is no setting \"nothing\"\n")
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
