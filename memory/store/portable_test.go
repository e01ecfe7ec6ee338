package store_test

import (
	"bytes"
	"encoding/json"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"memoria/memory/store"
)

// exported returns all portable rows of an agent, a line each.
func exported(t testing.TB, s *store.Store, agent string) (lines []string) {
	t.Helper()
	view(t, s, func(tx *store.Tx) error {
		for _, bucket := range store.PortableBuckets() {
			for r, err := range tx.Rows(agent, bucket) {
				if err != nil {
					return err
				}
				line, err := json.Marshal(r)
				if err != nil {
					return err
				}
				lines = append(lines, bucket+" "+string(line))
			}
		}
		return nil
	})
	return lines
}

// TestPortable checks that all rows of an agent survive JSON and another store (D1).
func TestPortable(t *testing.T) {
	from, to := open(t), open(t)
	fillAll(t, from, "luna")
	fillAll(t, from, "sol")
	want := exported(t, from, "luna")
	if len(want) < 20 {
		t.Fatalf("only %d rows", len(want))
	}
	for round := range 2 { // importing twice changes nothing
		update(t, to, func(tx *store.Tx) error {
			for _, line := range want {
				bucket, text, _ := bytes.Cut([]byte(line), []byte(" "))
				var r store.Row
				if err := json.Unmarshal(text, &r); err != nil {
					return err
				}
				added, err := tx.AddRow("luna", string(bucket), r)
				if err != nil {
					return err
				}
				if added && round == 1 {
					t.Errorf("added again: %s", line)
				}
			}
			return tx.Relink()
		})
		if diff := cmp.Diff(want, exported(t, to, "luna")); diff != "" {
			t.Errorf("round %d (-want +got):\n%s", round, diff)
		}
	}
	if got := exported(t, to, "sol"); len(got) > 0 {
		t.Errorf("rows of another agent were exported: %q", got)
	}
	for _, bucket := range []string{"items", "records", "sessions"} {
		if !slices.ContainsFunc(want, func(l string) bool { return len(l) > len(bucket) && l[:len(bucket)] == bucket }) {
			t.Errorf("no rows of %s", bucket)
		}
	}
}
