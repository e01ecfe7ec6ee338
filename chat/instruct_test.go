package chat_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"memoria/chat"
	"memoria/memory"
	"memoria/memory/instruct"
	"memoria/memory/lookup"
)

// tell sends a message and waits for the end of its turn.
func (h *house) tell(text string) chat.Finished {
	h.t.Helper()
	if _, err := h.chat.Send(h.t.Context(), text, nil); err != nil {
		h.t.Fatal(err)
	}
	return until[chat.Finished](h, nil)
}

// instructed is the last event about an instruction.
func (h *house) instructed() chat.Instructed {
	h.t.Helper()
	for _, e := range slices.Backward(h.seen) {
		if e, is := e.(chat.Instructed); is {
			return e
		}
	}
	h.t.Fatal("no instruction was carried out")
	return chat.Instructed{}
}

func (h *house) must(err error) {
	h.t.Helper()
	if err != nil {
		h.t.Fatal(err)
	}
}

func (h *house) remembered() []string {
	h.t.Helper()
	page, err := h.manager.Lookup().Items(h.t.Context(), luna, lookup.ItemFilter{})
	if err != nil {
		h.t.Fatal(err)
	}
	out := []string{}
	for _, it := range page.Items {
		out = append(out, it.Content)
	}
	slices.Sort(out)
	return out
}

func wantHas(t *testing.T, s string, parts ...string) {
	t.Helper()
	for _, p := range parts {
		if !strings.Contains(s, p) {
			t.Errorf("%q is not in %q", p, s)
		}
	}
}

func wantNot(t *testing.T, s string, parts ...string) {
	t.Helper()
	for _, p := range parts {
		if strings.Contains(s, p) {
			t.Errorf("%q is in %q", p, s)
		}
	}
}

// U1: without a model the overview is the answer, by kind and with counts.
func TestListOffline(t *testing.T) {
	t.Parallel()
	h := offline(t, nil)
	wantHas(t, h.tell("What do you know about me?").Record.Content, "I remember nothing about you yet.")
	h.say("My name is Bo.")
	h.say("I like tea.")
	h.say("I work at Acme.")
	h.settle()
	answer := h.tell("What do you know about me?").Record
	wantHas(t, answer.Content, "This is what I remember (3)", "**Preferences (1)**", "- Likes tea.", "**Facts (2)**", "- Name is Bo.", "- Works at Acme.")
	if !answer.Own() {
		t.Error("the overview is not the program's own words")
	}
	job := h.tell("what do you know about my job").Record.Content
	wantHas(t, job, "Works at Acme.")
	wantNot(t, job, "tea")
	wantHas(t, h.tell("what do you know about my car?").Record.Content, "I remember nothing about “my car”", "Likes tea.")
	wantHas(t, h.tell("我喜欢什么").Record.Content, "我记得的内容（1 条）", "Likes tea.")
}

// U1: a message that a program sent may ask what is known, and change nothing.
func TestGivenListIsAnswered(t *testing.T) {
	t.Parallel()
	h := offline(t, nil)
	h.say("I like tea.")
	h.settle()
	given := func(message string) string {
		if _, err := h.chat.Send(t.Context(), message, []memory.Span{{Length: len(message), Kind: memory.SpanPiped}}); err != nil {
			t.Fatal(err)
		}
		return until[chat.Finished](h, nil).Record.Content
	}
	given("forget that I like tea")
	given("undo what you just learned")
	wantHas(t, given("what do you know about me"), "This is what I remember (1)", "Likes tea.")
	wantHas(t, given("你了解我吗"), "Likes tea.")
}

// U1, L4: with a model the overview goes with the message, and does not count as use.
func TestListModel(t *testing.T) {
	t.Parallel()
	h := newHouse(t, nil, text("Hi Bo."), text("Tea, fine."), text("You are Bo and like tea."))
	h.say("My name is Bo.")
	h.say("I like tea.")
	h.settle()
	end := h.tell("What do you remember about me?")
	if end.Record.Content != "You are Bo and like tea." {
		t.Errorf("answer: %q", end.Record.Content)
	}
	p := h.pkg(end.Record.TurnID)
	if len(p.Used) != 2 || !p.Used[0].Chosen || !p.Used[0].Overview {
		t.Errorf("used: %+v", p.Used)
	}
	var block string
	for _, b := range p.Rendered {
		if b.Layer == memory.LayerRecall {
			block = b.Text
		}
	}
	wantHas(t, block, "## Memory", "asks what you remember, so answer from all 2 notes", "Likes tea.", "Name is Bo.")
	page, err := h.manager.Lookup().Items(t.Context(), luna, lookup.ItemFilter{})
	if err != nil {
		t.Fatal(err)
	}
	for _, it := range page.Items {
		if it.Type == memory.TypePreference && it.AccessCount != 0 {
			t.Errorf("%s counts as accessed", it.Content)
		}
	}
}

