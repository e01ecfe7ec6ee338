package plain

import (
	"errors"
	"fmt"
	"strings"

	"memoria/memory"
	"memoria/memory/manager"
	"memoria/memory/recall"
	"memoria/ui/clean"
)

const (
	// maxListed bounds a list, page by page.
	maxListed = 1000
	// minID is the shortest word that is taken for a part of an id before it is
	// looked for as a word.
	minID = 8
)

// memories lists what is remembered.
func (s *session) memories(words string) {
	page, err := s.o.Manager.Items(s.ctx, s.agent, manager.ItemFilter{Text: words, Limit: maxListed})
	if err != nil {
		s.tell(err)
		return
	}
	s.shown.items, s.shown.held = page.Items, nil
	switch {
	case page.Total > 0:
		s.listItems(page.Items, page.Total, "/show, /why, /edit or /delete and a number")
	case words != "":
		s.say("no memory has these words")
	case len(s.o.Chat.Members()) > 0:
		s.say("a group remembers nothing itself: /agent and a member's name shows what that one remembers")
	default:
		s.say(`nothing is remembered yet; say "My name is …", "I prefer …", 记住… or 我喜欢…, or /add TEXT`)
	}
}

func (s *session) listItems(items []memory.Item, total int, then string) {
	rows := make([]string, len(items))
	for i, it := range items {
		rows[i] = s.itemRow(it)
	}
	s.pages(rows, total, "memory", "memories", then)
}

func (s *session) itemRow(it memory.Item) string {
	row := fmt.Sprintf("%s, %s: %s", readable(it.Type), ago(s.o.Now(), it.CreatedAt), content(it))
	if c := condition(it); c != "" {
		row += " (" + c + ")"
	}
	return row
}

// withItem finds the memory that is named by a number of the last list, by its
// id or by words. When several fit it lists them.
func (s *session) withItem(command, name string, do func(memory.Item)) {
	if i, ok := number(name); ok {
		switch {
		case len(s.shown.items) == 0:
			s.say("error: no list has been said; /memories says one")
		case i < 0 || i >= len(s.shown.items):
			s.say("error: the last list has the numbers 1 to %d", len(s.shown.items))
		default:
			s.current(s.shown.items[i].ID, do)
		}
		return
	}
	if len(name) >= minID && !strings.ContainsAny(name, " \n") {
		if it, err := s.o.Manager.Item(s.ctx, s.agent, name); err == nil {
			do(it)
			return
		}
	}
	page, err := s.o.Manager.Items(s.ctx, s.agent, manager.ItemFilter{Text: name, Limit: maxListed, All: true})
	switch {
	case err != nil:
		s.tell(err)
	case page.Total == 0:
		s.say("no memory has these words")
	case page.Total == 1:
		do(page.Items[0])
	default:
		s.shown.items, s.shown.held = page.Items, nil
		s.listItems(page.Items, page.Total, "/"+command+" NUMBER says which")
	}
}

// current reads a memory as it is by now.
func (s *session) current(id string, do func(memory.Item)) {
	it, err := s.o.Manager.Item(s.ctx, s.agent, id)
	if err != nil {
		s.tell(err)
		return
	}
	do(it)
}

// show says everything about a memory (L1).
func (s *session) show(it memory.Item) {
	s.say("%s: %s", readable(it.Type), it.Content)
	line := func(name, value string) {
		if value = clean.Line(value); value != "" {
			s.say("%s: %s", name, value)
		}
	}
	line("state", condition(it))
	line("title", it.Title)
	line("key", it.Key)
	if v := string(it.Value); v != "null" {
		line("value", v)
	}
	line("tags", strings.Join(it.Tags, ", "))
	line("sure", fmt.Sprintf("%.2f of 1, importance %.2f", it.Confidence, it.Importance))
	line("from", fmt.Sprintf("%s, by %s, trust %s", readable(it.Source), readable(it.Origin), it.Trust))
	line("made", when(it.CreatedAt))
	if !it.UpdatedAt.Equal(it.CreatedAt) {
		line("changed", when(it.UpdatedAt))
	}
	used := "never sent to a model"
	if it.AccessCount > 0 {
		used = fmt.Sprintf("sent %s, last %s", many(it.AccessCount, "time", "times"), when(it.LastAccessed))
	}
	line("used", used)
	if !it.ValidTo.IsZero() {
		line("valid until", when(it.ValidTo))
	}
	line("replaces", it.Supersedes)
	line("replaced by", it.SupersededBy)
	for _, k := range sorted(it.Metadata) {
		line(clean.Line(k), it.Metadata[k])
	}
	line("id", it.ID)
	s.shown.items, s.shown.held = []memory.Item{it}, nil
	s.say("/why 1 says where it comes from, /edit 1 changes it, /delete 1 deletes it")
}

