package cli

import (
	"context"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"memoria/ui/actions"
	"memoria/ui/words"
)

// man prints the manual: on a terminal as text to read, else as a page for the program man.
func man(_ context.Context, in *input) (r actions.Result, _ error) {
	page := manual
	if isTerminal(in.Stdout) && !in.on("troff") {
		page = readable
	}
	_, err := in.out.Write([]byte(page(in.lang(), in.cmd.Root(), in.Program.Version)))
	return r, err
}

// manual writes the commands below root as a page for man, from the same texts
// that --help shows.
func manual(w words.Words, root *cobra.Command, version string) string {
	m := &page{words: w}
	m.line(`.TH MEMORIA 1 "" %s "User Commands"`, quoted("memoria "+version))
	m.section("NAME")
	m.text("memoria - " + uncapitalized(root.Short))
	m.section("SYNOPSIS")
	m.line(`.B memoria`)
	m.line(`[\fIflags\fR] [\fIcommand\fR]`)
	m.section("DESCRIPTION")
	m.text(root.Long)
	m.examples(root.Example)
	m.section("OPTIONS")
	m.text(w.Say("help.everywhere"))
	m.flags(root.PersistentFlags())
	m.section("COMMANDS")
	m.commands(w, root)
	for _, t := range topics(w) {
		m.topic(t)
	}
	return m.String()
}

// uncapitalized is a text that begins with a small letter.
func uncapitalized(text string) string {
	first, size := utf8.DecodeRuneInString(text)
	return string(unicode.ToLower(first)) + text[size:]
}

// page is text for troff.
type page struct {
	strings.Builder
	words words.Words
}

func (m *page) line(format string, args ...any) { fmt.Fprintf(m, format+"\n", args...) }
func (m *page) section(name string)             { m.line(".SH %s", name) }

// item is a term with its meaning.
func (m *page) item(term, about string) {
	m.line(".TP")
	m.line(`\fB%s\fR`, escaped(term))
	m.text(about)
}

// text writes paragraphs: they are filled, with an empty line between them.
func (m *page) text(s string) {
	for i, para := range strings.Split(strings.TrimSpace(s), "\n\n") {
		if i > 0 {
			m.line(".PP")
		}
		if m.words.Language == words.Chinese { // troff would put spaces between the lines
			para = unbroken(m.words, para)
		}
		for l := range strings.SplitSeq(para, "\n") {
			m.line("%s", guarded(escaped(l)))
		}
	}
}

// examples are lines that stay as they are.
func (m *page) examples(s string) {
	if s == "" {
		return
	}
	m.line(".PP\n.RS\n.nf")
	for l := range strings.SplitSeq(s, "\n") {
		m.line("%s", guarded(escaped(strings.TrimPrefix(l, "  "))))
	}
	m.line(".fi\n.RE")
}

func (m *page) flags(set *pflag.FlagSet) {
	set.VisitAll(func(f *pflag.Flag) {
		if f.Hidden || f.Name == "help" {
			return
		}
		m.item(flagNames(f))
	})
}

// flagNames returns a flag as it is typed, with its value, and what it does.
func flagNames(f *pflag.Flag) (name, about string) {
	value, about := pflag.UnquoteUsage(f)
	name = "--" + f.Name
	if f.Shorthand != "" {
		name = "-" + f.Shorthand + ", " + name
	}
	if value != "" {
		name += " " + value
	}
	return name, about
}

// commands writes what can be run below c.
func (m *page) commands(w words.Words, c *cobra.Command) {
	for _, sub := range c.Commands() {
		if !sub.IsAvailableCommand() {
			continue
		}
		if sub.HasAvailableSubCommands() {
			m.commands(w, sub)
			continue
		}
		m.line(".SS %s", quoted(strings.TrimSuffix(sub.UseLine(), " [flags]")))
		about := sub.Long
		if about == "" {
			about = sub.Short + w.Say("sep.stop")
		}
		m.text(about)
		m.flags(sub.LocalNonPersistentFlags())
		m.examples(sub.Example)
	}
}

// topic writes a chapter of the manual.
func (m *page) topic(t topic) {
	m.section(escaped(strings.ToUpper(t.title)))
	for i, b := range t.blocks {
		switch {
		case b.example:
			m.examples(b.text)
		case b.typed(): // it is neither filled nor hyphenated
			m.line(".PP")
			m.line(".nf")
			m.line(`\fB%s\fR`, escaped(b.term))
			m.line(".fi")
			m.line(".RS")
			m.text(b.text)
			m.line(".RE")
		case b.term != "":
			m.item(b.term, b.text)
		default:
			if i > 0 {
				m.line(".PP")
			}
			m.text(b.text)
		}
	}
}

// escaped keeps troff from reading a text as commands.
func escaped(s string) string {
	return strings.NewReplacer(`\`, `\e`, "-", `\-`, "`", `\(ga`, "'", `\(aq`, "^", `\(ha`, "~", `\(ti`).Replace(s)
}

// guarded keeps a line from being a request.
func guarded(s string) string {
	if strings.HasPrefix(s, ".") {
		return `\&` + s
	}
	return s
}

// quoted is one argument of a request.
func quoted(s string) string { return `"` + strings.ReplaceAll(escaped(s), `"`, `\(dq`) + `"` }
