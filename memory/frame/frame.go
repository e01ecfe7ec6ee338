package frame

import (
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"memoria/memory"
	"memoria/memory/phrase"
)

// TaskMessages is the maximum number of messages that a task frames, including its own.
const TaskMessages = 5

// DefaultPause is the pause that ends a frame if [Rules] set none.
const DefaultPause = 30 * time.Minute

// Rules are the settings that frames depend on.
type Rules struct {
	// Pause ends every frame: passive_timeout. 0 means [DefaultPause].
	Pause time.Duration
}

// Message is a message of the user.
type Message struct {
	// Typed is the user's own words, with other parts blanked out ([memory.Record.Typed]).
	Typed string
	// Material says that there are other parts: pasted, quoted, from a pipe.
	Material bool
	// Plays is the probability that the message begins a game, if its words do not say so; 0 if unknown.
	Plays float64
	// Tells is the probability that the message tells something about its author; 0 if unknown. It decides where the words
	// are found in ordinary sentences too: "I did a role-play at work", "I handed in my resignation letter".
	Tells float64
	// Pause is the time since the last message of the conversation.
	Pause time.Duration
}

// Minimum probabilities of a message.
const (
	surelyPlays = 0.5 // begins a game
	surelyTells = 0.6 // tells something about its author, whatever it begins with
	likelyTells = 0.4 // tells something about its author, where only a word inside it looks like play or a text
	plainlyOwn  = 0.7 // is about its author while a game is on
)

// Play ends by itself with so many messages in a row that are plainly about their author.
const (
	ownAfterGuess   = 2 // if it was guessed from words within a message
	ownAfterRequest = 5 // if the user asked for it
)

// waitForText is the number of messages that a task frames after a request without a text that announces one text.
const waitForText = 2

// Next returns the frame of a message. before is the frame of the user's previous message in the same branch of
// the session; zero for the first one.
func (r Rules) Next(before memory.Frame, m Message) memory.Frame {
	limit := r.Pause
	if limit == 0 {
		limit = DefaultPause
	}
	if m.Pause >= limit {
		before = memory.Frame{}
	}
	t := read(m.Typed)
	t.plays, t.tells = m.Plays, m.Tells
	var f memory.Frame
	switch {
	case before.Open && before.Kind == memory.FramePlay:
		f = t.inPlay(before)
	case before.Open && before.Kind == memory.FrameTask:
		f = t.inTask(before, m.Material)
	default:
		if f = t.opened(m.Material); f.Kind == "" && m.Plays >= surelyPlays && t.invites() {
			f = memory.Frame{Kind: memory.FramePlay, What: "role", Length: len(t.all), Open: true, Left: ownAfterGuess}
		}
	}
	if !f.Paused() {
		return memory.Frame{}
	}
	return f
}

// message is a message being read.
type message struct {
	all, s       string // the whole, and its folded beginning
	clauses      []clause
	plays, tells float64
}

func read(s string) message {
	head := s
	if len(head) > maxRead {
		head = strings.ToValidUTF8(head[:maxRead], "")
	}
	head = phrase.Fold(head)
	return message{all: s, s: head, clauses: clauses(head)}
}

// invites reports whether a message whose words do not say that it begins a game may do so: it speaks to somebody, and not of a
// play that somebody is in.
func (t message) invites() bool {
	if len(t.clauses) > 0 && own().Ahead(t.s[t.clauses[0].lo:]) > 0 && !address().Has(t.s) {
		return false
	}
	return inviting().Has(t.s) && !notPlay().Has(t.s) && !shapeNot().Has(t.s)
}

// opened returns the frame that a message opens, or none.
func (t message) opened(material bool) memory.Frame {
	f := t.begins(0, material)
	switch {
	case f.Kind == "":
		return t.shaped()
	case f.Kind == memory.FramePlay && t.actsBefore(f.Offset), f.Kind == memory.FrameTask && !material && t.isBefore(f):
		f.Offset, f.Length = 0, len(t.all)
	}
	return f
}

// actsBefore reports whether a role is assigned before a place of the message.
func (t message) actsBefore(at int) bool {
	lo, _, ok := acting().Find(t.s)
	return ok && lo < at
}

// isBefore reports whether the text of a task precedes the request: "…, put that into French".
func (t message) isBefore(f memory.Frame) bool {
	for i, c := range t.clauses {
		if c.lo == f.Offset {
			s := t.s[c.lo:]
			return i > 0 && i == len(t.clauses)-1 && pointing().Has(s) && !strings.ContainsAny(s, "\"“”「『:：")
		}
	}
	return false
}

