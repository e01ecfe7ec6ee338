package portable

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
	"unicode/utf8"

	"memoria/kv"
	"memoria/memory"
	"memoria/memory/transfer"
)

// row is a line of an export: a row of a bucket. The key has no agent.
type row struct {
	Bucket string          `json:"bucket"`
	Key    []any           `json:"key"` // strings and uint64
	Value  json.RawMessage `json:"value"`
}

// rowOf makes a line of a stored row.
func rowOf(bucket string, e kv.Entry[json.RawMessage]) (row, error) {
	parts, err := kv.ParseKey(e.Key)
	if err != nil {
		return row{}, err
	}
	return row{bucket, parts[1:], e.Value}, nil
}

// shape is what the rows of a bucket look like.
type shape struct {
	key string // a letter for each part: s for a string, n for a number
	// fields are those of the value that repeat a part of the key; i is an id of an agent.
	fields map[string]byte
	ids    string // the fields that are ids, with blanks between
}

var shapes = map[string]shape{
	"agents":           {key: "", fields: map[string]byte{"id": 'a'}},
	"seals":            {},
	"refused":          {key: "s"},
	"forgotten":        {key: "ss"},
	"texts":            {key: "s"},
	"passages":         {key: "ss"},
	"gaps":             {key: "s"},
	"sessions":         {key: "s", fields: map[string]byte{"id": 0, "agent_id": 'a'}, ids: "id"},
	"records":          {key: "sn", fields: map[string]byte{"session_id": 0, "agent_id": 'a'}, ids: "id"},
	"summaries":        {key: "sn", fields: map[string]byte{"session_id": 0, "version": 1, "agent_id": 'a'}},
	"working":          {key: "s", fields: map[string]byte{"session_id": 0}},
	"working_versions": {key: "sn", fields: map[string]byte{"session_id": 0}},
	"packages":         {key: "ss", fields: map[string]byte{"session_id": 0, "turn_id": 1, "agent_id": 'a'}},
	"items":            {key: "s", fields: map[string]byte{"id": 0, "agent_id": 'a'}, ids: "id"},
	"item_versions":    {key: "sn", fields: map[string]byte{"id": 0, "version": 1, "agent_id": 'a'}},
	"item_changes":     {key: "ss"},
	"turn_changes":     {key: "ss"},
	"incoming":         {key: "s", fields: map[string]byte{"id": 0, "agent_id": 'a'}, ids: "id"},
	"partials":         {key: "s", fields: map[string]byte{"turn_id": 0, "agent_id": 'a'}},
	"drafts":           {key: "", fields: map[string]byte{"agent_id": 'a'}},
	"jobs":             {key: "s", fields: map[string]byte{"id": 0, "agent_id": 'a'}},
	"profiles":         {key: "n", fields: map[string]byte{"version": 0, "agent_id": 'a'}},
	"counts":           {key: "s"},
	"history":          {key: "s"},
	"journal_files":    {key: "s", fields: map[string]byte{"path": 0}},
	"journal_ids":      {key: "s"},
	"journal_states":   {},
}

// parseRow reads a line of an export of the agent from, as a row of the agent to. It checks
// that key and value fit each other, so that no line writes anything but its own row.
func parseRow(line []byte, from, to string) (r row, err error) {
	d := json.NewDecoder(bytes.NewReader(line))
	d.UseNumber()
	if err := d.Decode(&r); err != nil {
		return r, fmt.Errorf("%w: a line: %w", transfer.ErrDamaged, err)
	}
	s, known := shapes[r.Bucket]
	if !known {
		return r, fmt.Errorf("%w: an unknown bucket %q", transfer.ErrDamaged, r.Bucket)
	}
	if len(r.Key) != len(s.key) {
		return r, wrong(r, "the key has another number of parts")
	}
	for i, kind := range s.key {
		switch part := r.Key[i].(type) {
		case string:
			if kind != 's' {
				return r, wrong(r, "a part of the key is no number")
			}
			if len(part) > maxPart {
				return r, wrong(r, "the key is too long")
			}
		case json.Number:
			n, err := part.Int64()
			if kind != 'n' || err != nil || n < 0 {
				return r, wrong(r, "a part of the key is no text")
			}
			r.Key[i] = uint64(n)
		default:
			return r, wrong(r, "a part of the key")
		}
	}
	if len(s.fields) > 0 {
		if err := r.identify(s, from, to); err != nil {
			return r, err
		}
	}
	return r, r.valid()
}

