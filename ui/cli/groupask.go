package cli

import (
	"cmp"
	"context"
	"strings"

	"memoria/ui/app"

	"memoria/chat"
	"memoria/memory"
	"memoria/ui/clean"
)

// groupAnswer is what ask --json prints for a group: the answers of its members, in
// their order.
type groupAnswer struct {
	Session string   `json:"session"`
	Turn    string   `json:"turn"`
	Answers []answer `json:"answers"`
	// Unreadable is how many records of the memory cannot be read (K5).
	Unreadable int `json:"unreadable,omitempty"`
}

// choir gathers the answers of a group.
type choir struct {
	name    func(memory.Record) string
	sender  string // whose answer is being printed
	pkgs    map[string]*memory.Package
	answers []chat.Finished
}

// voice begins the printing of a member's answer with its name.
func (o *printer) voice(sender string) {
	if o.choir == nil || o.json || o.choir.sender == sender {
		return
	}
	o.endVoice()
	o.choir.sender = sender
	o.write(clean.Line(o.choir.name(memory.Record{Sender: sender})) + ": ")
}

// endVoice ends it with an empty line.
func (o *printer) endVoice() {
	o.write(o.text.End())
	o.text = clean.Stream{}
	if o.last != "" {
		o.write(strings.Repeat("\n", 2-min(2, len(o.last)-len(strings.TrimRight(o.last, "\n")))))
	}
}

// joins takes what an event says of one member of a group.
func (c *choir) joins(e chat.Event) {
	if c == nil {
		return
	}
	switch e := e.(type) {
	case chat.PackageStored:
		c.pkgs[e.Sender] = &e.Package
	case chat.Finished:
		c.answers = append(c.answers, e)
	}
}

// finishGroup ends the printing of a group's answers and returns how they ended.
func finishGroup(ctx context.Context, p *Program, o *app.App, out *printer) (err error) {
	c := out.choir
	all := groupAnswer{Unreadable: out.unreadable}
	if !out.json && out.last != "" && !strings.HasSuffix(out.last, "\n") {
		p.print("\n")
	}
	for _, end := range c.answers {
		all.Session, all.Turn = end.Record.SessionID, end.Record.TurnID
		pkg := c.pkgs[end.Record.Sender]
		sources := citations(ctx, p, o, pkg)
		all.Answers = append(all.Answers, answer{
			Sender: end.Record.Sender, Session: end.Record.SessionID, Turn: end.Record.TurnID, Text: end.Record.Content,
			Finish: cmp.Or(end.Record.FinishReason, string(end.Record.Status)), Usage: end.Record.Usage, Package: pkg, Citations: sources,
		})
		if !out.json {
			sayCitations(p, sources)
		}
	}
	if out.json {
		if err := p.printJSON(all); err != nil {
			return err
		}
	}
	for _, end := range c.answers {
		if end.Problem != nil {
			p.say("memoria: %s did not answer", oneLine(c.name(end.Record)))
		}
		if one := outcome(p, end); one != nil {
			err = one
		}
	}
	return err
}
