package portable

import (
	"bytes"
	"encoding/json"
	"errors"
	"testing"

	"memoria/memory/store"
	"memoria/memory/transfer"
)

// TestShapes checks that every portable bucket has a shape.
func TestShapes(t *testing.T) {
	for name := range store.Portables() {
		if _, ok := shapes[name]; !ok {
			t.Errorf("%s has no shape", name)
		}
	}
	if len(shapes) != len(store.Portables()) {
		t.Errorf("%d shapes for %d buckets", len(shapes), len(store.Portables()))
	}
}

// D1: a line is a row of its own agent, or refused as damaged.
func FuzzParseRow(f *testing.F) {
	for _, line := range []string{
		`{"bucket":"items","key":["01KJNHG72N0Y48DH0PGYAXW0BD"],"value":{"id":"01KJNHG72N0Y48DH0PGYAXW0BD","agent_id":"luna","type":"fact",` +
			`"state":"active","confidence":0.5,"importance":0.5,"trust":"user","version":1,"content":"Likes tea"}}`,
		`{"bucket":"records","key":["S",1],"value":{"id":"01KJNHG72N0Y48DH0PGYAXW0BD","agent_id":"luna","session_id":"S","role":"user"}}`,
		`{"bucket":"journal_files","key":["memory/../../x.md"],"value":{"path":"memory/../../x.md"}}`,
		`{"bucket":"counts","key":["analyses"],"value":3}`,
		`{"bucket":"seals","key":[],"value":"c2VhbA=="}`,
		`{"bucket":"profiles","key":[-1],"value":{}}`,
		`{"bucket":"agents","key":[],"value":{"id":"luna"}}`,
		`{}`, `[]`, `{"bucket":"items","key":[{}]}`,
	} {
		f.Add([]byte(line))
	}
	f.Fuzz(func(t *testing.T, line []byte) {
		r, err := parseRow(line, "luna", "sol")
		if err != nil {
			if !errors.Is(err, transfer.ErrDamaged) {
				t.Errorf("the error is %v", err)
			}
			return
		}
		key := r.key("sol")
		if !bytes.HasPrefix(key, row{}.key("sol")) {
			t.Errorf("the key %q is of another agent", key)
		}
		var value struct {
			AgentID *string `json:"agent_id"`
		}
		if shapes[r.Bucket].fields["agent_id"] == 'a' {
			if err := json.Unmarshal(r.Value, &value); err != nil || value.AgentID == nil || *value.AgentID != "sol" {
				t.Errorf("the value is %s", r.Value)
			}
		}
	})
}

func TestJournalPaths(t *testing.T) {
	for path, want := range map[string]bool{
		"memory.md": true, "memory/2026-01-28-deploy.md": true, "memory/summary/2026-01.md": true, "memory/我的.md": true,
		"": false, "../memory.md": false, "memory/../x.md": false, "/memory.md": false, `memory\x.md`: false, "memory/x.txt": false,
		"memory/.x.md": false, "other/x.md": false, "C:memory.md": false, "memory/a/b.md": false,
	} {
		if got := isJournalPath(path); got != want {
			t.Errorf("%q: %v", path, got)
		}
	}
}
