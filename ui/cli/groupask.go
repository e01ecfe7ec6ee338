package cli

import (
	"context"
	"strings"

	"memoria/chat"
	"memoria/memory"
	"memoria/ui/actions"
	"memoria/ui/app"
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

// finishGroup ends the printing of a group's answers and returns them, and how they ended.
func (o *printer) finishGroup(ctx context.Context, a *app.App) (r actions.Result) {
	all := groupAnswer{Unreadable: o.unreadable}
	if !o.json && o.last != "" && !strings.HasSuffix(o.last, "\n") {
		o.p.print("\n")
	}
	for _, end := range o.choir.answers {
		all.Session, all.Turn = end.Record.SessionID, end.Record.TurnID
		pkg := o.choir.pkgs[end.Record.Sender]
		sources := citations(ctx, o.p, a, pkg)
		all.Answers = append(all.Answers, answerOf(end, pkg, sources))
		if !o.json {
			o.cite(sources)
		}
	}
	for _, end := range o.choir.answers {
		if end.Problem != nil {
			o.p.remark("ask.failed", oneLine(o.choir.name(end.Record)))
		}
		if one := outcome(o.p, end); one != nil {
			r.Failed = one
		}
	}
	r.Data = all
	return r
}
