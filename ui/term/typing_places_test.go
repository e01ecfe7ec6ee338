package term

import (
	"regexp"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"memoria/chat/model/modeltest"
	"memoria/ui/term/pane"
	"memoria/ui/words"
)

// place is a state of the program in which somebody may begin to type.
type place struct {
	name string
	pane *pane.ID // has the keyboard first; nil for none
	// enter leads there from an empty input, on a wide screen.
	enter func(*typist)
	// see is on the wide screen then; a state that is not reached proves nothing.
	see string
	// empty is over a memory without anything in it.
	empty bool
	// guided is over such a memory, of somebody whom the guide leads through the first minute.
	guided bool
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

// paneActions are the states inside each pane besides those of every pane. A pane that is
// not named here fails the test.
var paneActions = map[pane.ID][]place{
	pane.Recall: {
		{name: "recalled", enter: keysThen(tea.KeyDown), draft: "coffee, the cat in Oslo, green tea ", see: "would recall"},
		{name: "recalled, numbers", enter: keysThen('#'), draft: "coffee, the cat in Oslo, green tea ", see: "would recall"},
		{name: "recalled, opened", enter: keysThen(tea.KeyDown, tea.KeyEnter), draft: "coffee, the cat in Oslo, green tea "},
		{name: "used", enter: asked(), see: "used in this answer"},
		{name: "used, numbers", enter: func(p *typist) { asked()(p); numbers("words")(p) }, see: "used in this answer"},
		{name: "learned", enter: taught(), see: "learned from this turn"},
		{name: "learned, opened", enter: then(taught(), tea.KeyEnter), see: "h history"},
		{name: "learned, edit form", enter: func(p *typist) { taught()(p); p.act("edit") }, see: "edit the memory"},
		{name: "learned, delete?", enter: then(taught(), tea.KeyDelete), see: "Delete “"},
		{name: "learned, undo?", enter: then(taught(), 'u'), see: "ctrl+y"},
		{name: "learned, undo turn?", enter: then(taught(), 'U'), see: "Undo what this turn did"},
		{name: "calendar", enter: keysThen('c'), see: "in all:"},
		{name: "calendar, day", enter: keysThen('c', tea.KeyHome, tea.KeyEnter)},
	},
	pane.All: {
		{name: "edit form", enter: row("edit"), see: "edit the memory"},
		{name: "edit form, tags", enter: then(row("edit"), tea.KeyTab, tea.KeyTab), see: "edit the memory"},
		{name: "edit form, button", enter: then(row("edit"), tea.KeyEnter, tea.KeyEnter, tea.KeyEnter), see: "▸ [ save ]"},
		{name: "new memory", enter: row("add"), see: "a new memory"},
		{name: "page", enter: opened(), see: "history"},
		{name: "page, second action", enter: then(opened(), tea.KeyEnd, tea.KeyDown), see: menuSays},
		{name: "page, details", enter: then(opened(), 'i'), see: "importance"},
		{name: "page, history", enter: then(opened(), 'h'), see: "history"},
		{name: "page, source", enter: then(opened(), 'o'), see: "said"},
		{name: "page, delete?", enter: then(opened(), tea.KeyDelete), see: "Delete “"},
		{name: "page, edit form", enter: func(p *typist) { opened()(p); p.act("edit") }, see: "edit the memory"},
		{name: "filtered", enter: keysThen('/', 't', 'e', 'a', tea.KeyEnter), see: "/ tea"},
		{name: "delete several?", enter: keysThen('/', 't', 'e', 'a', tea.KeyEnter, 'D'), see: "Delete 1 memory"},
		{name: "undo?", enter: keysThen(tea.KeyDown, 'u')},
		{name: "just deleted", enter: keysThen(tea.KeyEnd, tea.KeyDelete, tea.KeyDelete), see: "restores it"},
		{name: "just added", enter: func(p *typist) {
			row("add")(p)
			p.send(tea.PasteMsg{Content: "Sells honey at the market."})
			p.ctrl('s')
		}, see: "honey"},
		{name: "calendar", enter: keysThen('c'), see: "in all:"},
		{name: "calendar, day", enter: keysThen('c', tea.KeyLeft, tea.KeyHome), see: "in all:"},
		{name: "calendar, memories of a day", enter: keysThen('c', tea.KeyHome, tea.KeyEnter), see: "esc shows all days"},
		{name: "calendar, nothing", enter: keysThen('c'), empty: true, see: "Nothing has been remembered yet"},
	},
	pane.Package: {
		{name: "all open", enter: row("all")},
		{name: "turn before", enter: keysThen('p')},
		{name: "numbers", enter: then(row("all"), '#')},
	},
	pane.Working: {
		{name: "edit form", enter: then(row("add"), tea.KeyTab)},
		{name: "menu", enter: keysThen(tea.KeyEnter, tea.KeyDown), see: menuSays},
		{name: "new variable", enter: row("add")},
	},
	pane.Evidence: {
		{name: "sources", enter: proven(), see: "sources · "},
		{name: "sources, menu", enter: then(proven(), tea.KeyEnter, tea.KeyDown), see: menuSays},
		{name: "sources, turn before", enter: then(proven(), 'p')},
	},
	pane.Sessions: {
		{name: "menu", enter: keysThen(tea.KeyEnter), see: menuSays},
		{name: "found, menu", enter: keysThen('/', 'k', 'i', 'l', 'n', tea.KeyEnter, tea.KeyEnter, tea.KeyEnd), see: menuSays},
		{name: "rename form", enter: row("rename"), see: "a title for"},
		{name: "rename form, button", enter: then(row("rename"), tea.KeyEnter), see: "▸ [ save ]"},
		{name: "found", enter: keysThen('/', 'k', 'i', 'l', 'n', tea.KeyEnter), see: "kiln"},
		{name: "new?", enter: keysThen('n')},
		{name: "export?", enter: keysThen(tea.KeyDown, 'x')},
	},
	pane.Health: {{name: "rebuild?", enter: keysThen('r')}, {name: "backup?", enter: keysThen('b')}},
	pane.Inbox: {
		{name: "edit form", enter: row("edit"), see: "edit, then it is accepted"},
		{name: "menu", enter: keysThen(tea.KeyEnter), see: menuSays},
		{name: "menu, accept?", enter: keysThen(tea.KeyEnter, 'a'), see: "ctrl+y yes"},
		{name: "accept?", enter: keysThen('a')},
		{name: "reject?", enter: keysThen('d')},
		{name: "accept all?", enter: keysThen('A'), see: "Accept all"},
		{name: "all of a type?", enter: keysThen('T'), see: "Decide about"},
	},
	pane.Archive: {
		{name: "menu", enter: keysThen(tea.KeyEnter, tea.KeyDown), see: menuSays},
		{name: "learned", enter: keysThen(tea.KeyDown, 'l'), see: "learned from it"},
		{name: "found", enter: keysThen('/', 'k', 'i', 'l', 'n', tea.KeyEnter), see: "kiln"},
		{name: "bookmark?", enter: keysThen(tea.KeyDown, 'm')},
		{name: "bookmarks", enter: keysThen('b')},
	},
	pane.Profile: {
		{name: "edit form", enter: row("edit"), see: "what you write is yours"},
		{name: "edit form, button", enter: then(row("edit"), tea.KeyEnter), see: "▸ [ save ]"},
		{name: "menu", enter: keysThen(tea.KeyEnter), see: menuSays},
		{name: "versions", enter: keysThen('h')},
		{name: "versions, menu", enter: keysThen('h', tea.KeyEnter), see: menuSays},
		{name: "undo?", enter: keysThen('u')},
	},
	pane.Agents: {
		{name: "menu", enter: keysThen(tea.KeyDown, tea.KeyEnter), see: menuSays},
		{name: "page, menu", enter: keysThen(tea.KeyDown, 'o', tea.KeyEnter), see: menuSays},
		{name: "new agent", enter: row("add"), see: "a new agent"},
		{name: "new group", enter: row("group"), see: "a new group"},
		{name: "new group, members", enter: then(row("group"), tea.KeyTab), see: "a new group"},
		{name: "page", enter: keysThen(tea.KeyDown, 'o')},
		{name: "new group, button", enter: then(row("group"), tea.KeyTab, tea.KeyEnter), see: "▸ [ save ]"},
		{name: "edit form", enter: then(row("edit"), tea.KeyTab)},
		{name: "group, delete?", enter: keysThen(tea.KeyEnd, tea.KeyDelete), see: "Delete the group"},
	},
	pane.Settings: {
		{name: "menu", enter: keysThen(tea.KeyDown, tea.KeyEnter), see: menuSays},
		{name: "all about it", enter: keysThen(tea.KeyDown, 'o'), see: menuSays},
		{name: "filtered", enter: keysThen('/', 'r', 'a', 'g', tea.KeyEnter), see: "rag_top_n"},
		{name: "edit form", enter: func(p *typist) { p.search("rag_top"); p.act("change") }, see: "allowed: 0 to 100"},
		{name: "edit form, button", enter: func(p *typist) { p.search("rag_top"); p.act("change"); p.key(tea.KeyTab) }, see: "▸ [ save ]"},
		{name: "choice, button", enter: func(p *typist) { p.search("ui.theme"); p.act("change"); p.key(tea.KeyTab) }, see: "▸ [ save ]"},
		{name: "choice", enter: func(p *typist) { p.search("ui.theme"); p.act("change") }},
		{name: "default?", enter: keysThen('/', 'r', 'a', 'g', '_', 't', 'o', 'p', tea.KeyEnter, 'd')},
	},
	pane.Journal: {
		{name: "menu", enter: keysThen(tea.KeyEnd, tea.KeyUp, tea.KeyEnter)},
		{name: "file, menu", enter: keysThen(tea.KeyEnd, tea.KeyEnter, tea.KeyEnter, tea.KeyEnd, tea.KeyEnter)},
		{name: "found", enter: keysThen('/', 't', 'e', 'a', tea.KeyEnter)},
		{name: "write?", enter: keysThen('r')},
	},
}

// menuSays is what an open menu says of its keys.
const menuSays = "enter do it"

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
	{name: "help, from a pane", enter: func(p *typist) { p.open(pane.Sessions); p.key(tea.KeyF1) }, see: "▸History: sessions"},
	{name: "help, from a page", enter: func(p *typist) { p.open(pane.All); opened()(p); p.key(tea.KeyF1) }, see: "▸Memory: memories"},
	{name: "help, searching", enter: func(p *typist) { p.key(tea.KeyF1); p.words("undo") }, see: "/ undo"},
	{name: "help, nothing found", enter: func(p *typist) { p.key(tea.KeyF1); p.words("xyzzy") }, see: "no key or command has these words"},
	{name: "help, draft", enter: func(p *typist) { p.key(tea.KeyF1) }, draft: "half a thought ", see: "type to search"},
	{name: "panel, another tab", enter: func(p *typist) { p.open(pane.Recall); p.key('3', tea.KeyRight) }, see: "[History]"},
	{name: "palette", enter: func(p *typist) { p.ctrl('p') }, see: "type to find a command"},
	{name: "palette, filtered", enter: func(p *typist) { p.ctrl('p'); p.key('u', 'n', 'd', 'o') }},
	{name: "palette, letters", enter: func(p *typist) { p.ctrl('p'); p.words("undolt") }, see: "undo"},
	{name: "palette, nothing found", enter: func(p *typist) { p.ctrl('p'); p.words("xyzzy") }, see: "nothing has these words"},
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
	{name: "editing a message, pane", enter: func(p *typist) { p.command("/edit-message"); p.open(pane.Recall) }, brings: true, aside: true},
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
	{name: "group, recall", enter: func(p *typist) { inGroup()(p); p.open(pane.Recall) }, alone: true},
	{name: "group, sessions", enter: func(p *typist) { inGroup()(p); p.open(pane.Sessions); p.key(tea.KeyDelete) }, alone: true},
	{name: "group, naming", enter: func(p *typist) { inGroup()(p); p.words("@") }, brings: true, alone: true},
	{name: "answer arriving", enter: arriving()},
	{name: "answer arriving, talk", enter: func(p *typist) { arriving()(p); p.talk() }},
	{name: "answer arriving, recall", enter: arriving(pane.Recall)},
	{name: "answer arriving, sessions", enter: arriving(pane.Sessions)},
	{name: "answer arriving, agents", enter: arriving(pane.Agents)},
	{name: "message queued", enter: queued()},
	{name: "message queued, talk", enter: func(p *typist) { queued()(p); p.talk() }},
	{name: "message queued, recall", enter: queued(pane.Recall)},
	{name: "guide", enter: func(*typist) {}, guided: true, see: "1/5"},
	{name: "guide, draft", enter: func(*typist) {}, guided: true, draft: "half a thought ", see: "1/5"},
	{name: "guide, panel", enter: func(p *typist) { p.key(tea.KeyTab) }, guided: true, see: "1/5"},
	{name: "guide, talk", enter: (*typist).talk, guided: true, see: "1/5"},
	{name: "guide, help", enter: func(p *typist) { p.key(tea.KeyF1) }, guided: true},
	{name: "guide, learned", enter: func(p *typist) { p.words("My name is Bo."); p.key(tea.KeyEnter); p.rest() }, guided: true, see: "2/5"},
	{name: "guide, skipped", enter: func(p *typist) { p.key(tea.KeyEscape) }, guided: true, see: "Esc shows it again"},
}

