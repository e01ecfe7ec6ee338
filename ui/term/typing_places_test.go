package term

import (
	"regexp"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"memoria/chat/model/modeltest"
)

// place is a state of the program in which somebody may begin to type.
type place struct {
	name string
	pane string // whose title this is has the keyboard first; "" for none
	// enter leads there from an empty input, on a wide screen.
	enter func(*typist)
	// see is on the wide screen then; a state that is not reached proves nothing.
	see string
	// empty is over a memory without anything in it.
	empty bool
	// draft is typed before. brings says that the way brings a text into the input.
	draft  string
	brings bool
	// small is a terminal that is too small for the program.
	small bool
	// alone is a state that others do not begin with.
	alone bool
	// unkept is a chat of which nothing is stored.
	unkept bool
	// aside is a state whose next message takes the place of another one.
	aside bool
}

// filled are memories of a person, as typistHome makes them.
const (
	saidTea    = "I like green tea. My name is Bo."
	saidCoffee = "I drink black coffee in the morning word5"
	saidKiln   = "the kiln is at 1050 degrees word5"
	saidMail   = "my email is bo@example.org word5"
	saidCat    = "My cat is called Miso. I live in Oslo."
)

// fill gives the memory of the filled states: sessions, memories of several kinds, two that
// wait for approval, a profile, agents, a group, working memory, a file of the journal.
func (p *typist) fill() {
	p.say(saidMail)
	p.say("my phone number is 13800138000")
	p.ctrl('n')
	p.say(saidCat)
	p.say("I work as a nurse. I have a meeting every Monday.")
	p.ctrl('n')
	p.say(saidTea)
	p.say(saidCoffee)
	p.say(saidKiln)
	p.pass(10 * time.Second) // the journal follows
}

// paneActions are the states inside each pane besides those of every pane, by title. A pane
// that is not named here fails the test.
var paneActions = map[string][]place{
	"Recall": {
		{name: "edit form", enter: row("edit"), see: "edit the memory"},
		{name: "edit form, tags", enter: then(row("edit"), tea.KeyTab, tea.KeyTab), see: "edit the memory"},
		{name: "new memory", enter: row("add"), see: "a new memory"},
		{name: "page", enter: opened(), see: "history"},
		{name: "page, history", enter: then(opened(), 'h'), see: "history"},
		{name: "page, source", enter: then(opened(), 'o'), see: "said"},
		{name: "page, delete?", enter: then(opened(), tea.KeyDelete), see: "Delete “"},
		{name: "page, edit form", enter: func(p *typist) { opened()(p); p.act("edit") }, see: "edit the memory"},
		{name: "filtered", enter: keysThen('/', 't', 'e', 'a', tea.KeyEnter), see: "/ tea"},
		{name: "delete several?", enter: keysThen('/', 't', 'e', 'a', tea.KeyEnter, 'D'), see: "Delete 1 memory"},
		{name: "undo turn?", enter: keysThen('U')},
		{name: "undo?", enter: keysThen(tea.KeyDown, 'u')},
		{name: "just deleted", enter: keysThen(tea.KeyEnd, tea.KeyDelete, tea.KeyDelete), see: "restores it"},
		{name: "just added", enter: func(p *typist) {
			row("add")(p)
			p.send(tea.PasteMsg{Content: "Sells honey at the market."})
			p.ctrl('s')
		}, see: "honey"},
	},
	"Context": {
		{name: "all open", enter: row("all")},
		{name: "turn before", enter: keysThen(tea.KeyLeft)},
	},
	"Working": {
		{name: "edit form", enter: then(row("add"), tea.KeyTab)},
		{name: "new variable", enter: row("add")},
	},
	"Sessions": {
		{name: "rename form", enter: row("rename"), see: "a title for"},
		{name: "found", enter: keysThen('/', 'k', 'i', 'l', 'n', tea.KeyEnter), see: "kiln"},
		{name: "new?", enter: keysThen('n')},
		{name: "export?", enter: keysThen(tea.KeyDown, 'x')},
	},
	"Health": {{name: "rebuild?", enter: keysThen('r')}, {name: "backup?", enter: keysThen('b')}},
	"Inbox": {
		{name: "edit form", enter: row("edit"), see: "edit, then it is accepted"},
		{name: "accept?", enter: keysThen('a')},
		{name: "reject?", enter: keysThen('x')},
		{name: "accept all?", enter: keysThen('A'), see: "Accept all"},
		{name: "all of a type?", enter: keysThen('T'), see: "Decide about"},
	},
	"Archive": {
		{name: "learned", enter: keysThen(tea.KeyDown, 'l'), see: "learned from it"},
		{name: "found", enter: keysThen('/', 'k', 'i', 'l', 'n', tea.KeyEnter), see: "kiln"},
		{name: "bookmark?", enter: keysThen(tea.KeyDown, 'm')},
		{name: "bookmarks", enter: keysThen('b')},
	},
	"Profile": {
		{name: "edit form", enter: row("edit"), see: "what you write is yours"},
		{name: "versions", enter: keysThen('h')},
		{name: "undo?", enter: keysThen('u')},
	},
	"Agents": {
		{name: "new agent", enter: row("add"), see: "a new agent"},
		{name: "new group", enter: row("group"), see: "a new group"},
		{name: "new group, members", enter: then(row("group"), tea.KeyTab), see: "a new group"},
		{name: "page", enter: keysThen(tea.KeyDown, 'o')},
		{name: "edit form", enter: then(row("edit"), tea.KeyTab)},
		{name: "group, delete?", enter: keysThen(tea.KeyEnd, tea.KeyDelete), see: "Delete the group"},
	},
	"Settings": {
		{name: "all about it", enter: keysThen(tea.KeyDown, 'o')},
		{name: "filtered", enter: keysThen('/', 'r', 'a', 'g', tea.KeyEnter), see: "rag_top_n"},
		{name: "edit form", enter: keysThen('/', 'r', 'a', 'g', '_', 't', 'o', 'p', tea.KeyEnter, tea.KeyEnter), see: "allowed: 0 to 100"},
		{name: "choice", enter: func(p *typist) { p.search("ui.theme"); p.key(tea.KeyEnter) }},
		{name: "default?", enter: keysThen('/', 'r', 'a', 'g', '_', 't', 'o', 'p', tea.KeyEnter, 'd')},
	},
	"Journal": {
		{name: "opened twice", enter: keysThen(tea.KeyEnter, tea.KeyDown, tea.KeyEnter)},
		{name: "found", enter: keysThen('/', 't', 'e', 'a', tea.KeyEnter)},
		{name: "write?", enter: keysThen('r')},
	},
}

