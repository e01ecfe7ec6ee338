package cli

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"memoria/ui/clean"
	"memoria/ui/words"
)

// readable returns the manual as plain text for a terminal: the commands below root, and the
// topics.
func readable(w words.Words, root *cobra.Command, version string) string {
	m := &plainPage{words: w}
	m.title("memoria " + version)
	m.text(root.Long)
	m.text(root.Example)
	m.text(w.Say("help.everywhere"))
	m.flags(root.PersistentFlags())
	m.commands(root)
	for _, t := range topics(w) {
		head, body, _ := strings.Cut(t.String(), "\n")
		m.title(head)
		m.WriteString(body)
	}
	return m.String()
}

// plainPage is text for reading.
type plainPage struct {
	strings.Builder
	words words.Words
}

// title begins a chapter.
func (m *plainPage) title(text string) {
	if m.Len() > 0 {
		m.WriteString("\n")
	}
	fmt.Fprintf(m, "%s\n%s\n", text, strings.Repeat("─", clean.Width(text)))
}

// text writes lines as they are, after an empty line.
func (m *plainPage) text(s string) {
	if s != "" {
		fmt.Fprintf(m, "\n%s\n", strings.Trim(s, "\n"))
	}
}

// flags writes the flags that are told.
func (m *plainPage) flags(set *pflag.FlagSet) {
	type flag struct{ name, about string }
	var told []flag
	wide := 0
	set.VisitAll(func(f *pflag.Flag) {
		if f.Hidden || f.Name == "help" {
			return
		}
		name, about := flagNames(f)
		told = append(told, flag{name, about})
		wide = max(wide, clean.Width(name))
	})
	var lines []string
	for _, f := range told {
		lines = append(lines, row(f.name, f.about, wide+3)...)
	}
	m.text(strings.Join(lines, "\n"))
}

// commands writes what can be run below c.
func (m *plainPage) commands(c *cobra.Command) {
	for _, sub := range c.Commands() {
		switch {
		case !sub.IsAvailableCommand():
		case sub.HasAvailableSubCommands():
			m.commands(sub)
		default:
			m.title(strings.TrimSuffix(sub.UseLine(), " [flags]"))
			if sub.Long == "" {
				m.text(sub.Short + m.words.Say("sep.stop"))
			}
			m.text(sub.Long)
			m.flags(sub.LocalNonPersistentFlags())
			m.text(sub.Example)
		}
	}
}