// valid checks the values on which rules depend.
func (r row) valid() error {
	switch r.Bucket {
	case "items", "item_versions":
		it, err := decode[memory.Item](r)
		states := []memory.State{memory.StateActive, memory.StateHeld, memory.StateMuted, memory.StateInactive}
		switch {
		case err != nil:
			return err
		case !it.Type.Valid():
			return wrong(r, "the type")
		case !slices.Contains(states, it.State):
			return wrong(r, "the state")
		case !(it.Confidence >= 0 && it.Confidence <= 1) || !(it.Importance >= 0 && it.Importance <= 1):
			return wrong(r, "confidence and importance are from 0 to 1")
		case it.Version < 1 || !utf8.ValidString(it.Content):
			return wrong(r, "the memory")
		}
	case "records", "incoming", "partials":
		rec, err := decode[memory.Record](r)
		roles := []memory.Role{memory.RoleUser, memory.RoleAssistant, memory.RoleTool, memory.RoleSystem}
		switch {
		case err != nil:
			return err
		case !slices.Contains(roles, rec.Role):
			return wrong(r, "the role")
		case len(rec.Content) > memory.MaxContent:
			return wrong(r, "the content is longer than a row has")
		}
	case "sessions":
		s, err := decode[memory.Session](r)
		states := []memory.SessionState{memory.SessionActive, memory.SessionArchiving, memory.SessionArchived}
		if err == nil && !slices.Contains(states, s.State) {
			err = wrong(r, "the state")
		}
		return err
	}
	return nil
}

func wrong(r row, what string) error {
	return fmt.Errorf("%w: a row of %s: %s", transfer.ErrDamaged, r.Bucket, what)
}

// identify compares the fields that repeat the key, and names the new agent.
func (r *row) identify(s shape, from, to string) error {
	var value map[string]json.RawMessage
	if err := json.Unmarshal(r.Value, &value); err != nil || value == nil {
		return wrong(*r, "the value is no object")
	}
	for name, part := range s.fields {
		want, err := json.Marshal(from)
		if part != 'a' && err == nil {
			want, err = json.Marshal(r.Key[part])
		}
		if err != nil {
			return err
		}
		if !bytes.Equal(bytes.TrimSpace(value[name]), want) {
			return wrong(*r, "the field "+name+" is not that of the key")
		}
		if part == 'a' && from != to {
			if value[name], err = json.Marshal(to); err != nil {
				return err
			}
		}
	}
	for name := range strings.FieldsSeq(s.ids) {
		var id string
		if json.Unmarshal(value[name], &id) != nil {
			return wrong(*r, "the field "+name)
		}
		if _, err := memory.IDTime(id); err != nil {
			return wrong(*r, "the id "+name)
		}
	}
	if r.Bucket == "journal_files" && !isJournalPath(r.Key[0].(string)) {
		return wrong(*r, "the path")
	}
	var err error
	if from != to {
		r.Value, err = json.Marshal(value)
	}
	return err
}

// maxPart bounds a text in a key, in bytes.
const maxPart = 1024

// isJournalPath reports whether a name is one of a journal's files (J1).
func isJournalPath(name string) bool {
	if !fs.ValidPath(name) || strings.ContainsAny(name, "\\:\x00") || path.Ext(name) != ".md" || strings.HasPrefix(path.Base(name), ".") ||
		len(path.Base(name)) > 255 {
		return false
	}
	dir := path.Dir(name)
	return name == "memory.md" || dir == "memory" || dir == "memory/summary"
}

// key returns the stored key of a row of an agent.
func (r row) key(agent string) []byte { return kv.Key(append([]any{agent}, r.Key...)...) }

// id returns the first part of the key, "" if it is none.
func (r row) id() string {
	if len(r.Key) == 0 {
		return ""
	}
	id, _ := r.Key[0].(string)
	return id
}

func decode[T any](r row) (v T, err error) {
	if err := json.Unmarshal(r.Value, &v); err != nil {
		return v, fmt.Errorf("%w: a row of %s: %w", transfer.ErrDamaged, r.Bucket, err)
	}
	return v, nil
}

// with returns the row with another value.
func (r row) with(v any) (row, error) {
	value, err := json.Marshal(v)
	r.Value = value
	return r, err
}