// U2: no model judges where a request to forget belongs, in whatever words it is made.
func TestForgetUnjudged(t *testing.T) {
	t.Parallel()
	for _, said := range []string{"forget that I like oolong tea", "could you lose the thing about my oolong"} {
		inBubble(t, nil, func(t *testing.T, h *house) {
			h.server.Add(text("Lovely."))
			h.say("I like oolong tea.")
			asked := len(h.server.Requests())
			h.pass(time.Hour)
			h.tell(said)
			if n := len(h.server.Requests()); n != asked {
				t.Errorf("%q: %d requests more", said, n-asked)
			}
			wantHas(t, h.instructed().Lines[0], "oolong")
		})
	}
}

// U2, D2: one match is deleted, named, and comes back; the model hears nothing of it, and
// the messages stay in the history alone.
func TestForgetModel(t *testing.T) {
	t.Parallel()
	h := newHouse(t, nil, text("Oolong tea is lovely."), text("Sure."), text("Hello."))
	first, _ := h.say("I like oolong tea.")
	h.say("What is 2 + 2?")
	asked := len(h.server.Requests())
	end := h.tell("Please forget that I like oolong tea.")
	if len(h.server.Requests()) != asked {
		t.Error("the model was asked")
	}
	wantHas(t, end.Record.Content, "Forgot: Likes oolong tea.", "/undo", "stay in the history")
	if !end.Record.Own() {
		t.Error("the answer is not the program's own words")
	}
	if got := h.remembered(); len(got) != 0 {
		t.Errorf("still there: %v", got)
	}
	said, err := h.manager.Lookup().Record(t.Context(), luna, first.Record.ID)
	if err != nil || !said.NotForMemory {
		t.Errorf("the answer that names it: %+v, %v", said, err)
	}
	h.say("Hello again")
	last := h.server.Requests()[len(h.server.Requests())-1]
	wantNot(t, last.Body, "oolong", "forget")
	if s := h.chat.Session(); strings.Contains(s.Title, "oolong") {
		t.Errorf("the title is %q", s.Title)
	}
	d := h.instructed().Deletion
	if _, err := h.manager.UndoDeletion(t.Context(), luna, d.ID); err != nil {
		t.Fatal(err)
	}
	if got := h.remembered(); !slices.Equal(got, []string{"Likes oolong tea."}) {
		t.Errorf("after undo: %v", got)
	}
	if said, err = h.manager.Lookup().Record(t.Context(), luna, first.Record.ID); err != nil || said.NotForMemory {
		t.Errorf("after undo it is still not for memory, %v", err)
	}
}

// U2: a deletion that is undone in words gives its source messages back to the memory.
func TestUndoInWordsGivesSourcesBack(t *testing.T) {
	t.Parallel()
	h := offline(t, nil)
	first := h.tell("I like oolong tea.")
	h.settle()
	h.tell("forget that I like oolong tea")
	wantHas(t, h.tell("bring it back").Record.Content, "Restored: Likes oolong tea.")
	records, err := h.manager.Lookup().LastRecords(t.Context(), luna, first.Record.SessionID, 20)
	if err != nil || len(records) == 0 {
		t.Fatal(len(records), err)
	}
	for _, r := range records {
		if r.TurnID == first.Record.TurnID && r.NotForMemory {
			t.Errorf("still not for memory: %+v", r)
		}
	}
}

