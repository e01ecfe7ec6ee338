package help

import (
	"strings"

	"charm.land/bubbles/v2/key"

	"memoria/ui/actions"
	"memoria/ui/term/keys"
	"memoria/ui/words"
)

// Commands tells the commands that can be typed, for the help.
func Commands(w words.Words) keys.Group {
	g := keys.Group{Title: w.Say("slash.title")}
	for _, c := range actions.Screen.All() {
		names := ""
		if n := len(c.Aliases); n > 0 {
			names = " (" + strings.Join(c.Aliases, " ") + ")"
		}
		help := c.Worded(w.Language).Help + names
		g.Keys = append(g.Keys, key.NewBinding(key.WithKeys("/"+c.Name), key.WithHelp("/"+c.Name, help)))
	}
	return g
}
