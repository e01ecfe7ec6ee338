package manager_test

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"memoria/memory/recall"
)

// Health counts by calendar days of the clock's place, without gaps, and opens
// nothing.
func TestHealth(t *testing.T) {
	berlin, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		t.Skip(err)
	}
	// Half an hour before the midnight after which summer time ends: that day
	// has 25 hours.
	c := &clock{now: time.Date(2026, 10, 24, 23, 30, 0, 0, berlin)}
	m := openAt(t, filepath.Join(t.TempDir(), "data"), c, nil)
	ctx := t.Context()
	_, tea := say(t, m, luna, "", "I like tea")
	c.Add(time.Hour)
	turn, coffee := say(t, m, luna, "", "I like coffee")
	c.Add(24 * time.Hour) // still the 25th
	must(m.DeleteItems(ctx, luna, tea[0].ItemID))(t)
	c.Add(time.Hour)
	say(t, m, luna, "", "I like milk")
	say(t, m, "sol", "", "I like milk")
	check := func(what string, n int, want ...[3]int) {
		t.Helper()
		h := must(m.Lookup().Health(ctx, luna, n))(t)
		if len(h.Days) != n {
			t.Fatalf("%s: %d days", what, len(h.Days))
		}
		for i, w := range want {
			d := h.Days[n-len(want)+i]
			day := time.Date(2026, 10, 26-len(want)+1+i, 0, 0, 0, 0, berlin)
			if !d.Date.Equal(day) || [3]int{d.Messages, d.Learned, d.Forgotten} != w {
				t.Errorf("%s: %+v, want %v %v", what, d, day, w)
			}
		}
		for _, d := range h.Days[:n-len(want)] {
			if d.Messages+d.Learned+d.Forgotten != 0 {
				t.Errorf("%s: before the beginning: %+v", what, d)
			}
		}
	}
	check("ten days", 10, [3]int{2, 1, 0}, [3]int{2, 1, 1}, [3]int{2, 1, 0})
	check("two days", 2, [3]int{2, 1, 1}, [3]int{2, 1, 0})
	check("none", 0)
	must(m.DeleteSession(ctx, luna, turn.Session.ID, true))(t)
	check("without the second day's session", 3, [3]int{2, 1, 0}, [3]int{0, 1, 1}, [3]int{2, 1, 1})
	if err := m.Recall().Settle(ctx, luna); err != nil {
		t.Fatal(err)
	}
	h := must(m.Lookup().Health(ctx, luna, 1))(t)
	if h.Items != 1 || h.Records != 4 || h.Sessions != 2 || h.StoreBytes <= 0 || h.FreeBytes < 0 || h.FreeBytes > h.StoreBytes {
		t.Errorf("counts: %+v", h)
	}
	derived := map[string]recall.Derived{}
	for _, d := range h.Derived {
		derived[d.Name] = d
	}
	if d := derived[recall.DerivedItems]; d.State != "ready" || d.Bytes <= 0 || d.Behind != 0 {
		t.Errorf("items: %+v", d)
	}
	if d := derived[recall.DerivedArchive]; d.State != recall.StateNotOpened || d.Bytes != 0 {
		t.Errorf("archive: %+v", d)
	}
	m.Loaded(luna)
	h = must(m.Lookup().Health(ctx, luna, 1))(t)
	if d := h.Derived[2]; d.Name != recall.DerivedHeads || d.State != "ready" || d.Done != 1 || d.Total != 1 {
		t.Errorf("heads: %+v", d)
	}
	if _, err := m.Lookup().Item(ctx, luna, coffee[0].ItemID); err == nil {
		t.Error("the deleted session's item is there")
	}
	must(m.Recall().RetrieveArchive(ctx, luna, recall.ArchiveQuery{Text: "milk"}))(t)
	if err := m.Recall().Settle(ctx, luna); err != nil {
		t.Fatal(err)
	}
	if d := must(m.Recall().IndexStatus(ctx, luna))(t)[1]; d.State != "ready" || d.Bytes <= 0 {
		t.Errorf("archive after a search: %+v", d)
	}
}

// I4, D2: compacting makes the indexes smaller, what was forgotten is in none of
// their files, and everything is found as before.
func TestCompactIndex(t *testing.T) {
	noRace(t)
	m, _ := open(t)
	ctx := t.Context()
	say(t, m, luna, "", "I like oolong tea")
	// Without the archive's index there is nothing to make of it.
	if _, _, err := m.CompactIndex(ctx, luna); err != nil {
		t.Fatal(err)
	}
	if d := must(m.Recall().IndexStatus(ctx, luna))(t)[1]; d.State != recall.StateNotOpened {
		t.Errorf("the archive's index: %+v", d)
	}
	must(m.Recall().RetrieveArchive(ctx, luna, recall.ArchiveQuery{Text: "tea"}))(t)
	doomed := ""
	for i := range 5 {
		var sb strings.Builder
		for j := range 300 {
			fmt.Fprintf(&sb, "zeppelin%d", 1000*i+j)
			sb.WriteByte(' ')
		}
		turn, _ := say(t, m, luna, doomed, "I like zeppelins "+sb.String())
		doomed = turn.Session.ID
	}
	if err := m.Recall().Settle(ctx, luna); err != nil {
		t.Fatal(err)
	}
	full := int64(0)
	for _, d := range must(m.Recall().IndexStatus(ctx, luna))(t) {
		full += d.Bytes
	}
	must(m.DeleteSession(ctx, luna, doomed, true))(t)
	if err := m.Purge(ctx); err != nil {
		t.Fatal(err)
	}
	if err := m.Recall().Settle(ctx, luna); err != nil {
		t.Fatal(err)
	}
	// By then a merge may have taken most of it away, or nothing.
	before, after, err := m.CompactIndex(ctx, luna)
	if err != nil || before <= 0 || after <= 0 || after >= full {
		t.Errorf("%d bytes with all, then %d, then %d: %v", full, before, after, err)
	}
	err = filepath.WalkDir(filepath.Join(m.Vault().Dir(), "index"), func(path string, e fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) {
			return nil // the index has just given it up
		}
		if err != nil || e.IsDir() {
			return err
		}
		b, err := os.ReadFile(path)
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if bytes.Contains(b, []byte("zeppelin")) {
			t.Errorf("%s holds what was forgotten", path)
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
	if got := recalled(t, m, luna, "oolong tea"); len(got) != 1 {
		t.Errorf("recalled %v", contents(got))
	}
	if hits := must(m.Recall().RetrieveArchive(ctx, luna, recall.ArchiveQuery{Text: "oolong"}))(t); len(hits) != 1 {
		t.Errorf("found %+v", hits)
	}
}