// U2: several matches are numbered, and the question outlives a restart and holds for one
// message.
func TestForgetSeveral(t *testing.T) {
	t.Parallel()
	h := offline(t, nil)
	h.say("I work at Acme.")
	h.say("I am a nurse.")
	h.say("I like tea.")
	list := h.tell("Delete what you know about my job").Record.Content
	wantHas(t, list, "Which one should I forget?", "1. ", "2. ", "Acme", "nurse")
	h.reopen()
	second := "Is a nurse."
	if strings.Contains(list, "2. Works") {
		second = "Works at Acme."
	}
	wantHas(t, h.tell("the second one").Record.Content, "Forgot: "+second)
	if got := h.remembered(); len(got) != 2 || slices.Contains(got, second) {
		t.Errorf("remembered: %v", got)
	}
	h.tell("我喜欢喝咖啡")
	h.tell("forget everything about me")
	h.tell("What a day!")
	h.tell("yes")
	if got := h.remembered(); len(got) != 3 {
		t.Errorf("a question held for two messages: %v", got)
	}
	wantHas(t, h.tell("忘记关于我的一切").Record.Content, "3 条", "全部忘记吗")
	wantHas(t, h.tell("不").Record.Content, "什么都没有忘记")
	wantHas(t, h.tell("Forget everything about me.").Record.Content, "everything that I remember: 3 memories")
	wantHas(t, h.tell("yes").Record.Content, "Forgot 3 memories")
	if got := h.remembered(); len(got) != 0 {
		t.Errorf("remembered: %v", got)
	}
}

// U2: across languages; without a match that is said; an unsure wording without a match is
// an ordinary message.
func TestForgetLanguages(t *testing.T) {
	t.Parallel()
	h := newHouse(t, nil, text("好的"), text("Which branch?"))
	h.say("我喜欢喝茶")
	wantHas(t, h.tell("forget that I like tea").Record.Content, "Forgot: 喜欢喝茶")
	wantHas(t, h.tell("忘记我喜欢喝茶").Record.Content, "我不记得")
	if end := h.tell("delete my birthday"); end.Record.Content != "Which branch?" {
		t.Errorf("an unsure wording was answered by %q", end.Record.Content)
	}
}

// U3: a correction of what the last answer had in front of it changes the memory, and the
// model hears the old and the new value.
func TestCorrect(t *testing.T) {
	t.Parallel()
	h := newHouse(t, nil, text("Berlin, nice."), text("You live in Berlin."), text("Noted."), text("Yes."))
	h.say("I live in Berlin.")
	h.settle()
	h.say("Where do I live?")
	end, _ := h.say("That's wrong, I live in Bonn.")
	if got := h.remembered(); !slices.Equal(got, []string{"Lives in Bonn."}) {
		t.Errorf("remembered: %v", got)
	}
	var told string
	for _, b := range h.pkg(end.Record.TurnID).Rendered {
		if b.Layer == memory.LayerWorking {
			told += b.Text
		}
	}
	wantHas(t, told, "what the program has just changed", "done: fact, replaced: no longer true", "Lives in Berlin.", "Lives in Bonn.")
	h.seen = nil
	h.say("No, the loop starts at 1.")
	for _, e := range h.seen {
		if _, is := e.(chat.Instructed); is {
			t.Error("a correction of something else changed the memory")
		}
	}
}

// U4, P4: a rule that is withdrawn ends, and the model hears of it.
func TestWithdraw(t *testing.T) {
	t.Parallel()
	h := newHouse(t, nil, text("Gut."), text("Sure."), text("OK"), text("Done."))
	h.say("Please answer in German.")
	end, _ := h.say("Stop answering in German.")
	wantHas(t, strings.Join(h.instructed().Lines, "\n"), "Rule ended: Answer in German.")
	if got := h.remembered(); slices.Contains(got, "Answer in German.") {
		t.Errorf("remembered: %v", got)
	}
	body := h.server.Requests()[1].Body
	wantHas(t, body, "this rule no longer applies")
	if end.Record.Content != "Sure." {
		t.Errorf("answer: %q", end.Record.Content)
	}
}

// U4: the last change is undone and named.
func TestUndoSaid(t *testing.T) {
	t.Parallel()
	h := offline(t, nil)
	wantHas(t, h.tell("undo what you just learned").Record.Content, "There is nothing to undo.")
	h.say("I like tea.")
	wantHas(t, h.tell("撤销刚才记的").Record.Content, "已撤销，不再记得：Likes tea.")
	if got := h.remembered(); len(got) != 0 {
		t.Errorf("remembered: %v", got)
	}
}

