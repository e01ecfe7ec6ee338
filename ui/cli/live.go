package cli

import (
	"errors"
	"reflect"
	"strings"
	"sync"

	"memoria/chat"
	"memoria/memory/bounds"
	"memoria/ui/app"
	"memoria/ui/config"
	"memoria/ui/setting"
)

// live is the configuration while the program runs (I5). A change is written to the
// file and, where it can, counts at once: for what begins after it. What a setting
// is in force as need not be what the file says: a variable or a flag counted more
// at the start, or somebody edited the file meanwhile. A change of this run counts
// more than both until the program ends; then the usual order holds again.
//
// Its methods may be called from any goroutine.
type live struct {
	p      *Program
	o      *open
	talks  *app.Conversations
	server *server
	drawn  bool // there is a screen, which is as [ui] says

	mu   sync.Mutex
	now  settings   // in force
	done []undo     // oldest first
	chat *chat.Chat // the open conversation, while it is held
}

// undo is what a change replaced.
type undo struct {
	key   string
	file  []config.Edit // what the file said
	force []held        // what was in force
}

// held is a value that was in force, and where it came from.
type held struct {
	key   string
	value reflect.Value
	from  config.Origin
}

func newLive(p *Program, o *open, talks *app.Conversations, s *server, drawn bool) *live {
	l := &live{p: p, o: o, talks: talks, server: s, drawn: drawn, now: o.settings}
	l.now.from = config.Origins{}
	for key, from := range o.from {
		l.now.from[key] = from
	}
	return l
}

// inForce are the settings as they are now.
func (l *live) inForce() settings {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.now
}

// hold locks the settings behind the conversation that is open: one that is made
// meanwhile, while nobody is held, reads them.
func (l *live) hold() (release func()) {
	open, let := l.talks.Hold()
	l.mu.Lock()
	l.chat = open
	return func() {
		l.mu.Unlock()
		let()
	}
}

// atStart reports whether a change counts from the next start on.
func (l *live) atStart(key string) bool { return config.AtStart(key) || !l.drawn && table(key) == "ui" }

// access is live for the screen and the conversation line by line.
func (l *live) access() setting.Access {
	return setting.Access{List: l.list, Set: l.set, Unset: l.unset, Undo: l.undo}
}

func (l *live) list() ([]setting.Info, error) {
	defer l.hold()()
	return l.infos()
}

// infos reads the file again: what it says by now counts from the next start on. The
// list is whole also with an error, which says what is wrong with the file.
func (l *live) infos() ([]setting.Info, error) {
	source, _ := config.Read(l.now.config, false)
	next, err := l.p.settings()
	after := &next
	if err != nil {
		after = nil
	}
	all := l.p.infos(l.now, after, source)
	for i := range all {
		all[i].AtStart = l.atStart(all[i].Key)
		if l.p.demo.on && l.now.from[all[i].Key] == config.FromRun {
			all[i].Note = demoNote
		}
		if note := l.inRun(all[i]); note != "" {
			all[i].Note = note
		}
	}
	return all, err
}

// errDemo: a change would come to nothing.
var errDemo = errors.New("this takes effect after restart, and the demo writes nothing")

const demoNote = "only in this run: the demo writes nothing"

// inRun says what holds in this run by a command that writes nothing.
func (l *live) inRun(i setting.Info) string {
	switch used := l.server.used(); {
	case i.Key == "model.name" && used.Name != l.now.cfg.Model.Name:
		return "in this run " + used.Name + " answers"
	case i.Key == "model.base_url" && !config.SameURL(used.BaseURL, l.now.cfg.Model.BaseURL):
		return "in this run " + used.BaseURL + " is asked"
	case i.Key == "memory.enable_agentic_search" && !l.chat.Forgetful() && l.chat.Searches() != l.now.cfg.Memory.AgenticSearch:
		return "switched for this run by /search-tool"
	}
	return ""
}

// about is one setting as it is now.
func (l *live) about(key string) (setting.Info, error) {
	all, err := l.infos()
	for _, i := range all {
		if i.Key == key {
			return i, nil
		}
	}
	return setting.Info{}, err
}

func (l *live) set(word, text string) (setting.Change, error) {
	defer l.hold()()
	key, err := config.Find(word)
	if err != nil {
		return setting.Change{}, err
	}
	with := l.now.cfg
	if l.atStart(key) { // it has to fit to what holds then
		if next, err := l.p.settings(); err == nil {
			with = next.cfg
		}
	}
	v, err := config.Value(with, key, text)
	if err != nil {
		return setting.Change{}, err
	}
	return l.change(key, config.Edit{Key: key, Literal: config.TypedLiteral(v, text)}, held{key, v, config.FromRun})
}

func (l *live) unset(word string) (setting.Change, error) {
	defer l.hold()()
	key, err := config.Find(word)
	if err != nil {
		return setting.Change{}, err
	}
	return l.change(key, config.Edit{Key: key}, held{key: key})
}

