package app

import (
	"errors"
	"fmt"
	"maps"
	"strings"
	"sync"

	"memoria/chat"
	"memoria/memory/manager"
	"memoria/ui/config"
	"memoria/ui/words"
)

// SettingsOptions configures [NewSettings].
type SettingsOptions struct {
	// Loaded is the configuration in force.
	Loaded        *config.Loaded
	Memory        *manager.Manager
	Conversations *Conversations
	Models        *Models
	// Screen says that a screen follows the settings of [ui].
	Screen bool
	// Demo says that changes are not written to the file.
	Demo bool
}

// Settings are the settings while the program runs (I5). A change is written to the
// file and, where possible, takes effect at once. A value in force may differ from the
// file: a variable or a flag was stronger at the start, or the file was edited meanwhile.
// A change made here is stronger than both until the program ends.
//
// Its methods may be called from any goroutine. Their errors are words for a person.
type Settings struct {
	o SettingsOptions

	mu   sync.Mutex
	now  config.Loaded // in force
	done []applied     // oldest first
	chat *chat.Chat    // the open conversation, while it is held
}

// applied is what a change replaced.
type applied struct {
	key   string
	file  []config.Edit // restore the file
	force []held        // were in force
}

// held is a value in force, and where it was set.
type held struct {
	key   string
	value any
	from  config.Origin
}

// Change is a change of a setting.
type Change struct {
	Setting config.Setting
	Before  string   // the value in force before
	Notes   []string // anything else to know, a sentence each
}

// Words describes the change on one line, in English.
func (c Change) Words() string { return c.In(words.English) }

// In describes the change on one line in a language.
func (c Change) In(l words.Language) string {
	out := fmt.Sprintf("%s is %s", c.Setting.Key, c.Setting.Value)
	switch {
	case c.Setting.AtStart && c.Setting.Later != "":
		out = fmt.Sprintf("%s is %s after restart", c.Setting.Key, c.Setting.Later)
	case c.Before == c.Setting.Value:
		out += " as before"
	default:
		out += " now"
	}
	said := []string{l.Translate(out)}
	for _, note := range c.Notes {
		said = append(said, l.Translate(note))
	}
	return strings.Join(said, " · ")
}

// ErrNothing means that there is no change to undo.
var ErrNothing = errors.New("no setting was changed in this run")

// errDemo means that a change would have no effect.
var errDemo = errors.New("this takes effect after restart, and the demo writes nothing")

const demoNote = "only in this run: the demo writes nothing"

// NewSettings returns Settings with o.Loaded in force.
func NewSettings(o SettingsOptions) *Settings {
	s := &Settings{o: o, now: *o.Loaded}
	s.now.From = maps.Clone(o.Loaded.From)
	return s
}

// inForce returns the configuration in force.
func (s *Settings) inForce() config.Config {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.now.Config
}

// hold locks the open conversation and then the settings. A conversation that is being
// opened reads the settings while it is not held.
func (s *Settings) hold() (release func()) {
	open, let := s.o.Conversations.Hold()
	s.mu.Lock()
	s.chat = open
	return func() {
		s.mu.Unlock()
		let()
	}
}

// List returns every setting: the common ones, then the others in the order of the example. It
// is complete even with an error, which names the error in the file.
func (s *Settings) List() ([]config.Setting, error) {
	defer s.hold()()
	all, err := s.list()
	config.CommonFirst(all)
	return all, err
}

func (s *Settings) list() ([]config.Setting, error) {
	next := config.Read(s.now.Source) // takes effect after a restart
	var err error
	if len(next.Faults) > 0 {
		err = next.Faults[0]
	}
	all := s.now.Describe(next)
	for i := range all {
		one := &all[i]
		one.AtStart = s.atStart(*one)
		if s.o.Demo && s.now.From[one.Key] == config.FromRun {
			one.Note = demoNote
		}
		if note := s.sessionNote(one.Key); note != "" {
			one.Note = note
		}
	}
	return all, err
}

// atStart reports whether a change takes effect after a restart.
func (s *Settings) atStart(one config.Setting) bool {
	return one.AtStart || !s.o.Screen && one.Table() == "ui"
}

// sessionNote says what a command that writes nothing has changed in this session.
func (s *Settings) sessionNote(key string) string {
	switch used := s.o.Models.used(); {
	case key == "model.name" && used.Name != s.now.Config.Model.Name:
		return "in this run " + used.Name + " answers"
	case key == "model.base_url" && !config.SameURL(used.BaseURL, s.now.Config.Model.BaseURL):
		return "in this run " + used.BaseURL + " is asked"
	case (key == "model.base_url" || key == "model.name") && s.o.Models.offline():
		return "offline: without a key it is not asked, and answers come from memory alone"
	case key == "memory.enable_agentic_search" && !s.chat.Forgetful() && s.chat.Searches() != s.now.Config.Memory.AgenticSearch:
		return "switched for this run by /search-tool"
	}
	return ""
}

// current returns one setting as it is now.
func (s *Settings) current(key string) (config.Setting, error) {
	all, err := s.list()
	for _, one := range all {
		if one.Key == key {
			return one, nil
		}
	}
	return config.Setting{}, err
}