// U4: "undo" alone undoes what the message before taught, or else the last change of the last hour, and names it. With a
// model, which may be asked to undo something else, only the first.
func TestUndoAlone(t *testing.T) {
	t.Parallel()
	for _, undo := range []string{"undo", "undo that", "oh no, undo that please", "撤销"} {
		h := offline(t, nil)
		h.say("I like tea.")
		wantHas(t, h.tell("take that back").Record.Content, "no longer remembered: Likes tea.")
		h.say("I like coffee.")
		h.say("I like oolong.")
		h.say("What is the capital of France?")
		wantHas(t, h.tell(undo).Record.Content, "Likes oolong.")
		if got := h.remembered(); !slices.Equal(got, []string{"Likes coffee."}) {
			t.Errorf("%q: remembered: %v", undo, got)
		}
		h.pass(2 * time.Hour)
		wantHas(t, h.tell(undo).Record.Content, "`/undo`")
		if got := h.remembered(); !slices.Equal(got, []string{"Likes coffee."}) {
			t.Errorf("%q undoes an old change: %v", undo, got)
		}
	}
	h := offline(t, nil)
	wantHas(t, h.tell("undo that").Record.Content, "There is nothing to undo.")
	h = newHouse(t, nil, text("Nice."), text("Renamed it."), text("Done."))
	h.say("I like coffee.")
	h.say("Rename the function to brew.")
	h.tell("undo that")
	if got := h.remembered(); !slices.Equal(got, []string{"Likes coffee."}) {
		t.Errorf("a task for the model undoes: %v", got)
	}
}

// U2: "don't delete that" deletes nothing and says so; right after a deletion it restores what was deleted.
func TestNothingIsToBeDeleted(t *testing.T) {
	t.Parallel()
	for said, want := range map[string]string{
		"dont delete that": "nothing was deleted", "no dont forget that": "nothing was deleted", "keep it": "nothing was deleted",
		"wait, don't delete anything": "nothing was deleted", "don't delete the tea": "nothing was deleted",
		"哎呀 我说错了 刚才那条不要删": "什么都没有删除", "别删": "什么都没有删除", "刚才那条留着吧": "什么都没有删除", "喝茶那条莫删": "什么都没有删除",
	} {
		h := offline(t, nil)
		h.say("I like tea.")
		h.settle()
		wantHas(t, h.tell(said).Record.Content, want)
		if got := h.remembered(); !slices.Equal(got, []string{"Likes tea."}) {
			t.Errorf("%q leaves %q", said, got)
		}
		if strings.Contains(said, "喝茶") { // the deleted memory is in other words
			continue
		}
		wantHas(t, h.tell("forget that I like tea").Record.Content, "Forgot: Likes tea.")
		h.tell(said)
		if got := h.remembered(); !slices.Equal(got, []string{"Likes tea."}) {
			t.Errorf("%q after a deletion leaves %q", said, got)
		}
		h.tell("forget that I like tea")
		h.pass(time.Minute)
		wantHas(t, h.tell(said).Record.Content, map[bool]string{true: "来不及了", false: "too late"}[han(said)])
	}
	h := offline(t, nil)
	h.say("I like tea.")
	h.say("I like green tea.")
	wantHas(t, h.tell("forget the tea").Record.Content, "1. ")
	wantHas(t, h.tell("no, don't delete that").Record.Content, "Nothing was forgotten.")
	h.tell("forget that I like tea... no dont delete it")
	if got := h.remembered(); len(got) != 2 {
		t.Errorf("remembered: %q", got)
	}
}

// D2: "undo" right after a deletion restores what was deleted, also while the judge takes its
// time, and later says why not.
func TestUndoAloneRestores(t *testing.T) {
	noRace(t)
	t.Parallel()
	for message, restored := range map[string][2]string{
		"undo": {"Restored: Likes tea.", "Restored: all that was deleted last (memories: 2"}, "撤销": {"已恢复：Likes tea.", "记忆 2 条"},
		"undo that": {"Restored: Likes tea.", "memories: 2"}, "恢复": {"已恢复：Likes tea.", "记忆 2 条"},
	} {
		h := offline(t, nil)
		h.say("I like tea.")
		h.say("I like coffee.")
		h.say("What is the capital of France?")
		page, err := h.manager.Lookup().Items(t.Context(), luna, lookup.ItemFilter{})
		h.must(err)
		var ids []string // tea, coffee
		for _, it := range page.Items {
			ids = append(ids, it.ID)
		}
		slices.Sort(ids)
		_, err = h.manager.DeleteItems(t.Context(), luna, ids[0])
		h.must(err)
		wantHas(t, h.tell(message).Record.Content, restored[0])
		_, err = h.manager.DeleteItems(t.Context(), luna, ids...)
		h.must(err)
		wantHas(t, h.tell(message).Record.Content, restored[1])
		if got := h.remembered(); len(got) != 2 {
			t.Errorf("%s: remembered: %v", message, got)
		}
		wantHas(t, h.tell("forget that I like tea").Record.Content, "Likes tea.")
		wantHas(t, h.tell(message).Record.Content, restored[0])

		// What was learned later is undone first.
		_, err = h.manager.DeleteItems(t.Context(), luna, ids[0])
		h.must(err)
		h.clock.Add(time.Second)
		if instruct.TakesBack(message, nil) {
			h.say("I live in Bonn.")
			wantHas(t, h.tell(message).Record.Content, "Lives in Bonn")
		}
		h.clock.Add(time.Minute)
		if answer := h.tell(message).Record.Content; strings.Contains(answer, "Restored") || strings.Contains(answer, "已恢复") {
			t.Errorf("%s: after a minute: %s", message, answer)
		}
	}
}

