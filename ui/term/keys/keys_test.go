package keys

import (
	"reflect"
	"strings"
	"testing"
	"unicode"

	"charm.land/bubbles/v2/key"

	"memoria/ui/clean"
	"memoria/ui/config"
	"memoria/ui/words"
)

// bindings returns those of a field: one, a list of them, or the moves.
func bindings(v reflect.Value) []key.Binding {
	switch b := v.Interface().(type) {
	case key.Binding:
		return []key.Binding{b}
	case Moves:
		return []key.Binding{b.Up, b.Down, b.PageUp, b.PageDown, b.Home, b.End}
	}
	return v.Interface().([]key.Binding)
}

// Every binding has keys and words, and the help tells every one of them once.
func TestEveryBindingIsExplained(t *testing.T) {
	m := Default(words.Words{})
	told := map[string]bool{}
	for _, g := range m.Groups() {
		for _, b := range g.Keys {
			told[g.Title+b.Help().Key] = true
			if b.Help().Desc == "" || len(b.Keys()) == 0 {
				t.Errorf("%s: %v says nothing", g.Title, b)
			}
		}
	}
	if len(told) < 40 {
		t.Errorf("the help tells %d keys", len(told))
	}
	v := reflect.ValueOf(m)
	for i := range v.NumField() {
		if name := v.Type().Field(i); !name.IsExported() || name.Name == "Words" || name.Name == "Command" {
			continue
		}
		for j := range v.Field(i).NumField() {
			for _, b := range bindings(v.Field(i).Field(j)) {
				if !b.Enabled() || b.Help().Key == "" || b.Help().Desc == "" {
					t.Errorf("%s.%s is empty", v.Type().Field(i).Name, v.Field(i).Type().Field(j).Name)
				}
			}
		}
	}
}

// In Chinese every key is described in Chinese, and in few enough cells for the bottom line.
func TestChinese(t *testing.T) {
	m := Default(words.In(config.LanguageChinese))
	for _, g := range m.Groups() {
		for _, text := range append(descriptions(g.Keys), g.Title) {
			if !strings.ContainsFunc(text, func(r rune) bool { return unicode.Is(unicode.Han, r) }) {
				t.Errorf("%s: %q", g.Title, text)
			}
		}
	}
	for _, b := range []key.Binding{m.List.Delete, m.Talk.Copy, m.Inbox.Accept, m.Journal.Edit, m.Members.Take, m.Confirm.Yes} {
		if w := clean.Width(b.Help().Desc); w > 12 {
			t.Errorf("%q takes %d cells", b.Help().Desc, w)
		}
	}
}

func descriptions(all []key.Binding) (out []string) {
	for _, b := range all {
		out = append(out, b.Help().Desc)
	}
	return out
}

// Within what works at the same time no key means two things.
func TestNoKeyMeansTwoThings(t *testing.T) {
	m := Default(words.Words{})
	for name, groups := range map[string][]any{
		"input":    {m.Global, m.Input},
		"list":     {m.Panel, m.List},
		"context":  {m.Panel, m.Sent},
		"talk":     {m.Talk},
		"working":  {m.Panel, m.Working},
		"evidence": {m.Panel, m.Evidence},
		"sessions": {m.Panel, m.Sessions},
		"erase":    {m.Erase},
		"health":   {m.Panel, m.Health},
		"inbox":    {m.Panel, m.Inbox},
		"archive":  {m.Panel, m.Archive},
		"settings": {m.Panel, m.Settings},
		"agents":   {m.Panel, m.Agents},
	} {
		seen := map[string]string{}
		for _, g := range groups {
			v := reflect.ValueOf(g)
			for i := range v.NumField() {
				field := v.Type().Name() + "." + v.Type().Field(i).Name
				for _, b := range bindings(v.Field(i)) {
					for _, k := range b.Keys() {
						if other, twice := seen[k]; twice && field != "Sent.Back" && field != "Agents.Close" { // an open page has precedence
							t.Errorf("%s: %s means %s and %s", name, k, other, field)
						}
						seen[k] = field
					}
				}
			}
		}
	}
}
