package chat_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"memoria/chat"
	"memoria/chat/model"
	"memoria/chat/model/modeltest"
	"memoria/memory"
	"memoria/memory/lookup"
	"memoria/memory/manager"
	"memoria/memory/manager/write"
)

const trio = "trio"

var members = []chat.Agent{
	{ID: "ann", Name: "Ann", Persona: "Ann is a botanist."}, {ID: "bo", Name: "Bo", Persona: "Bo is a baker."}, {ID: "cy", Name: "小西"},
}

// asGroup makes the conversation one with a group of three.
func asGroup(t testing.TB) func(*chat.Options) {
	return func(o *chat.Options) {
		g := memory.Group{ID: trio, Name: "Trio"}
		for _, m := range members {
			g.Members = append(g.Members, m.ID)
		}
		if _, err := o.Manager.Lookup().Group(t.Context(), trio); errors.Is(err, lookup.ErrNotFound) {
			if _, err := o.Manager.AddGroup(t.Context(), g); err != nil {
				t.Fatal(err)
			}
		}
		o.Agent, o.Members = chat.Agent{ID: trio, Name: "Trio"}, members
	}
}

// ask sends a message to the group and returns the ends of all answers.
func (h *house) ask(text string) (ends []chat.Finished) {
	h.t.Helper()
	if _, err := h.chat.Send(h.t.Context(), text, nil); err != nil {
		h.t.Fatal(err)
	}
	return h.answers()
}

func (h *house) answers() (ends []chat.Finished) {
	h.t.Helper()
	for {
		end := until[chat.Finished](h, nil)
		if ends = append(ends, end); !end.More {
			return ends
		}
	}
}

// learnt waits until everybody is done with a turn that has ended, and checks that each
// learned from it once: what the rules made of the message came before the answers.
func (h *house) learnt(turn string) {
	h.t.Helper()
	taught, done, ended := map[string]int{}, map[string]bool{}, false
	note := func(e chat.Event) {
		switch e := e.(type) {
		case chat.Finished:
			ended = ended || e.TurnID == turn && !e.More
		case chat.Learned:
			if e.TurnID != turn {
				return
			}
			if len(e.Changes) > 0 {
				taught[e.Sender]++
			}
			done[e.Sender] = done[e.Sender] || ended
		}
	}
	for _, e := range h.seen {
		note(e)
	}
	all := func() (n int) {
		for _, ok := range done {
			if ok {
				n++
			}
		}
		return n
	}
	for all() < len(members) {
		note(until[chat.Event](h, nil))
	}
	for who, n := range taught {
		if n != 1 {
			h.t.Errorf("%s learned %d times from the turn", who, n)
		}
	}
}

// transcript is what was said in a session, in its order.
func transcript(t testing.TB, m *manager.Manager, agent, session string) (out []string) {
	t.Helper()
	records, err := m.Lookup().Records(t.Context(), agent, session)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range records {
		out = append(out, r.Sender+": "+r.Content)
	}
	return out
}