// change writes an edit and puts in force what comes of it. A value that is not
// valid is that of the next start.
func (l *live) change(key string, e config.Edit, to held) (setting.Change, error) {
	was, err := l.about(key)
	if err != nil {
		return setting.Change{}, err
	}
	if l.p.demo.on && l.atStart(key) {
		return setting.Change{}, errDemo
	}
	source, _ := config.Read(l.now.config, false)
	file := config.Parse(l.now.config, source, nil, config.MaxFaults)
	made := []config.Edit{e}
	if !l.p.demo.on {
		if made, err = config.Rewrite(l.now.config, l.p.Env, e); err != nil {
			return setting.Change{}, err
		}
	}
	next, err := l.p.settings()
	if err != nil { // it was just read; somebody is writing it
		next = l.now
	}
	back := undo{key: key}
	for _, m := range made {
		back.file = append(back.file, fileSays(file, m.Key))
		if l.atStart(m.Key) {
			continue
		}
		h := held{m.Key, bounds.Field(reflect.ValueOf(next.cfg), m.Key), next.from[m.Key]}
		if m.Key == key && to.value.IsValid() {
			h = to
		}
		back.force = append(back.force, l.put(h))
	}
	back.force = append(back.force, l.dropKey(key, back.force)...)
	if err := l.apply(key); err != nil {
		l.restore(back)
		if !l.p.demo.on {
			_, werr := config.Rewrite(l.now.config, l.p.Env, back.file...)
			err = errors.Join(err, werr)
		}
		return setting.Change{}, err
	}
	l.done = append(l.done, back)
	notes := leftBehindNote([]config.Edit{e}, made)
	return l.told(key, was, notes)
}

// told is a change in words.
func (l *live) told(key string, was setting.Info, notes []string) (setting.Change, error) {
	is, err := l.about(key)
	if err != nil {
		return setting.Change{}, err
	}
	if is.Note != "" {
		notes = append(notes, is.Note)
	} else if out := l.p.outweighed(key); out != "" {
		notes = append(notes, out)
	}
	return setting.Change{Info: is, Before: was.Value, Notes: notes}, nil
}

// fileSays is what makes a file say again what it says about a setting.
func fileSays(file *config.Loaded, key string) config.Edit {
	if file.From[key] != config.FromFile {
		return config.Edit{Key: key}
	}
	return config.Edit{Key: key, Literal: config.LiteralOf(bounds.Field(reflect.ValueOf(file.Config), key))}
}

// dropKey forgets, in this run, the key that was set in this run beside an address
// that was replaced just now.
func (l *live) dropKey(key string, replaced []held) []held {
	other := config.KeyBeside[key]
	if other == "" || len(replaced) == 0 || l.now.from[other] != config.FromRun {
		return nil
	}
	if config.SameURL(replaced[0].value.String(), bounds.Field(reflect.ValueOf(l.now.cfg), key).String()) {
		return nil
	}
	return []held{l.put(held{key: other, value: bounds.Field(reflect.ValueOf(config.Default()), other)})}
}

// put puts a value in force and returns what it replaced.
func (l *live) put(h held) held {
	v := bounds.Field(reflect.ValueOf(&l.now.cfg).Elem(), h.key)
	was := held{h.key, reflect.New(v.Type()).Elem(), l.now.from[h.key]}
	was.value.Set(v)
	v.Set(h.value)
	l.now.from[h.key] = h.from
	return was
}

func (l *live) restore(u undo) {
	for i := len(u.force) - 1; i >= 0; i-- {
		l.put(u.force[i])
	}
}

// undo sets the value before back, in force and in the file.
func (l *live) undo() (setting.Change, error) {
	defer l.hold()()
	if len(l.done) == 0 {
		return setting.Change{}, setting.ErrNothing
	}
	last := l.done[len(l.done)-1]
	was, err := l.about(last.key)
	if err != nil {
		return setting.Change{}, err
	}
	if !l.p.demo.on {
		// The address goes back first and its key after it, so that it stays.
		if _, err := config.Rewrite(l.now.config, l.p.Env, last.file...); err != nil {
			return setting.Change{}, err
		}
	}
	l.done = l.done[:len(l.done)-1]
	l.restore(last)
	if err := l.apply(last.key); err != nil {
		return setting.Change{}, err
	}
	c, err := l.told(last.key, was, nil)
	c.Notes = append([]string{"taken back"}, c.Notes...)
	return c, err
}

// table is the outermost table of a setting.
func table(key string) string {
	name, _, _ := strings.Cut(key, ".")
	return name
}

// apply tells the rooms what is in force.
func (l *live) apply(key string) error {
	if l.atStart(key) {
		return nil
	}
	switch table(key) {
	case "chat", "context":
		return l.chat.SetConfig(l.now.cfg.Chat, l.now.cfg.Context)
	case "memory":
		if key == "memory.enable_agentic_search" {
			l.chat.SetSearches(l.now.cfg.Memory.AgenticSearch)
		}
		return l.o.manager.SetConfig(l.now.cfg.Memory)
	case "journal":
		return l.o.manager.SetJournalConfig(l.now.cfg.Journal)
	case "model":
		client, err := l.server.follow(l.now, key)
		if client != nil {
			l.chat.SetModel(client)
		}
		return err
	}
	return nil // [ui] is the screen's own, which hears of it
}
