package plain

import (
	"strconv"
	"strings"

	"memoria/memory"
	"memoria/ui/clean"
	"memoria/ui/words"
)

// context says what a turn of this session sent to the model (C5): first the
// layers and the memories that took part, then, with /more, layer by layer.
func (s *session) context(name string) {
	packages, err := s.packages()
	if err != nil {
		s.tell(err)
		return
	}
	if len(packages) == 0 {
		s.say("no turn of this session was sent to a model")
		return
	}
	n := len(packages)
	if name != "" {
		if n, err = strconv.Atoi(name); err != nil || n < 1 || n > len(packages) {
			s.say("error: this session has the turns 1 to %d", len(packages))
			return
		}
	}
	r, err := s.o.Memory.Package(s.ctx, packages[n-1].AgentID, packages[n-1].TurnID)
	if err != nil {
		s.tell(err)
		return
	}
	s.heading(r, n, len(packages))
	for i, b := range r.Rendered {
		s.say("layer %d: %s", i+1, layerWords(b))
	}
	for i, round := range r.Further {
		for _, c := range round.Called {
			s.say("request %d: after %s", i+2, callWords(c))
		}
	}
	for _, d := range r.Dropped {
		s.say("left out of %s: %s, %s", layer(d.Layer), clean.Line(d.What), clean.Line(d.Reason))
	}
	if r.Look != nil {
		s.say("the archive was looked into: %s; /proof says what it had", clean.Line(words.Look(*r.Look, s.o.Now().Location())))
	}
	s.used(r.Used)
	for _, f := range r.Found {
		how := ""
		if !f.Chosen {
			how = "not used: "
		}
		s.say("found in the journal: %s%s", how, words.JournalFound(f, r.Files[f.File]))
	}
	s.layers(r, 0)
}

// packages are what the turns of the session sent; of a group what went to its members.
func (s *session) packages() ([]memory.Package, error) {
	if len(s.o.chat.Members()) > 0 {
		return s.o.Memory.GroupPackages(s.ctx, s.agent, s.in.ID)
	}
	return s.o.Memory.Packages(s.ctx, s.agent, s.in.ID)
}

func (s *session) heading(r memory.Rendered, n, of int) {
	whom := ""
	if r.AgentID != s.agent {
		whom = ", for " + clean.Line(s.o.chat.NameOf(r.AgentID))
	}
	s.say("turn %d of %d, %s%s", n, of, when(r.CreatedAt), whom)
	exact := "the text is byte for byte what was sent"
	if r.Model == memory.ModelOffline {
		s.say("answered from memory alone: nothing was sent anywhere")
		exact = "the text is what a model would have been sent"
	} else {
		s.say("sent to %s at %s", clean.Line(r.Model), clean.Line(r.Endpoint))
	}
	if !r.AllExact() {
		exact = "not all of it is still there"
	}
	s.say("about %d of %s; %s", r.Tokens, many(r.Limit, "token", "tokens"), exact)
	if r.Degraded != "" {
		s.say("note: %s", clean.Line(r.Degraded))
	}
}

func layerWords(b memory.RenderedBlock) string {
	said := layer(b.Layer) + ", as " + string(b.Role) + ", about " + many(b.Tokens, "token", "tokens")
	if b.Note != "" {
		said += ", " + clean.Line(b.Note)
	}
	return said
}

// callWords says what was called, and what came of it.
func callWords(c memory.RenderedCall) string {
	if c.Name == "" {
		return "a call that was deleted since"
	}
	came := many(c.Found, "hit", "hits")
	if c.Failed != "" {
		came = c.Failed
	}
	return clean.Line(c.Name + " " + c.Arguments + ", " + came)
}

// results says what the model got for each of its calls, one with each /more.
func (s *session) results(r memory.Rendered, i int) {
	var all []memory.RenderedCall
	for _, round := range r.Further {
		all = append(all, round.Called...)
	}
	if i == len(all) {
		s.next = nil
		s.say("that was all of it")
		return
	}
	s.next = func() {
		s.say("call %d of %d, %s\n%s", i+1, len(all), callWords(all[i]), strings.Trim(all[i].Text, "\n"))
		s.results(r, i+1)
	}
	if i == 0 {
		s.say("/more says what the model got for its calls")
	}
}

// layers says one layer's text, and the next with /more.
func (s *session) layers(r memory.Rendered, i int) {
	if i == len(r.Rendered) {
		s.results(r, 0)
		return
	}
	s.next = func() {
		b := r.Rendered[i]
		s.say("layer %d of %d, %s\n%s", i+1, len(r.Rendered), layerWords(b), strings.Trim(b.Text, "\n"))
		s.layers(r, i+1)
	}
	if i == 0 {
		s.say("/more says the first layer's text; /show or /why and a number says more about a memory")
	}
}
