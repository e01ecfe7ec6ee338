package memory

import (
	"bytes"
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Programs read is_active after origin, and metadata as an object of strings (L1).
func TestItemJSON(t *testing.T) {
	it := Item{
		ID: "I1", AgentID: "luna", Type: TypeFact, Key: "name", Content: "<Luna> & co", Origin: OriginTurn, State: StateActive,
		Metadata: ItemMetadata{Rule: "name", WouldReplace: "I0", WouldEnd: true}, Version: 1,
	}
	const want = `{"id":"I1","agent_id":"luna","type":"fact","key":"name","content":"<Luna> & co",` +
		`"confidence":0,"importance":0,"source":"","origin":"turn","is_active":true,` +
		`"created_at":"0001-01-01T00:00:00Z","updated_at":"0001-01-01T00:00:00Z","access_count":0,"trust":"foreign","state":"active",` +
		`"metadata":{"rule":"name","would_end":"yes","would_replace":"I0"},"version":1`
	encode := func(v any) string {
		var b bytes.Buffer
		enc := json.NewEncoder(&b)
		enc.SetEscapeHTML(false)
		if err := enc.Encode(v); err != nil {
			t.Fatal(err)
		}
		return b.String()
	}
	if got := encode(it); got != want+"}\n" {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	var back Item
	if err := json.Unmarshal([]byte(want+"}"), &back); err != nil || !cmp.Equal(back, it) {
		t.Errorf("%v: %s", err, cmp.Diff(it, back))
	}
	it.State = StateMuted
	if got := encode(it); !bytes.Contains([]byte(got), []byte(`"is_active":false`)) {
		t.Errorf("a muted item is active: %s", got)
	}
	it.State = StateActive
	got, err := it.JSONWith(struct {
		Why string `json:"why"`
	}{"a>b"})
	if err != nil || string(got) != want+`,"why":"a>b"}` {
		t.Errorf("%v: %s", err, got)
	}
	if got, err = it.JSONWith(struct{}{}); err != nil || string(got) != want+"}" {
		t.Errorf("%v: %s", err, got)
	}
}

// A record's metadata keeps the JSON that it had as a map of strings.
func TestRecordMetadataJSON(t *testing.T) {
	m := RecordMetadata{Answers: "R1", Degraded: "slow", Edits: "R2", Error: "timeout", Forgetful: true, Imported: true, Ruled: true}
	got, err := json.Marshal(m)
	if err != nil {
		t.Fatal(err)
	}
	want, err := json.Marshal(map[string]string{
		"answers": "R1", "degraded": "slow", "edits": "R2", "error": "timeout", "forgetful": "true", "imported": "true",
		"ruled": "true",
	})
	if err != nil || !bytes.Equal(got, want) {
		t.Errorf("%v: got %s, want %s", err, got, want)
	}
	var back RecordMetadata
	if err := json.Unmarshal(want, &back); err != nil || back != m {
		t.Errorf("%v: %+v", err, back)
	}
}