// begins returns the frame that opens in clause i or later, or none.
func (t message) begins(i int, material bool) memory.Frame {
	for ; i < len(t.clauses); i++ {
		c := t.clauses[i]
		f := memory.Frame{Offset: c.lo, Length: len(t.all) - c.lo}
		if f.What, _ = t.opens(c, play, notPlay()); f.What != "" && !t.isOwn(c) {
			f.Kind, f.Open, f.Left = memory.FramePlay, true, ownAfterRequest
			return f
		}
		what, rest := t.opens(c, tasks, notTask())
		if what != "" && (material || t.hasText(what, rest, i)) {
			f.Kind, f.What, f.Open, f.Left = memory.FrameTask, what, true, TaskMessages-1
			f.Given = t.given(f.What, i, material)
			if !f.Given && !coming().Has(t.s) {
				f.Left = waitForText
			}
			return f
		}
	}
	return memory.Frame{}
}

// isOwn reports whether a clause of a message about its author begins like a sentence about him: "I play a pirate at parties".
func (t message) isOwn(c clause) bool {
	return t.tells >= surelyTells && own().Ahead(t.s[c.lo:c.hi]) > 0
}

// hasText reports whether a task in clause i is on a text. Some words ask for a change or a summary of what is
// remembered as well: 改一下地址, "summarise my life". rest begins with them.
func (t message) hasText(what, rest string, i int) bool {
	n := vague().Ahead(rest)
	if n == 0 || what == "write" || what == "translate" {
		return true
	}
	c, rest := t.clauses[i], rest[n:]
	switch {
	case textNoun().Has(rest), strings.ContainsAny(t.s[c.lo:], "\"“「『"):
		return true
	case t.tells >= surelyTells:
		return false
	case c.stop == ':' || c.stop == '：' || c.stop == '\n': // "correct this: I live in Leeds" corrects a memory
		return i+1 < len(t.clauses) && (what != "edit" || own().Ahead(t.s[t.clauses[i+1].lo:]) == 0)
	}
	return pointing().Has(rest) || coming().Has(t.s)
}

// opens returns the subject that a clause opens, at its beginning or after words that introduce a request, and the
// clause from the words that open it.
func (t message) opens(c clause, subjects []subject, not phrase.List) (what, from string) {
	t.eachStart(c, func(rest string, wished bool) bool {
		if not.Ahead(rest) > 0 {
			what = ""
			return false
		}
		for _, s := range subjects {
			if what == "" && s.list().Ahead(rest) > 0 && !(wished && (s.what == "write" || s.what == "edit")) {
				what, from = s.what, rest
			}
		}
		return true
	})
	return what, from
}

// eachStart calls fn with the clause, and with the rest after each further introduction, until fn returns false.
// wished says that the user wants to do it himself.
func (t message) eachStart(c clause, fn func(rest string, wished bool) bool) {
	wished := false
	for lo := c.lo; lo < c.hi; {
		rest := t.s[lo:c.hi]
		if !fn(t.s[lo:min(len(t.s), c.hi+colon(t.s[c.hi:]))], wished) {
			return
		}
		n := opening().Ahead(rest)
		if n == 0 {
			n = wish().Ahead(rest)
			wished = wished || n > 0
		}
		if n == 0 {
			return
		}
		lo += n
		lo += len(t.s[lo:c.hi]) - len(strings.TrimLeft(t.s[lo:c.hi], " \t\u3000"))
	}
}

// colon returns the length of the colon that s begins with, or 0. Some phrases end in one.
func colon(s string) int {
	if r, size := utf8.DecodeRuneInString(s); r == ':' || r == '：' {
		return size
	}
	return 0
}

const (
	shortRequest = 12 // words in a request that holds no text of its own
	longText     = 280
)

// given reports whether the task that opens in clause i came with its text.
func (t message) given(what string, i int, material bool) bool {
	c := t.clauses[i]
	switch {
	case coming().Has(t.s):
		return false
	case material, what == "write", what == "translate" && t.namesWords(c):
		return true
	case strings.ContainsAny(t.s[c.lo:c.hi], "\"“「『"):
		return true
	case c.stop == ':' || c.stop == '：' || c.stop == '\n':
		return i+1 < len(t.clauses)
	}
	rest := t.s[c.hi:]
	return length(t.s[c.lo:c.hi]) > shortRequest || length(rest) > shortRequest
}

