package memory

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
)

// ErrInvalid is wrapped by errors about values that cannot be stored; their messages say
// why.
var ErrInvalid = errors.New("not valid")

// Limits of an agent's fields, in characters.
const (
	MaxAgentName    = 40
	maxAgentPersona = 8000
	maxAgentModel   = 200
)

// Agent is a persona that the user talks to. Its id isolates everything: no query,
// index, file or export of one agent ever returns another's data.
type Agent struct {
	ID string `json:"id"`
	// Name is the display name; empty means the id. See [Agent.Title].
	Name string `json:"name"`
	// Persona describes the agent to the model.
	Persona string `json:"persona"`
	// Model answers as this agent; empty means the configured one.
	Model string `json:"model"`
	// Color is one of [AgentColors], or empty for the theme's default.
	Color     string    `json:"color"`
	CreatedAt time.Time `json:"created_at,omitzero"`
	UpdatedAt time.Time `json:"updated_at,omitzero"`
}

// Title returns the agent's display name.
func (a Agent) Title() string { return cmp.Or(a.Name, a.ID) }

// AgentColors returns the valid values of [Agent].Color. Every theme has a shade of
// each.
func AgentColors() []string {
	return []string{"red", "orange", "yellow", "green", "cyan", "blue", "violet", "pink"}
}

// Validate returns the agent's first fault, or nil.
func (a Agent) Validate() error {
	if !ValidAgentID(a.ID) {
		return fmt.Errorf("agent %q: ids are 1 to 64 of a-z, 0-9, - and _", a.ID)
	}
	return a.ValidateFields()
}

// ValidateFields is Validate without the id. The error text begins with the field's
// name.
func (a Agent) ValidateFields() error {
	for _, f := range []struct {
		name, value string
		most        int
	}{{"name", a.Name, MaxAgentName}, {"persona", a.Persona, maxAgentPersona}, {"model", a.Model, maxAgentModel}} {
		switch {
		case !utf8.ValidString(f.value):
			return fmt.Errorf("%s is not UTF-8 text", f.name)
		case utf8.RuneCountInString(f.value) > f.most:
			return fmt.Errorf("%s has %d characters; allowed are %d", f.name, utf8.RuneCountInString(f.value), f.most)
		case strings.ContainsFunc(f.value, func(r rune) bool { return control(r, f.name == "persona") }):
			return fmt.Errorf("%s holds a control character", f.name)
		}
	}
	for _, name := range []string{a.ID, a.Name} {
		if MeansEverybody(name) {
			return fmt.Errorf("%q means everybody in a group; an agent needs another name", name)
		}
	}
	if a.Name != strings.TrimSpace(a.Name) {
		return errors.New("name begins or ends with a blank")
	}
	if a.Model != strings.TrimSpace(a.Model) {
		return errors.New("model begins or ends with a blank")
	}
	if a.Color != "" && !slices.Contains(AgentColors(), a.Color) {
		return fmt.Errorf("color is %q; allowed are %s, and none", a.Color, strings.Join(AgentColors(), ", "))
	}
	return nil
}

// Everybody returns the names that address all members of a group.
func Everybody() []string { return []string{"all", "所有人"} }

// MeansEverybody reports whether a name is one of [Everybody], ignoring case and surrounding blanks.
func MeansEverybody(name string) bool {
	return slices.ContainsFunc(Everybody(), func(s string) bool { return strings.EqualFold(s, strings.TrimSpace(name)) })
}

func control(r rune, lines bool) bool {
	return unicode.IsControl(r) && !(lines && (r == '\n' || r == '\t'))
}

// AgentIDFor derives an id from a name: its letters a to z, digits, - and _, with
// blanks as
//   - and other characters removed. If nothing is left, the id is agent-1, agent-2 and
//     so on. taken reports used ids; a used id gets a number as suffix.
func AgentIDFor(name string, taken func(id string) bool) string { return idFor(name, "agent", taken) }

// GroupIDFor is AgentIDFor for a group: if nothing is left, the id is group-1 and so
// on.
func GroupIDFor(name string, taken func(id string) bool) string { return idFor(name, "group", taken) }

func idFor(name, otherwise string, taken func(id string) bool) string {
	var b strings.Builder
	for _, r := range strings.ToLower(strings.TrimSpace(name)) {
		switch {
		case r >= 'a' && r <= 'z', r >= '0' && r <= '9', r == '-', r == '_':
			b.WriteRune(r)
		case unicode.IsSpace(r), r == '.', r == '/':
			b.WriteByte('-')
		}
	}
	const room = 60 // leaves space for the number
	id := strings.Trim(b.String(), "-_")
	if len(id) > room {
		id = strings.TrimRight(id[:room], "-_")
	}
	if id != "" && !taken(id) && !MeansEverybody(id) {
		return id
	}
	first := 2
	if id == "" {
		id, first = otherwise, 1
	}
	for n := first; ; n++ {
		if numbered := fmt.Sprintf("%s-%d", id, n); !taken(numbered) {
			return numbered
		}
	}
}