// everyPane are the states that every pane has.
var everyPane = []place{
	{name: "", enter: keysThen()},
	{name: "second row", enter: keysThen(tea.KeyDown)},
	{name: "last row", enter: keysThen(tea.KeyEnd)},
	{name: "opened", enter: keysThen(tea.KeyDown, tea.KeyEnter)},
	{name: "delete?", enter: keysThen(tea.KeyDown, tea.KeyDelete)},
	{name: "filter", enter: keysThen('/')},
	{name: "nothing", enter: keysThen(), empty: true},
	{name: "nothing, opened", enter: keysThen(tea.KeyEnter), empty: true},
	{name: "with a draft", enter: keysThen(tea.KeyDown), draft: "half a thought "},
}

// places are all other states.
var places = []place{
	{name: "input", enter: func(*typist) {}, see: "type here"},
	{name: "input, first start", enter: func(*typist) {}, empty: true},
	{name: "input, draft", draft: "half a thought ", enter: func(*typist) {}, see: "half a thought"},
	{name: "input, history", enter: func(p *typist) { p.key(tea.KeyUp) }, brings: true},
	{name: "input, completing", enter: func(*typist) {}, draft: "/mem", see: "/memories"},
	{name: "talk", enter: (*typist).talk},
	{name: "talk, nothing", enter: (*typist).talk, empty: true},
	{name: "talk, older message", enter: talkKeys(tea.KeyUp, tea.KeyUp, tea.KeyUp)},
	{name: "talk, draft", enter: talkKeys(tea.KeyUp), draft: "half a thought "},
	{name: "talk, after /find", enter: func(p *typist) { p.command("/find word5"); p.talk() }},
	{name: "talk, fork?", enter: talkKeys('f')},
	{name: "talk, edit?", enter: talkKeys(tea.KeyUp, 'e')},
	{name: "talk, undo turn?", enter: talkKeys('U')},
	{name: "talk, regenerate?", enter: talkKeys('R')},
	{name: "talk, what was sent", enter: talkKeys(tea.KeyEnter)},
	{name: "talk, learned", enter: talkKeys(tea.KeyUp, 'l')},
	{name: "help", enter: func(p *typist) { p.key(tea.KeyF1) }, see: "Everywhere"},
	{name: "help, from a pane", enter: func(p *typist) { p.open("Sessions"); p.key(tea.KeyF1) }, see: "Everywhere"},
	{name: "palette", enter: func(p *typist) { p.ctrl('p') }, see: "type to find a command"},
	{name: "palette, filtered", enter: func(p *typist) { p.ctrl('p'); p.key('u', 'n', 'd', 'o') }},
	{name: "palette, draft", enter: func(p *typist) { p.ctrl('p') }, draft: "half a thought "},
	{name: "palette of agents", enter: after("/agent"), see: "type to find an agent"},
	{name: "palette of groups", enter: after("/group")},
	{name: "palette of models", enter: after("/model")},
	{name: "palette of themes", enter: after("/theme"), see: "type to find a theme"},
	{name: "quit?", enter: func(p *typist) { p.ctrl('c') }, see: "ctrl+c again quits"},
	{name: "scrolled", enter: func(p *typist) { p.key(tea.KeyPgUp) }},
	{name: "thoughts", enter: func(p *typist) { p.key(tea.KeyF4) }},
	{name: "F8", enter: func(p *typist) { p.key(tea.KeyF8) }},
	{name: "ctrl+r", enter: func(p *typist) { p.ctrl('r') }},
	{name: "tab", enter: func(p *typist) { p.key(tea.KeyTab) }},
	{name: "shift+tab", enter: func(p *typist) { p.send(tea.KeyPressMsg{Code: tea.KeyTab, Mod: tea.ModShift}) }},
	{name: "new session", enter: func(p *typist) { p.ctrl('n') }, see: "A new session."},
	{name: "after F7", enter: func(p *typist) { p.say("I collect stamps."); p.key(tea.KeyF7) }},
	{name: "after /undo", enter: func(p *typist) { p.say("I collect stamps."); p.command("/undo") }},
	{name: "after /undo-turn", enter: after("/undo-turn"), brings: true, see: "the last turn is undone"},
	{name: "after /fork", enter: after("/fork"), see: "forked here"},
	{name: "after /regenerate", enter: func(p *typist) { p.command("/regenerate"); p.rest() }},
	{name: "after /regenerate, talk", enter: func(p *typist) { p.command("/regenerate"); p.rest(); p.talk() }},
	{name: "editing a message", enter: after("/edit-message"), brings: true, see: "editing the message", aside: true},
	{name: "editing a message, pane", enter: func(p *typist) { p.command("/edit-message"); p.open("Recall") }, brings: true, aside: true},
	{name: "delete this session?", enter: func(p *typist) { p.ctrl('p'); p.words("delete this session"); p.key(tea.KeyEnter) }, see: "Delete"},
	{name: "add agent", enter: func(p *typist) { p.ctrl('p'); p.words("make another agent"); p.key(tea.KeyEnter) }, see: "a new agent"},
	{name: "after deleting a session", enter: func(p *typist) {
		p.ctrl('n')
		p.say("to be deleted")
		p.ctrl('p')
		p.words("delete this session")
		p.key(tea.KeyEnter, tea.KeyDelete)
	}},
	{name: "temporary chat", enter: after("/temp"), unkept: true, alone: true},
	{name: "too small", enter: func(*typist) {}, small: true},
	{name: "/find", enter: after("/find word5")},
	{name: "/find, nothing", enter: after("/find xyzzy")},
	{name: "/memories", enter: after("/memories")},
	{name: "/memories WORDS", enter: after("/memories tea")},
	{name: "/delete WORDS", enter: after("/delete green tea")},
	{name: "/delete MANY", enter: after("/delete i")},
	{name: "/add", enter: after("/add")},
	{name: "/sessions", enter: after("/sessions")},
	{name: "/sessions WORDS", enter: after("/sessions kiln")},
	{name: "/archive WORDS", enter: after("/archive kiln")},
	{name: "/profile edit", enter: after("/profile edit")},
	{name: "/journal", enter: after("/journal")},
	{name: "/journal WORDS", enter: after("/journal tea")},
	{name: "/rename", enter: after("/rename")},
	{name: "/set", enter: after("/set memory.rag_top_n")},
	{name: "/answers", enter: after("/answers")},
	{name: "/code", enter: after("/code")},
	{name: "/context 2", enter: after("/context 2")},
	{name: "/recall TEXT", enter: after("/recall tea"), brings: true},
	{name: "group", enter: inGroup(), see: "Duo", alone: true},
	{name: "group, talk", enter: func(p *typist) { inGroup()(p); p.talk() }, alone: true},
	{name: "group, recall", enter: func(p *typist) { inGroup()(p); p.open("Recall") }, alone: true},
	{name: "group, sessions", enter: func(p *typist) { inGroup()(p); p.open("Sessions"); p.key(tea.KeyDelete) }, alone: true},
	{name: "group, naming", enter: func(p *typist) { inGroup()(p); p.words("@") }, brings: true, alone: true},
	{name: "answer arriving", enter: arriving("")},
	{name: "answer arriving, talk", enter: func(p *typist) { arriving("")(p); p.talk() }},
	{name: "answer arriving, recall", enter: arriving("Recall")},
	{name: "answer arriving, sessions", enter: arriving("Sessions")},
	{name: "answer arriving, agents", enter: arriving("Agents")},
	{name: "message queued", enter: queued("")},
	{name: "message queued, talk", enter: func(p *typist) { queued("")(p); p.talk() }},
	{name: "message queued, recall", enter: queued("Recall")},
}

