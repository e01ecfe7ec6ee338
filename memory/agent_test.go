package memory

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// I5: what an agent may be.
func TestAgentValidate(t *testing.T) {
	good := Agent{ID: "luna", Name: "露娜", Persona: "You are kind.\n\tAnd short.", Model: "gpt-4.1-mini", Color: "violet"}
	if err := good.Validate(); err != nil {
		t.Fatal(err)
	}
	for want, spoil := range map[string]func(*Agent){
		"ids are":                         func(a *Agent) { a.ID = "Luna" },
		"name has 41 characters":          func(a *Agent) { a.Name = strings.Repeat("月", 41) },
		"name holds a control character":  func(a *Agent) { a.Name = "lu\nna" },
		"name begins or ends":             func(a *Agent) { a.Name = " luna" },
		"persona has":                     func(a *Agent) { a.Persona = strings.Repeat("a", maxAgentPersona+1) },
		"persona holds a control":         func(a *Agent) { a.Persona = "a\x1b[31m" },
		"persona is not UTF-8":            func(a *Agent) { a.Persona = "\xff" },
		"model holds a control character": func(a *Agent) { a.Model = "m\n" },
		"model begins or ends":            func(a *Agent) { a.Model = "m " },
		`"all" means everybody`:           func(a *Agent) { a.ID = "all" }, // I8
		`"所有人" means everybody`:           func(a *Agent) { a.Name = "所有人" },
		"color is":                        func(a *Agent) { a.Color = "mauve" },
	} {
		a := good
		spoil(&a)
		if err := a.Validate(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", want, err)
		}
	}
}

// I5: every name leads to a valid id that is not taken, Chinese ones too.
func TestAgentIDFor(t *testing.T) {
	none := func(string) bool { return false }
	for name, want := range map[string]string{
		"luna": "luna", "Luna May": "luna-may", "  Code-Review_2 ": "code-review_2", "露娜": "agent-1",
		"小 Luna": "luna", "---": "agent-1", "": "agent-1", "v1.5": "v1-5",
	} {
		if got := AgentIDFor(name, none); got != want {
			t.Errorf("%q gives %q, want %q", name, got, want)
		}
	}
	taken := map[string]bool{"luna": true, "agent-1": true, "luna-2": true}
	is := func(id string) bool { return taken[id] }
	if got := AgentIDFor("Luna", is); got != "luna-3" {
		t.Error(got)
	}
	if got := AgentIDFor("露娜", is); got != "agent-2" {
		t.Error(got)
	}
	rapid.Check(t, func(t *rapid.T) {
		name := rapid.String().Draw(t, "name")
		if id := AgentIDFor(name, is); !ValidAgentID(id) || taken[id] {
			t.Fatalf("%q gives %q", name, id)
		}
	})
}