// S9: the members answer in their order, each hearing those before it; names stand
// before what others say, templates alternate, and what is sent is what is stored,
// for each under its own id.
func TestGroupConversation(t *testing.T) {
	t.Parallel()
	h := newHouse(t, asGroup(t), text("I say oak."), text("I say @Ann rye."), text("我说茶。"), text("Rye, still."))
	ends := h.ask("What do you think of first?")
	var by []string
	for _, e := range ends {
		by = append(by, e.Sender+"/"+e.Record.Sender)
	}
	if diff := cmp.Diff([]string{"ann/ann", "bo/bo", "cy/cy"}, by); diff != "" {
		t.Fatalf("who answered (-want +got):\n%s", diff)
	}
	one := h.ask("＠bo and now?")
	if len(one) != 1 || one[0].Record.Sender != "bo" {
		t.Fatalf("answers to ＠bo: %+v", one)
	}
	session := ends[0].Record.SessionID
	want := []string{": What do you think of first?", "ann: I say oak.", "bo: I say @Ann rye.", "cy: 我说茶。", ": ＠bo and now?", "bo: Rye, still."}
	for _, id := range []string{trio, "ann", "bo", "cy"} {
		if diff := cmp.Diff(want, transcript(t, h.manager, id, session)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", id, diff)
		}
	}
	requests := h.server.Requests()
	if len(requests) != 4 { // an answer that names a member makes no member speak
		t.Fatalf("%d requests", len(requests))
	}
	for i, req := range requests {
		who := []string{"ann", "bo", "cy", "bo"}[i]
		var got []memory.Message
		for _, m := range req.Messages {
			got = append(got, memory.Message{Role: memory.Role(m.Role), Content: m.Content})
		}
		turn := append(ends, one...)[i].Record.TurnID
		pkg, err := h.manager.Lookup().Package(t.Context(), who, turn)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(pkg.Messages(), got); diff != "" || !pkg.Exact {
			t.Errorf("%s: stored and received, exact %t (-stored +received):\n%s", who, pkg.Exact, diff)
		}
		for n := 1; n < len(got); n++ {
			if got[n].Role == got[n-1].Role {
				t.Errorf("request %d: messages %d and %d are of one role", i, n-1, n)
			}
		}
		if last := got[len(got)-1]; last.Role != memory.RoleUser {
			t.Errorf("request %d ends with %s", i, last.Role)
		}
	}
	const now = "It is Saturday, 2026-11-21 09:00 +00:00.\n\n"
	last := func(i int) string { return requests[i].Messages[len(requests[i].Messages)-1].Content }
	if got := last(0); got != now+"User: What do you think of first?" {
		t.Errorf("Ann was asked %q", got)
	}
	if got := last(2); got != now+"User: What do you think of first?\n\nAnn: I say oak.\n\nBo: I say @Ann rye." {
		t.Errorf("the third was asked %q", got)
	}
	var window []string
	for _, m := range requests[3].Messages[1:] {
		window = append(window, m.Role+" "+m.Content)
	}
	if diff := cmp.Diff([]string{
		"user User: What do you think of first?\n\nAnn: I say oak.", "assistant I say @Ann rye.", "user 小西: 我说茶。\n\n" + now + "User: ＠bo and now?",
	}, window); diff != "" {
		t.Errorf("Bo's window (-want +got):\n%s", diff)
	}
	for i, has := range [][]string{{"botanist", "Bo, 小西"}, {"baker", "Ann, 小西"}} {
		for _, want := range append(has, "You are in a group") {
			if !strings.Contains(requests[i].Messages[0].Content, want) {
				t.Errorf("request %d: the system prompt has no %q", i, want)
			}
		}
	}
	if strings.Contains(requests[1].Messages[0].Content, "botanist") {
		t.Error("Bo is told who Ann is to be")
	}
}

// S9, L2, P3: each member, also one that did not answer, learns for itself what the
// user said, and none what another agent said.
func TestGroupLearns(t *testing.T) {
	t.Parallel()
	h := newHouse(t, asGroup(t), text("You like pu-erh? I like darjeelingary tea."))
	end := h.ask("@bo I like oolongary tea")
	h.learnt(end[0].Record.TurnID)
	for _, m := range members {
		page, err := h.manager.Lookup().Items(t.Context(), m.ID, lookup.ItemFilter{All: true})
		if err != nil || len(page.Items) != 1 || !strings.Contains(page.Items[0].Content, "oolongary") {
			t.Errorf("%s learned %+v, %v", m.ID, page.Items, err)
		}
	}
	if page, err := h.manager.Lookup().Items(t.Context(), trio, lookup.ItemFilter{All: true}); err != nil || page.Total != 0 {
		t.Errorf("the group learned %+v, %v", page.Items, err)
	}
}

// S9: a failed member keeps no other from answering; a retry asks it alone.
func TestGroupMemberFails(t *testing.T) {
	t.Parallel()
	h := newHouse(t, asGroup(t), text("one"), modeltest.Step{Status: 500}, text("three"), text("two at last"))
	ends := h.ask("Well?")
	var how []memory.Status
	for _, e := range ends {
		how = append(how, e.Record.Status)
	}
	if diff := cmp.Diff([]memory.Status{memory.StatusComplete, memory.StatusError, memory.StatusComplete}, how); diff != "" {
		t.Fatal(diff)
	}
	if err := h.chat.Retry(t.Context()); err != nil {
		t.Fatal(err)
	}
	again := h.answers()
	if len(again) != 1 || again[0].Record.Sender != "bo" || again[0].Record.Content != "two at last" {
		t.Errorf("again: %+v", again)
	}
	if err := h.chat.Retry(t.Context()); !errors.Is(err, chat.ErrNothing) {
		t.Errorf("once more: %v", err)
	}
	requests := h.server.Requests()
	asked := requests[3].Messages[len(requests[3].Messages)-1].Content
	if asked != "It is Saturday, 2026-11-21 09:00 +00:00.\n\nUser: Well?\n\nAnn: one\n\n小西: three" {
		t.Errorf("asked again with %q", asked)
	}
}