// Set gives a setting a value, as a person types it: in this run, when that is
// possible, and in the file.
func (s *Settings) Set(word, text string) (Change, error) {
	defer s.hold()()
	one, err := config.Find(word)
	if err != nil {
		return Change{}, err
	}
	with := s.now.Config
	if s.atStart(one) { // it must fit the settings in force then
		if next, err := config.Load(s.now.Source); err == nil {
			with = next.Config
		}
	}
	v, err := with.Parse(one.Key, text)
	if err != nil {
		return Change{}, err
	}
	return s.change(one, config.Edit{Key: one.Key, Literal: config.TypedLiteral(v, text)}, &held{one.Key, v, config.FromRun})
}

// Unset removes a setting from the file, so that a weaker source takes effect.
func (s *Settings) Unset(word string) (Change, error) {
	defer s.hold()()
	one, err := config.Find(word)
	if err != nil {
		return Change{}, err
	}
	return s.change(one, config.Edit{Key: one.Key}, nil)
}

// change writes an edit and puts the result in force: to, or else what the sources say.
func (s *Settings) change(one config.Setting, e config.Edit, to *held) (Change, error) {
	was, err := s.current(one.Key)
	if err != nil {
		return Change{}, err
	}
	if s.o.Demo && s.atStart(one) {
		return Change{}, errDemo
	}
	made := config.Rewritten{Made: []config.Edit{e}}
	if !s.o.Demo {
		if made, err = config.Rewrite(s.now.Path, s.now.Env, e); err != nil {
			return Change{}, err
		}
	}
	next, err := config.Load(s.now.Source)
	if err != nil { // it was just read; another program is writing it
		next = &s.now
	}
	undo := applied{key: one.Key, file: made.Undo}
	for _, m := range made.Made {
		if other, _ := config.Find(m.Key); s.atStart(other) {
			continue
		}
		h := held{m.Key, next.Config.Value(m.Key), next.From[m.Key]}
		if m.Key == one.Key && to != nil {
			h = *to
		}
		undo.force = append(undo.force, s.put(h))
	}
	undo.force = append(undo.force, s.dropKey(one.Key, undo.force)...)
	if err := s.apply(one); err != nil {
		s.restore(undo)
		if !s.o.Demo {
			_, werr := config.Rewrite(s.now.Path, s.now.Env, undo.file...)
			err = errors.Join(err, werr)
		}
		return Change{}, err
	}
	s.done = append(s.done, undo)
	return s.describe(was, made.Notes)
}

// describe returns the change of a setting that was as given before.
func (s *Settings) describe(was config.Setting, notes []string) (Change, error) {
	is, err := s.current(was.Key)
	if err != nil {
		return Change{}, err
	}
	if is.Note != "" {
		notes = append(notes, is.Note)
	} else if over := s.now.Overridden(was.Key); over != "" {
		notes = append(notes, over)
	}
	return Change{Setting: is, Before: was.Value, Notes: notes}, nil
}

// dropKey forgets the key that was set in this run beside an address that was just
// replaced.
func (s *Settings) dropKey(key string, replaced []held) []held {
	other := config.KeyBeside[key]
	if other == "" || len(replaced) == 0 || s.now.From[other] != config.FromRun {
		return nil
	}
	if config.SameURL(replaced[0].value.(string), s.now.Config.Value(key).(string)) {
		return nil
	}
	defaults := config.Default()
	return []held{s.put(held{key: other, value: defaults.Value(other)})}
}

// put puts a value in force and returns the one that it replaced.
func (s *Settings) put(h held) held {
	was := held{h.key, s.now.Config.Value(h.key), s.now.From[h.key]}
	s.now.Config.SetValue(h.key, h.value)
	s.now.From[h.key] = h.from
	return was
}

func (s *Settings) restore(c applied) {
	for i := len(c.force) - 1; i >= 0; i-- {
		s.put(c.force[i])
	}
}

// Undo restores the values before the last change, in force and in the file. Without
// a change the error is [ErrNothing].
func (s *Settings) Undo() (Change, error) {
	defer s.hold()()
	if len(s.done) == 0 {
		return Change{}, ErrNothing
	}
	last := s.done[len(s.done)-1]
	was, err := s.current(last.key)
	if err != nil {
		return Change{}, err
	}
	if !s.o.Demo {
		// The address is restored before its key, so that the key stays.
		if _, err := config.Rewrite(s.now.Path, s.now.Env, last.file...); err != nil {
			return Change{}, err
		}
	}
	s.done = s.done[:len(s.done)-1]
	s.restore(last)
	if err := s.apply(was); err != nil {
		return Change{}, err
	}
	c, err := s.describe(was, nil)
	c.Notes = append([]string{"undone"}, c.Notes...)
	return c, err
}

// apply passes the value in force to what it configures.
func (s *Settings) apply(one config.Setting) error {
	if s.atStart(one) {
		return nil
	}
	cfg := s.now.Config
	switch table, _, _ := strings.Cut(one.Key, "."); table {
	case "chat", "context":
		return s.chat.SetConfig(cfg.Chat, cfg.Context)
	case "memory":
		if one.Key == "memory.enable_agentic_search" {
			s.chat.SetSearches(cfg.Memory.AgenticSearch)
		}
		return s.o.Memory.SetConfig(cfg.Memory)
	case "journal":
		return s.o.Memory.Journals().SetJournalConfig(cfg.Journal)
	case "model":
		client, err := s.o.Models.follow(&s.now, one.Key)
		if client != nil {
			s.chat.SetModel(client)
		}
		return err
	}
	return nil // the screen follows [ui] when it hears of the change
}