// D2: a session that was deleted comes back.
func TestUndoAloneRestoresASession(t *testing.T) {
	t.Parallel()
	h := offline(t, nil)
	h.say("Where does the river Volga end?")
	old := h.chat.Session().ID
	_, err := h.chat.DeleteSession(t.Context(), old, false)
	h.must(err)
	wantHas(t, h.tell("undo").Record.Content, "Restored: the conversation “")
	if _, err := h.manager.Lookup().Session(t.Context(), luna, old); err != nil {
		t.Error(err)
	}
}

// U: pasted text and a message that only looks like it do nothing.
func TestNoInstruction(t *testing.T) {
	t.Parallel()
	h := offline(t, nil)
	h.say("I like tea.")
	said := "forget everything about me"
	if _, err := h.chat.Send(t.Context(), said, []memory.Span{{Offset: 0, Length: len(said), Kind: memory.SpanPasted}}); err != nil {
		t.Fatal(err)
	}
	until[chat.Finished](h, nil)
	for _, s := range []string{"yes", "forget it", "undo that commit", "He said: forget that I like tea"} {
		h.tell(s)
	}
	if got := h.remembered(); !slices.Equal(got, []string{"Likes tea."}) {
		t.Errorf("remembered: %v", got)
	}
}

// U3: a value that is named alone takes the place of the one that the answer named; words
// that are no value change nothing.
func TestCorrectValue(t *testing.T) {
	t.Parallel()
	h := newHouse(t, nil, text("Berlin, nice."), text("You live in Berlin."), text("Fine."), text("You live in Berlin."), text("Bonn then."))
	h.say("I live in Berlin.")
	h.settle()
	h.say("Where do I live?")
	h.say("No, it's fine.")
	h.say("Where do I live?")
	h.say("Wrong, it's Bonn.")
	if got := h.remembered(); !slices.Equal(got, []string{"Lives in Bonn."}) {
		t.Errorf("remembered: %v", got)
	}
}

// U3: the wrong memory, not the right one, is asked for.
func TestCorrectUnclear(t *testing.T) {
	t.Parallel()
	h := offline(t, nil)
	h.say("I work at Acme.")
	h.settle()
	h.tell("what do you know about my job")
	wantHas(t, h.tell("what you know about my job is wrong").Record.Content, "What is right?")
}

// P5b: in a game nothing is said to the memory.
func TestNoInstructionInPlay(t *testing.T) {
	t.Parallel()
	h := offline(t, nil)
	h.say("I like tea.")
	h.tell("Let's play a game: you are a wizard and I am a knight.")
	h.tell("forget that I like tea")
	if got := h.remembered(); !slices.Contains(got, "Likes tea.") {
		t.Errorf("remembered: %v", got)
	}
}

// U5: a message of which nothing is to be remembered teaches nothing, and the answer without a model says so.
func TestUnrecorded(t *testing.T) {
	t.Parallel()
	h := offline(t, nil)
	wantHas(t, h.tell("Don't remember this: I like oolong tea.").Record.Content, "Nothing from this message is remembered.")
	wantHas(t, h.tell("别记这个，我喜欢乌龙茶").Record.Content, "不会被记住")
	wantHas(t, h.tell("What do you know about me?").Record.Content, "I remember nothing about you yet.")
}

// P5a, P5b: without a model, a secret and a text to work on are not answered as if their statements were kept.
func TestUnlearnedOffline(t *testing.T) {
	t.Parallel()
	h := offline(t, nil)
	secret := h.tell("my password is rose-77x").Record.Content
	wantHas(t, secret, "holds a secret")
	wantNot(t, secret, "are kept")
	text := h.tell("Translate this into German: My name is Otto and I live in Rome.").Record.Content
	wantHas(t, text, "Learning is paused")
	wantNot(t, text, "are kept")
}