// S9: when the user cancels, no further member is asked; one that did not answer has heard and
// learns all the same.
func TestGroupCancel(t *testing.T) {
	t.Parallel()
	hold := make(chan struct{})
	defer close(hold)
	h := newHouse(t, asGroup(t), text("one"), modeltest.Step{Text: "two words", HoldAfter: modeltest.After(1), Hold: hold})
	if _, err := h.chat.Send(t.Context(), "I like oolongary tea", nil); err != nil {
		t.Fatal(err)
	}
	until(h, func(d chat.Delta) bool { return d.Sender == "bo" })
	h.chat.Cancel()
	ends := h.answers()
	end := ends[len(ends)-1]
	if end.Record.Sender != "bo" || end.Record.Status != memory.StatusCancelled || len(h.server.Requests()) != 2 {
		t.Errorf("%+v, %d requests", end.Record, len(h.server.Requests()))
	}
	h.learnt(end.Record.TurnID)
	for _, m := range members {
		if page, err := h.manager.Lookup().Items(t.Context(), m.ID, lookup.ItemFilter{All: true}); err != nil || page.Total != 1 {
			t.Errorf("%s learned %+v, %v", m.ID, page.Items, err)
		}
	}
}

// S7, S9: one worker is the group's lock: a message sent while the members answer waits
// for all of them, in order, in one session.
func TestGroupQueue(t *testing.T) {
	t.Parallel()
	hold := make(chan struct{})
	h := newHouse(t, asGroup(t), modeltest.Step{Text: "one two", HoldAfter: modeltest.After(1), Hold: hold})
	for _, s := range []string{"first", "@cy second", "@ann third"} {
		if _, err := h.chat.Send(t.Context(), s, nil); err != nil {
			t.Fatal(err)
		}
	}
	until[chat.Delta](h, nil)
	if _, err := h.chat.UndoTurn(t.Context()); !errors.Is(err, write.ErrInGroup) { // and nothing is cancelled for it
		t.Errorf("undoing a turn: %v", err)
	}
	close(hold)
	var got []string
	session := ""
	for range 3 {
		for _, e := range h.answers() {
			if session == "" {
				session = e.Record.SessionID
			}
			if e.Record.SessionID != session {
				t.Error("another session")
			}
			got = append(got, e.Record.Sender)
		}
	}
	if diff := cmp.Diff([]string{"ann", "bo", "cy", "cy", "ann"}, got); diff != "" {
		t.Error(diff)
	}
}

// S2, S9: a group's session ends and comes back as an agent's does, for all members;
// an agent alone does not go on in what it heard in a group.
func TestGroupSessions(t *testing.T) {
	t.Parallel()
	h := newHouse(t, asGroup(t))
	first := h.ask("Hello")[0].Record.SessionID
	h.clock.Add(31 * time.Minute)
	second := h.ask("Hello again")[0].Record.SessionID
	if first == second {
		t.Fatal("the pause ended nothing")
	}
	for _, id := range []string{trio, "ann", "bo", "cy"} {
		if s, err := h.manager.Lookup().Session(t.Context(), id, first); err != nil || s.State == memory.SessionActive {
			t.Errorf("%s: %+v, %v", id, s.State, err)
		}
	}
	if err := h.chat.Resume(t.Context(), first); err != nil {
		t.Fatal(err)
	}
	if got := h.ask("Back")[0].Record.SessionID; got != first {
		t.Error("it did not go on")
	}
	for _, id := range []string{trio, "ann", "bo", "cy"} {
		if s, err := h.manager.Lookup().Session(t.Context(), id, first); err != nil || s.State != memory.SessionActive {
			t.Errorf("%s: %+v, %v", id, s.State, err)
		}
	}
	h.change = func(o *chat.Options) { o.Agent = members[0] } // Ann alone
	h.reopen()
	if in := h.chat.Session(); in.ID != "" {
		t.Errorf("Ann is in %+v", in)
	}
	var heard *write.GroupSessionError
	if err := h.chat.Resume(t.Context(), first); !errors.As(err, &heard) || heard.Group != trio {
		t.Errorf("Ann alone goes on in the group's session: %v", err)
	}
	if p := chat.Explain(heard); !strings.Contains(p.Hint, "--agent trio") {
		t.Errorf("she is told %+v", p)
	}
	end, _ := h.say("Ann, hello")
	if end.Record.SessionID == first || end.Record.SessionID == second || end.Record.Sender != "" {
		t.Errorf("Ann alone answers in %+v", end.Record)
	}
}

// S9, D2: what goes to the server for one member never holds what only another
// remembers, whatever the layer.
func TestGroupWalls(t *testing.T) {
	t.Parallel()
	h := newHouse(t, func(o *chat.Options) { o.Agent = members[0] })
	h.say("I like quezalcanary tea") // to Ann alone
	h.say("Remember that the quezalcanary key lies under the mat")
	if err := h.chat.NewSession(t.Context()); err != nil {
		t.Fatal(err)
	}
	h.say("My cat is called quezalcanary")
	if _, err := h.manager.SetProfile(t.Context(), "ann", 0, "- breeds quezalcanary birds\n"); err != nil {
		t.Fatal(err)
	}
	h.change = asGroup(t)
	h.reopen()
	before := len(h.server.Requests())
	if err := h.manager.Recall().Settle(t.Context(), "ann"); err != nil {
		t.Fatal(err)
	}
	h.server.Add(text("I see."), text("I see."), text("I see."), text("Yes."), text("Yes."), text("Yes."))
	h.ask("What tea do I like, and where does the key lie? What did I say about my cat?")
	h.ask("How do you know? When did I say that about tea?")
	ann := false
	for i, req := range h.server.Requests()[before:] {
		has := strings.Contains(req.Text(), "quezalcanary")
		if i%3 == 0 {
			ann = ann || has
		} else if has {
			t.Errorf("%s was sent:\n%s", members[i%3].ID, req.Text())
		}
	}
	if !ann {
		t.Error("Ann's own memory was not sent to her: nothing is proven")
	}
}

