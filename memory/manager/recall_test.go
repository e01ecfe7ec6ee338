package manager_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"memoria/memory"
	"memoria/memory/manager/write"
	"memoria/memory/recall"
)

func TestIndexLost(t *testing.T) {
	for name, damage := range map[string]func(dir string) error{
		"missing": os.RemoveAll,
		"garbage": func(dir string) error {
			return filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
				if err != nil || d.IsDir() {
					return err
				}
				return os.WriteFile(path, []byte("garbage"), 0o600)
			})
		},
	} {
		t.Run(name, func(t *testing.T) {
			dir, c := filepath.Join(t.TempDir(), "data"), newClock()
			m := openAt(t, dir, c, nil)
			say(t, m, luna, "", "I like oolong tea")
			say(t, m, luna, "", "我喜欢喝普洱茶")
			if err := errors.Join(m.Recall().Settle(t.Context(), luna), m.Close()); err != nil {
				t.Fatal(err)
			}
			if err := damage(filepath.Join(dir, "index")); err != nil {
				t.Fatal(err)
			}
			m = openAt(t, dir, c, nil)
			if got := recalled(t, m, luna, "oolong"); len(got) != 1 {
				t.Errorf("oolong recalls %v", contents(got))
			}
			if got := recalled(t, m, luna, "普洱"); len(got) != 1 {
				t.Errorf("普洱 recalls %v", contents(got))
			}
		})
	}
}

func TestScanInsteadOfIndex(t *testing.T) {
	dir, c := filepath.Join(t.TempDir(), "data"), newClock()
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "index"), []byte("a file, not a folder"), 0o600); err != nil {
		t.Fatal(err)
	}
	m := openAt(t, dir, c, nil)
	say(t, m, luna, "", "I like oolong tea")
	say(t, m, luna, "", "我喜欢喝普洱茶")
	for _, ask := range []string{"oolong", "普洱"} {
		res := must(m.Recall().Retrieve(t.Context(), luna, recall.Query{Text: ask}))(t)
		if len(res.Chosen) != 1 || res.Degraded == "" {
			t.Errorf("%s: chosen %d, degraded %q", ask, len(res.Chosen), res.Degraded)
		}
	}
}

func TestNothingFound(t *testing.T) {
	m, _ := open(t)
	for range 2 {
		res := must(m.Recall().Retrieve(t.Context(), luna, recall.Query{Text: "anything at all"}))(t)
		if len(res.Chosen)+len(res.NotChosen) != 0 || res.Degraded != "" {
			t.Errorf("%+v", res)
		}
		say(t, m, luna, "", "I like oolong tea")
		if err := m.Recall().Settle(t.Context(), luna); err != nil {
			t.Fatal(err)
		}
	}
}

func TestLimit(t *testing.T) {
	m, _ := open(t)
	for _, s := range []string{"green", "black", "white", "oolong", "jasmine", "mint", "ginger"} {
		must(m.Learning().AddItem(t.Context(), luna, memory.Item{Content: "Drinks " + s + " tea"}))(t)
	}
	if err := m.Recall().Settle(t.Context(), luna); err != nil {
		t.Fatal(err)
	}
	for _, n := range []int{1, 3, 7} {
		res := must(m.Recall().Retrieve(t.Context(), luna, recall.Query{Text: "tea", Limit: n}))(t)
		if len(res.Chosen) != n {
			t.Errorf("limit %d chose %d", n, len(res.Chosen))
		}
	}
	if res := must(m.Recall().Retrieve(t.Context(), luna, recall.Query{Text: "tea"}))(t); len(res.Chosen) != 5 {
		t.Errorf("by default %d", len(res.Chosen))
	}
}

func TestHotSet(t *testing.T) {
	dir, c := filepath.Join(t.TempDir(), "data"), newClock()
	m := openAt(t, dir, c, nil)
	for _, s := range []string{"green", "black", "white", "oolong", "jasmine"} {
		must(m.Learning().AddItem(t.Context(), luna, memory.Item{Content: "Drinks " + s + " tea"}))(t)
	}
	if err := m.Close(); err != nil {
		t.Fatal(err)
	}
	m = openAt(t, dir, c, func(cfg *write.Config) { cfg.LoadOnStart, cfg.HotItems = recall.LoadHot, 2 })
	if got := recalled(t, m, luna, "tea"); len(got) != 5 {
		t.Errorf("recalled %v", contents(got))
	}
}
