package actions

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"memoria/chat"
	"memoria/chat/model"
	"memoria/memory"
	"memoria/memory/lookup"
	"memoria/memory/manager/write"
	"memoria/ui/app"
	"memoria/ui/words"
)

// Console runs actions for one front end. It remembers what the last list showed, so that
// a number names an entry, and what can be undone. It is not safe for concurrent use.
type Console struct {
	*app.Session
	Mode Mode
	// Chat is the open conversation; nil for a command.
	Chat  *chat.Chat
	Agent memory.Agent
	// Piped says that a program writes the messages.
	Piped bool
	// Aside tells a command's user at once what cannot wait for the result, Speaker names
	// who in a group answered, and Prices are what the models of a command cost.
	Aside   func(text string)
	Speaker func(memory.Record) string
	Prices  model.Config
	// Secret is the last message that holds a secret, LastAnswer the last answer, and Queue
	// the messages that wait for theirs.
	Secret     string
	LastAnswer string
	Queue      []chat.Waiting

	last   listed
	offers []offer
}

// listed are the entries of the last lists, which their numbers name.
type listed struct {
	items    []memory.Item
	held     []lookup.HeldItem // the items, when they are the inbox
	sessions []memory.Session
	models   []string
	agents   []lookup.AgentInfo
}

// NewConsole returns a console for the conversation that is open.
func NewConsole(s *app.Session, mode Mode) *Console {
	c := &Console{Session: s, Mode: mode}
	c.Open(s.Conversations.Chat())
	return c
}

// Open makes another conversation the one that actions are about. It forgets everything of
// the last one but the lists of agents and models, and what can be undone.
func (c *Console) Open(talk *chat.Chat) {
	c.Chat, c.Agent = talk, talk.Agent()
	c.Secret, c.LastAnswer, c.Queue = "", "", nil
	c.last = listed{agents: c.last.agents, models: c.last.models}
	c.offers = slices.DeleteFunc(slices.Clone(c.offers), func(o offer) bool { return !o.agent })
}

// Adopt takes over what a copy of the console remembers of the actions that ran on it.
func (c *Console) Adopt(o *Console) {
	c.last, c.offers = o.last, o.offers
	if o.LastAnswer == "" {
		c.LastAnswer = ""
	}
}

// Result is what an action did, in words. A front end shows all of it, in this order.
type Result struct {
	// Data is what a command prints as JSON.
	Data any
	// ID names what was made or changed, for a script.
	ID string
	// Open is the conversation that is open now; nil when that did not change.
	Open *chat.Chat
	// Title and Fields are a page.
	Title  string
	Fields words.Fields
	// Lines are the answer, List the entries of a list, and Notes remarks.
	Lines []string
	List  *List
	Notes []string
	// Ask is a question that has to be answered before anything is done.
	Ask *Question
	// More continues the answer when the user asks for it.
	More func() Result
	// Then is shown after this result.
	Then *Result
	// Awaits is the event that tells the rest.
	Awaits Event
	// Answers says that an answer was asked for. Sent is the id of a message that was sent,
	// Withdrawn of one that waited and was withdrawn.
	Answers         bool
	Sent, Withdrawn string
	// Failed is what it could not do besides; a command ends with this error.
	Failed error
	// Deletion is set while it can still be undone.
	Deletion *write.Deletion
}

// Event is what the conversation tells by itself after an action.
type Event int

// The events.
const (
	NoEvent Event = iota
	SessionEvent
	ModelEvent
)

// List is a list, or its beginning.
type List struct {
	Rows  []words.Row
	Total int
	What  string // an entry, as [words.Count] takes it
	Hint  string // what can be done with an entry
}

// Question has to be answered with a line.
type Question struct {
	Prompt string
	// Dropped is said when it is not answered.
	Dropped string
	Answer  func(ctx context.Context, line string) (Result, error)
}

// Refusal is an error that is words for the user.
type Refusal string

func (r Refusal) Error() string { return string(r) }

// refuse returns a message of the catalogue as a [Refusal].
func (c *Console) refuse(id string, args ...any) (Result, error) {
	return Result{}, Refusal(c.Say(id, args...))
}

// Say returns a message of the catalogue; for a command the one whose id ends in ".shell",
// if there is one. Names of actions in braces become what the user
// types: "{add} TEXT" is "/add TEXT", or "memoria memory add TEXT" for a command.
func (c *Console) Say(id string, args ...any) string {
	if shell := id + ".shell"; c.Mode == Shell && words.Has(shell) {
		id = shell
	}
	return c.Words.SayTo(c.Mode.typed, id, args...)
}

// remark tells a message of the catalogue at once.
func (c *Console) remark(id string, args ...any) { c.Aside(c.Say(id, args...)) }

// typed is an action as the user types it in this mode.
func (m Mode) typed(name string) string {
	if m != Shell {
		return "/" + name
	}
	for _, a := range table {
		if a.Name == name && a.Command != "" {
			return "memoria " + a.Command
		}
	}
	return "/" + name
}

// note is a result of remarks alone.
func (c *Console) note(id string, args ...any) Result {
	return Result{Notes: []string{c.Say(id, args...)}}
}

// number is the entry that a word names, from 0; ok is false when the word is no number.
func number(word string) (i int, ok bool) {
	n, err := strconv.Atoi(strings.TrimRight(word, "."))
	return n - 1, err == nil && len(word) < 6
}

// Yes reports whether a line agrees.
func Yes(line string) bool {
	switch strings.ToLower(strings.TrimSpace(line)) {
	case "y", "yes", "是", "是的", "对", "好":
		return true
	}
	return false
}

// confirm asks before do. what says what would be done, dropped what a no means.
func (c *Console) confirm(what, dropped string, do func(ctx context.Context) (Result, error)) Result {
	return Result{Lines: []string{what}, Ask: &Question{
		Prompt: c.Say("ask.yes-or-no"), Dropped: dropped,
		Answer: func(ctx context.Context, line string) (Result, error) {
			if !Yes(line) {
				return Result{Notes: []string{dropped}}, nil
			}
			return do(ctx)
		},
	}}
}

// in is the session that is open; its id is empty when it has no message yet.
func (c *Console) in() memory.Session { return c.Chat.Session() }

// inGroup reports whether the conversation is with a group.
func (c *Console) inGroup() bool { return c.Chat != nil && len(c.Chat.Members()) > 0 }

// Spans marks a whole message that no person typed, as kind; nil for a typed one.
func (c *Console) Spans(text, kind string) []memory.Span {
	if !c.Piped && kind != memory.SpanPasted {
		return nil
	}
	return []memory.Span{{Length: len(text), Kind: kind}}
}