// S9, A1: what the disk does not take of a group's turn, whole or from its middle on,
// is answered all the same, seen by the next, and written in its order for everybody.
func TestGroupWithoutDisk(t *testing.T) {
	t.Parallel()
	hold := make(chan struct{})
	h := newHouse(t, asGroup(t), text("one"), text("two"), text("three"),
		text("four"), modeltest.Step{Text: "five words", HoldAfter: modeltest.After(1), Hold: hold}, text("six"),
		text("seven"), text("eight"), text("nine"))
	first := h.ask("First")
	h.send("Second")
	until(h, func(d chat.Delta) bool { return d.Sender == "bo" && d.TurnID != first[0].TurnID })
	h.takeAway()
	close(hold)
	var unsaved []bool
	for _, e := range append(h.answers(), h.ask("Third")...) {
		unsaved = append(unsaved, e.Unsaved)
	}
	if diff := cmp.Diff([]bool{true, true, true, true, true}, unsaved); diff != "" {
		t.Errorf("unsaved (-want +got):\n%s", diff)
	}
	requests := h.server.Requests()
	if last := requests[8].Messages[len(requests[8].Messages)-1].Content; !strings.HasSuffix(last, "User: Third\n\nAnn: seven\n\nBo: eight") {
		t.Errorf("the last was asked %q", last)
	}
	h.bringBack()
	until(h, func(s chat.StorageChanged) bool { return s.Problem == nil })
	want := []string{
		": First", "ann: one", "bo: two", "cy: three", ": Second", "ann: four", "bo: five words", "cy: six", ": Third", "ann: seven", "bo: eight", "cy: nine",
	}
	for _, id := range []string{trio, "ann", "bo", "cy"} {
		got := transcript(t, h.manager, id, first[0].Record.SessionID)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", id, diff)
		}
		packs, err := h.manager.Lookup().Packages(t.Context(), id, first[0].Record.SessionID)
		if id != trio && (err != nil || len(packs) != 3) {
			t.Errorf("%s: %d packages, %v", id, len(packs), err)
		}
		for _, p := range packs {
			if r, err := h.manager.Lookup().Package(t.Context(), id, p.TurnID); err != nil || !r.Exact {
				t.Errorf("%s: exact %t, %v", id, r.Exact, err)
			}
		}
	}
}

// S9, I5: each member is answered by the model that it names, of the same server; the
// request, the record and the package name it, and so does what it learns by. One chosen
// for all answers as everybody.
func TestGroupModels(t *testing.T) {
	t.Parallel()
	own := append([]chat.Agent(nil), members[:2]...)
	own[0].Model = "botanist-7b"
	group := asGroup(t)
	h := newHouse(t, func(o *chat.Options) { group(o); o.Members = own }, text("I say oak."), text("I say rye."))
	usual := h.chat.Info().Model
	if a, b := h.chat.InfoOf("ann").Model, h.chat.InfoOf("bo").Model; a != "botanist-7b" || b != usual || usual == "" {
		t.Errorf("ann is answered by %q, bo by %q, the usual one is %q", a, b, usual)
	}
	ends := h.ask("What do you think of first?")
	for i, want := range []string{"botanist-7b", usual} {
		r := ends[i].Record
		if got := h.server.Requests()[i].Model; got != want {
			t.Errorf("%s: the request names %q, want %q", r.Sender, got, want)
		}
		if r.Model != want {
			t.Errorf("%s: the record names %q, want %q", r.Sender, r.Model, want)
		}
		sent, err := h.manager.Lookup().Package(t.Context(), r.Sender, r.TurnID)
		if err != nil || sent.Model != want {
			t.Errorf("%s: the package names %q, want %q (%v)", r.Sender, sent.Model, want, err)
		}
	}
	h.chat.SetModelForAll(model.Named(h.client(), "one-for-all"))
	h.server.Add(text("Oak."), text("Rye."))
	for _, end := range h.ask("And now?") {
		if end.Record.Model != "one-for-all" {
			t.Errorf("%s is answered by %q", end.Sender, end.Record.Model)
		}
	}
}