// room is the part of the program that a place is in.
func (at place) room() string {
	room, _, _ := strings.Cut(at.name, ",")
	room, _, _ = strings.Cut(room, " ")
	return strings.TrimPrefix(room, "/")
}

// allPlaces are the states of the program with these panes.
func allPlaces(panes []string) (out []place) {
	out = append(out, places...)
	for _, line := range []string{"/recall", "/context", "/working", "/health", "/profile", "/inbox", "/agents", "/archive", "/settings"} {
		out = append(out, place{name: line, enter: after(line)})
	}
	for _, title := range panes {
		for _, at := range append(append([]place{}, everyPane...), paneActions[title]...) {
			at.name, at.pane = strings.TrimSuffix(title+", "+at.name, ", "), title
			out = append(out, at)
		}
	}
	return out
}

func keysThen(keys ...rune) func(*typist) {
	return func(p *typist) { p.key(keys...) }
}

func then(first func(*typist), keys ...rune) func(*typist) {
	return func(p *typist) { first(p); p.key(keys...) }
}

func talkKeys(keys ...rune) func(*typist) {
	return then((*typist).talk, keys...)
}

func after(line string) func(*typist) {
	return func(p *typist) { p.command(line) }
}

func (p *typist) words(text string) {
	for _, l := range letters(text) {
		p.send(keyFor(l))
	}
	p.pass(200 * time.Millisecond)
}