// why says the words that a memory came from, and its history (D3, A4).
func (s *session) why(it memory.Item) {
	s.say("%s: %s", readable(it.Type), content(it))
	if len(it.Evidence) == 0 {
		s.say("it comes from no message: it was written by hand or came with an import")
	}
	for _, ev := range it.Evidence {
		if err := s.quote(ev); err != nil {
			s.tell(err)
			return
		}
	}
	history, err := s.o.Manager.History(s.ctx, s.agent, it.ID)
	if err != nil {
		s.tell(err)
		return
	}
	for _, c := range history {
		what, why := c.Words()
		line := fmt.Sprintf("%s, %s, by %s", when(c.Time), clean.Line(what), readable(c.Origin))
		if why != "" {
			line += ": " + clean.Line(why)
		}
		s.say("%s", line)
	}
}

// quote says the words that evidence points to, and the message around them.
func (s *session) quote(ev memory.Evidence) error {
	r, err := s.o.Manager.Record(s.ctx, s.agent, ev.RecordID)
	if errors.Is(err, manager.ErrNotFound) {
		s.say("the message that it came from was deleted")
		return nil
	} else if err != nil {
		return err
	}
	in := ""
	if session, err := s.o.Manager.Session(s.ctx, s.agent, r.SessionID); err == nil {
		in = ", in “" + title(session) + "”"
	}
	words := clean.Line(recall.Quoted(r, ev))
	s.say("said %s%s: %s", when(r.Timestamp), in, words)
	if whole := clean.Line(r.Content); whole != words {
		s.say("the whole message: %s", r.Content)
	}
	return nil
}

func (s *session) add(text string) {
	it, err := s.o.Manager.AddItem(s.ctx, s.agent, memory.Item{Content: text})
	if err != nil {
		s.tell(err)
		return
	}
	s.say("Remembered: %s", content(it))
}

// edit asks for what a memory should say, its type and its tags; an empty line
// leaves each as it is.
func (s *session) edit(it memory.Item) {
	const drop = "nothing was changed"
	s.say("it says: %s", content(it))
	s.say("Enter alone leaves each as it is; Ctrl+C changes nothing")
	s.asked = &question{prompt: "new text: ", drop: drop, answer: func(text string) {
		s.askType(it, drop, func(kind string) {
			s.asked = &question{prompt: "tags, now " + tagWords(it.Tags) + ": ", drop: drop, answer: func(tags string) {
				s.save(it, strings.TrimSpace(text), kind, strings.TrimSpace(tags))
			}}
		})
	}}
}

// askType asks until it gets a type, or nothing.
func (s *session) askType(it memory.Item, drop string, then func(kind string)) {
	s.asked = &question{prompt: "type, now " + readable(it.Type) + ": ", drop: drop, answer: func(kind string) {
		if kind = strings.ToLower(strings.TrimSpace(kind)); kind == "" || memory.Type(kind).Valid() {
			then(kind)
			return
		}
		names := make([]string, 0, len(memory.Types()))
		for _, t := range memory.Types() {
			names = append(names, string(t))
		}
		s.say("the types are %s", strings.Join(names, ", "))
		s.askType(it, drop, then)
	}}
}

func tagWords(tags []string) string {
	if len(tags) == 0 {
		return "none"
	}
	return clean.Line(strings.Join(tags, ", "))
}

func (s *session) save(it memory.Item, text, kind, tags string) {
	if text == "" && kind == "" && tags == "" {
		s.say("nothing was changed")
		return
	}
	out, err := s.o.Manager.EditItem(s.ctx, s.agent, it.ID, func(it *memory.Item) {
		if text != "" {
			it.Content = text
		}
		if kind != "" {
			it.Type = memory.Type(kind)
		}
		switch {
		case tags == "none":
			it.Tags = nil
		case tags != "":
			it.Tags = split(tags)
		}
	})
	if err != nil {
		s.tell(err)
		return
	}
	s.say("changed: %s, %s, tags %s", content(out), readable(out.Type), tagWords(out.Tags))
}

// split parts tags at commas, Chinese ones too.
func split(tags string) (out []string) {
	for _, t := range strings.FieldsFunc(tags, func(r rune) bool { return r == ',' || r == '，' || r == '、' }) {
		if t = strings.TrimSpace(t); t != "" {
			out = append(out, t)
		}
	}
	return out
}

// delete asks, and deletes (D2).
func (s *session) delete(it memory.Item) {
	s.confirm("delete for good: "+content(it), func() {
		d, err := s.o.Manager.DeleteItems(s.ctx, s.agent, it.ID)
		s.removed(d, err, content(it))
	})
}

// confirm asks whether to do what cannot be undone for ever.
func (s *session) confirm(what string, do func()) {
	const drop = "nothing was deleted"
	s.say("%s", what)
	s.asked = &question{prompt: "yes or no: ", drop: drop, answer: func(line string) {
		if !yes(line) {
			s.say(drop)
			return
		}
		do()
	}}
}

func yes(line string) bool {
	switch strings.ToLower(strings.TrimSpace(line)) {
	case "y", "yes", "是", "是的", "对", "好":
		return true
	}
	return false
}

func (s *session) removed(d manager.Deletion, err error, what string) {
	if err != nil {
		s.tell(err)
		return
	}
	s.deletion, s.deleted = d, what
	s.say("deleted, /undo takes it back for %s: %s", s.offered(d.Until), what)
}