// namedWords are the words to translate in the request itself: "translate bell tower into Norwegian".
var namedWords = regexp.MustCompile(`\btranslate\s+(.+?)\s+(?:in)?to\s+\p{L}+`)

// namesWords reports whether a request to translate has the words to translate in it.
func (t message) namesWords(c clause) bool {
	m := namedWords.FindStringSubmatch(t.s[c.lo:c.hi])
	return m != nil && !pointing().Has(m[1]) && !textNoun().Has(m[1]) && !somethingToCome.MatchString(m[1])
}

// somethingToCome matches an object that stands for a text in a later message.
var somethingToCome = regexp.MustCompile(`\b(some|something|a few|next|following|few|things?|texts?|words?|notes?|stuff|what)\b`)

// inPlay is the frame of a message while play is open.
func (t message) inPlay(f memory.Frame) memory.Frame {
	for i, c := range t.clauses {
		if !t.ends(c) {
			continue
		}
		if next := t.begins(i+1, false); next.Kind != "" {
			return next
		}
		f.Offset, f.Length, f.Open = 0, c.lo, false
		said := func(c clause) bool { return opening().Ahead(t.s[c.lo:c.hi]) < c.hi-c.lo }
		if !slices.ContainsFunc(t.clauses[:i], said) {
			f.Length = 0
		}
		return f
	}
	if f.Left = t.leftOfPlay(f.Left); f.Left == 0 {
		return memory.Frame{}
	}
	f.Offset, f.Length = 0, len(t.all)
	return f
}

// leftOfPlay returns how many messages plainly about their author, this one not counted, end play. Further play
// begins the count again; what says neither leaves it.
func (t message) leftOfPlay(left int) int {
	switch {
	case left == 0 || t.plays >= surelyPlays || acting().Has(t.s):
		return max(left, ownAfterRequest)
	case t.tells >= plainlyOwn:
		return left - 1
	}
	return left
}

// afterEnd is the maximum number of words after those that end play: "stop the game now, please".
const afterEnd = 4

// ends reports whether a clause ends play.
func (t message) ends(c clause) bool {
	found := false
	t.eachStart(c, func(rest string, _ bool) bool {
		n := endEN().Ahead(rest)
		found = n > 0 && length(rest[n:]) <= afterEnd
		return !found
	})
	if found {
		return c.stop != '?'
	}
	s := t.s[c.lo:c.hi]
	lo, hi, ok := endZH().Find(s)
	return ok && c.stop != '?' && c.stop != '？' && !notZH().Has(s[:lo]) && length(s[:lo]) <= afterEnd && length(s[hi:]) <= afterEnd
}

// inTask is the frame of a message while a task is open.
func (t message) inTask(before memory.Frame, material bool) memory.Frame {
	if next := t.opened(material); next.Kind != "" {
		return next
	}
	goesOn := before
	goesOn.Offset, goesOn.Length = 0, 0
	goesOn.Left--
	goesOn.Open = goesOn.Left > 0
	if len(t.clauses) == 0 { // nothing typed but material
		return goesOn
	}
	framed := goesOn
	framed.Length = len(t.all)
	switch {
	case t.starts(leaving()):
		return memory.Frame{}
	case t.starts(more()):
		return framed
	case t.starts(refining()):
		return goesOn
	case t.asks() && before.Given:
		return memory.Frame{}
	case t.asks():
		return goesOn
	case before.Given && !t.looksLikeText():
		return memory.Frame{}
	}
	return framed
}

// starts reports whether the message begins with a phrase of a list, possibly after an introduction.
func (t message) starts(l phrase.List) (found bool) {
	rest := t.s[t.clauses[0].lo:]
	if l.Ahead(rest) > 0 {
		return true
	}
	t.eachStart(t.clauses[0], func(rest string, _ bool) bool {
		found = l.Ahead(rest) > 0
		return !found
	})
	return found
}

// asks reports whether the message is a question.
func (t message) asks() bool {
	last := t.clauses[len(t.clauses)-1]
	s := t.s[last.lo:last.hi]
	return last.stop == '?' || last.stop == '？' || strings.HasSuffix(s, "吗") || strings.HasSuffix(s, "呢")
}

// looksLikeText reports whether the message is more likely a text to work on than a remark.
func (t message) looksLikeText() bool {
	s := strings.TrimSpace(t.all)
	first, _ := utf8.DecodeRuneInString(s)
	return strings.Contains(s, "\n") || len(s) > longText || strings.ContainsRune(`"“「`, first)
}
