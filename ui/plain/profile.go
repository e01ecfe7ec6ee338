package plain

import (
	"slices"
	"strconv"
	"strings"

	"memoria/memory"
	"memoria/memory/manager"
	"memoria/memory/profile"
	"memoria/ui/clean"
)

// profileVersions is how many versions the history says at most.
const profileVersions = 50

// profile says the profile, or does something with it: the number of a line changes
// that line.
func (s *session) profile(what string) {
	p, err := s.o.Memory.Profile(s.ctx, s.agent)
	if err != nil {
		s.tell(err)
		return
	}
	i, ok := number(what)
	switch word := strings.ToLower(what); {
	case what == "":
		s.sayProfile(p)
	case word == "undo" || what == "撤销":
		s.undoProfile()
	case word == "history" || what == "历史":
		s.profileHistory()
	case word == "add" || word == "edit" || what == "添加":
		s.addToProfile(p)
	case !ok:
		s.say("error: /profile says the page; a number changes that line; add, history and undo are what else there is")
	case i < 0 || i >= len(written(p)):
		s.say("error: the profile has the numbers 1 to %d", len(written(p)))
	default:
		s.editProfileLine(p, i)
	}
}

// written are the places of those lines of the document that say something.
func written(p manager.Profile) (at []int) {
	for i, l := range p.Shown() {
		if l.Text != "" {
			at = append(at, i)
		}
	}
	return at
}

func (s *session) sayProfile(p manager.Profile) {
	lines := written(p)
	if len(lines) == 0 {
		s.say("nothing stands in your profile yet; how you want to be answered, your languages and who you are come here when you say them; /profile add writes a line of your own")
	}
	section := memory.SectionNone
	for i, at := range lines {
		l := p.Shown()[at]
		if l.Section != section {
			section = l.Section
			s.say("%s:", section)
		}
		from := "yours"
		if l.Derived() {
			from = "follows memory " + l.ItemID[max(0, len(l.ItemID)-minID):]
		}
		s.say("%d. %s (%s)", i+1, clean.Line(profile.Said(l.Text)), from)
	}
	if len(lines) > 0 {
		s.say("about %d tokens, it stays under %d; version %d; /profile and a number changes a line; /profile add, /profile history, /profile undo", p.Tokens, p.Limit, p.Version)
	}
	if p.Waiting > 0 {
		s.say("%s no room, or say the same as you", many(p.Waiting, "more line has", "more lines have"))
	}
	if !p.Sent {
		s.say("it is not sent to the model: enable_user_profile is off")
	}
}

func (s *session) undoProfile() {
	v, err := s.o.Memory.UndoProfile(s.ctx, s.agent, 0)
	if err != nil {
		s.tell(err)
		return
	}
	s.say("taken back: version %d of the profile", v.Undoes)
	s.sayDiff(v.Diff)
}

// sayDiff says what was changed; signs alone may not be heard.
func (s *session) sayDiff(diff []profile.Difference) {
	for _, d := range diff {
		what := "out: "
		if d.Added {
			what = "in: "
		}
		s.say("%s%s", what, clean.Line(d.String()[2:]))
	}
}

func (s *session) profileHistory() {
	h, err := s.o.Memory.ProfileHistory(s.ctx, s.agent, profileVersions, 0)
	if err != nil {
		s.tell(err)
		return
	}
	for _, v := range h.Versions {
		undone := ""
		if v.Undone {
			undone = ", undone"
		}
		s.say("version %d, %s: %s%s", v.Version, when(v.Time), clean.Line(v.Words()), undone)
		s.sayDiff(v.Diff)
	}
	s.say("%s in all", many(h.Total, "version", "versions"))
}

// editProfileLine asks what a line should say.
func (s *session) editProfileLine(p manager.Profile, i int) {
	const drop = "nothing was changed"
	lines, at := p.Shown(), written(p)[i]
	s.say("it says: %s", clean.Line(profile.Said(lines[at].Text)))
	s.say("a minus alone takes the line out; Enter alone leaves it")
	s.asked = &question{prompt: "new text: ", drop: drop, answer: func(text string) {
		switch text = strings.TrimSpace(text); text {
		case "":
			s.say(drop)
			return
		case "-", "－":
			lines = slices.Delete(lines, at, at+1)
		default:
			lines[at] = memory.ProfileLine{Section: lines[at].Section, Text: "- " + profile.Said(text)}
		}
		s.saveProfile(p, lines)
	}}
}

// addToProfile asks for a section and a line.
func (s *session) addToProfile(p manager.Profile) {
	const drop = "nothing was added"
	for i, section := range memory.Sections() {
		s.say("%d. %s", i+1, section)
	}
	s.asked = &question{prompt: "section, 1 to " + strconv.Itoa(len(memory.Sections())) + ": ", drop: drop, answer: func(n string) {
		i, ok := number(strings.TrimSpace(n))
		if !ok || i < 0 || i >= len(memory.Sections()) {
			s.say(drop)
			return
		}
		s.asked = &question{prompt: "the line: ", drop: drop, answer: func(text string) {
			if strings.TrimSpace(text) == "" {
				s.say(drop)
				return
			}
			s.saveProfile(p, append(p.Shown(), memory.ProfileLine{Section: memory.Sections()[i], Text: "- " + profile.Said(text)}))
		}}
	}}
}

func (s *session) saveProfile(p manager.Profile, lines []memory.ProfileLine) {
	now, err := s.o.Memory.SetProfile(s.ctx, s.agent, p.Version, profile.Markdown(lines))
	if err != nil {
		s.tell(err)
		return
	}
	s.say("saved as version %d of the profile", now.Version)
	s.sayDiff(profile.Diff(p.Profile, now.Profile))
}