// reset opens a pane as if nothing had been done in it.
func (p *typist) reset(title string) {
	p.open(title)
	p.key('/')
	p.ctrl('u')
	p.root.setFocus(onPanel)
	p.key(tea.KeyEscape, tea.KeyEscape, tea.KeyEscape)
	p.home()
}

// search leaves only the rows with some words.
func (p *typist) search(words string) {
	p.key('/')
	p.words(words)
	p.key(tea.KeyEnter)
}

// row asks for an action of the second row of a list.
func row(action string) func(*typist) {
	return func(p *typist) { p.key(tea.KeyDown); p.act(action) }
}

// opened shows the page of the last memory of the list.
func opened() func(*typist) {
	return func(p *typist) { p.key(tea.KeyEnd, tea.KeyEnter) }
}

// act asks for an action by the words that the screen shows for it: with its key, or in the
// menu that Enter opens.
func (p *typist) act(action string) {
	p.t.Helper()
	named := regexp.MustCompile(`(?:^|[ ·│])(\S) ` + regexp.QuoteMeta(action) + `\b`)
	for range 2 {
		lines := strings.Split(p.frame(), "\n")
		for i := len(lines) - 1; i >= 0; i-- {
			if found := named.FindStringSubmatch(lines[i]); found != nil {
				p.key([]rune(found[1])...)
				return
			}
		}
		p.key(tea.KeyEnter)
	}
	p.t.Fatalf("nothing on the screen names the key of %q\n%s", action, p.frame())
}

func inGroup() func(*typist) {
	return func(p *typist) {
		p.command("/group Duo")
		p.pass(time.Second)
		p.root.setFocus(onInput)
	}
}

// arriving begins an answer that waits for the end of the typing, and goes to a pane.
func arriving(pane string) func(*typist) {
	return func(p *typist) {
		p.home()
		p.held = make(chan struct{})
		p.server.Add(modeltest.Step{Text: "An answer of a few words.", HoldAfter: modeltest.After(2), Hold: p.held})
		p.words("Tell me something.")
		p.key(tea.KeyEnter)
		p.pass(time.Second)
		if !p.root.conv.busy() {
			p.t.Fatalf("no answer is arriving\n%s", p.frame())
		}
		if pane != "" {
			p.open(pane)
			p.key(tea.KeyDown)
		}
	}
}

func queued(pane string) func(*typist) {
	return func(p *typist) {
		arriving("")(p)
		p.words("And something else.")
		p.key(tea.KeyEnter)
		p.pass(time.Second)
		if pane != "" {
			p.open(pane)
			p.key(tea.KeyDown)
		}
	}
}