// room is the part of the program that a place is in.
func (at place) room() string {
	room, _, _ := strings.Cut(at.name, ",")
	room, _, _ = strings.Cut(room, " ")
	return strings.TrimPrefix(room, "/")
}

// allPlaces are the states of the program.
func allPlaces() (out []place) {
	out = append(out, places...)
	for _, line := range []string{"/recall", "/context", "/working", "/evidence", "/health", "/profile", "/inbox", "/agents", "/archive", "/settings"} {
		out = append(out, place{name: line, enter: after(line)})
	}
	for _, tab := range pane.Tabs() {
		for _, id := range tab.Views {
			for _, at := range append(append([]place{}, everyPane...), paneActions[id]...) {
				at.name, at.pane = strings.TrimSuffix(id.Name(words.Words{})+", "+at.name, ", "), &id
				out = append(out, at)
			}
		}
	}
	for i := range out {
		out[i].empty = out[i].empty || out[i].guided
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
func (p *typist) reset(id pane.ID) {
	p.open(id)
	p.key('/') // of recall it is the filter of all
	p.ctrl('u')
	p.root.setFocus(onPanel)
	p.key(tea.KeyEscape, tea.KeyEscape, tea.KeyEscape)
	if p.root.panel.shown != id {
		p.open(id)
		p.key(tea.KeyEscape, tea.KeyEscape, tea.KeyEscape)
	}
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

// asked shows what was used for an answer.
func asked() func(*typist) {
	return func(p *typist) {
		p.say("What tea do I like, green or black?")
		p.open(pane.Recall)
		p.key(tea.KeyHome)
	}
}

// proven shows the evidence of a question for proof.
func proven() func(*typist) {
	return func(p *typist) {
		p.say("When did I say that I like green tea?")
		p.open(pane.Evidence)
		p.key(tea.KeyHome)
	}
}

// taught chooses what the last message taught.
func taught() func(*typist) {
	return func(p *typist) {
		p.taught++ // what is known teaches nothing
		p.say("I collect stamps. I live in " + []string{"Bergen", "Turku", "Malmö", "Gdynia"}[p.taught%4] + ".")
		p.open(pane.Recall)
		p.key(tea.KeyHome)
		for range 20 {
			if strings.Contains(p.frame(), "U undo the turn") {
				return
			}
			p.key(tea.KeyDown)
		}
		p.t.Fatalf("nothing that was learned can be chosen\n%s", p.frame())
	}
}

// numbers shows the numbers of the bars, which have a name.
func numbers(name string) func(*typist) {
	shown := regexp.MustCompile(name + ` +[0-9]?\.[0-9]`)
	return func(p *typist) {
		p.key('#')
		if !shown.MatchString(p.frame()) { // a state before showed them
			p.key('#')
		}
		if !shown.MatchString(p.frame()) {
			p.t.Fatalf("no numbers are on the screen\n%s", p.frame())
		}
	}
}

// act asks for an action by the words that the screen shows for it: with its key, or in the
// menu that Enter opens.
func (p *typist) act(action string) {
	p.t.Helper()
	named := regexp.MustCompile(`(?:^|[ ·│])(\S) +` + regexp.QuoteMeta(action) + `\b`)
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
func arriving(in ...pane.ID) func(*typist) {
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
		for _, id := range in {
			p.open(id)
			p.key(tea.KeyDown)
		}
	}
}

func queued(in ...pane.ID) func(*typist) {
	return func(p *typist) {
		arriving()(p)
		p.words("And something else.")
		p.key(tea.KeyEnter)
		p.pass(time.Second)
		for _, id := range in {
			p.open(id)
			p.key(tea.KeyDown)
		}
	}
}
