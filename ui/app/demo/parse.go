package demo

import (
	"embed"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"

	"memoria/index/text"
	"memoria/memory"
	"memoria/ui/config"
)

//go:embed history/*/*.md
var history embed.FS

// usualPause is how long the person reads and writes where the text names no
// pause.
const usualPause = 90 * time.Second

// longestPause keeps the messages of a file in one session (S1).
const longestPause = 25 * time.Minute

// session is one file of the history.
type session struct {
	name  string // of the file
	at    moment
	model string
	turns []turn
}

// moment is a time before now: minutes before it, or days and a time of day.
type moment struct {
	minutes      int
	days         int
	hour, minute int
}

// before returns the moment as a time, in the zone of now.
func (m moment) before(now time.Time) time.Time {
	if m.minutes > 0 {
		return now.Add(-time.Duration(m.minutes) * time.Minute)
	}
	d := now.AddDate(0, 0, -m.days)
	return time.Date(d.Year(), d.Month(), d.Day(), m.hour, m.minute, 0, 0, now.Location())
}

// turn is a message with its answer and what the person did after it.
type turn struct {
	pause  time.Duration // before the message
	said   string
	answer string
	cut    bool // the answer breaks off
	acts   []act
}

// act is something the person does to the memory.
type act struct {
	verb  string      // add, accept, edit, tag or forget
	kind  memory.Type // add
	tags  []string    // add, tag
	words string      // the words of the memory that is meant; none for add
	text  string      // add, edit
}

// load reads the whole history in a language, oldest session first.
func load(files fs.FS, l config.Language) ([]session, error) {
	if l != config.LanguageChinese {
		l = config.LanguageEnglish
	}
	names, err := fs.Glob(files, "history/"+string(l)+"/*.md")
	if err != nil {
		return nil, err
	}
	slices.Sort(names)
	var out []session
	for _, name := range names {
		b, err := fs.ReadFile(files, name)
		if err != nil {
			return nil, err
		}
		s, err := parse(path.Base(name), string(b))
		if err != nil {
			return nil, err
		}
		out = append(out, s)
	}
	return out, nil
}

// parser reads one file.
type parser struct {
	s     session
	line  int
	block string   // you, memoria, hand, or "" in the header
	text  []string // the lines of the block
}

func parse(name, text string) (session, error) {
	p := &parser{s: session{name: name}}
	for line := range strings.Lines(text) {
		p.line++
		if err := p.read(strings.TrimRight(line, "\r\n")); err != nil {
			return session{}, fmt.Errorf("%s:%d: %w", name, p.line, err)
		}
	}
	if err := p.end(); err != nil {
		return session{}, fmt.Errorf("%s:%d: %w", name, p.line, err)
	}
	return p.s, nil
}

func (p *parser) read(line string) error {
	rest, begins := strings.CutPrefix(line, "@")
	switch {
	case begins:
		if err := p.close(); err != nil {
			return err
		}
		return p.begin(strings.Fields(rest))
	case p.block == "hand" && strings.TrimSpace(line) != "":
		a, err := parseAct(strings.TrimSpace(line))
		t := &p.s.turns[len(p.s.turns)-1]
		t.acts = append(t.acts, a)
		p.text = append(p.text, line)
		return err
	case p.block != "":
		p.text = append(p.text, line)
		return nil
	case strings.TrimSpace(line) == "":
		return nil
	}
	key, value, _ := strings.Cut(line, ":")
	return p.header(key, strings.TrimSpace(value))
}

var (
	daysBefore    = text.LazyRegexp(`^([1-9][0-9]?) days before, ([01][0-9]|2[0-3]):([0-5][0-9])$`)
	minutesBefore = text.LazyRegexp(`^([1-9][0-9]?) minutes before$`)
	modelName     = text.LazyRegexp(`^[a-z0-9][a-z0-9.-]*$`)
)

func (p *parser) header(key, value string) error {
	switch {
	case key == "when" && p.s.at == moment{}:
		if g := minutesBefore().FindStringSubmatch(value); g != nil {
			p.s.at.minutes = number(g[1])
			return nil
		}
		g := daysBefore().FindStringSubmatch(value)
		if g == nil {
			return fmt.Errorf("when is %q; it is like \"12 days before, 19:40\" or \"30 minutes before\"", value)
		}
		p.s.at = moment{days: number(g[1]), hour: number(g[2]), minute: number(g[3])}
		return nil
	case key == "model" && p.s.model == "":
		if p.s.model = value; !modelName().MatchString(value) {
			return fmt.Errorf("model is %q", value)
		}
		return nil
	}
	return fmt.Errorf("%q is no header, or there twice", key)
}

// number reads digits that an expression has admitted.
func number(digits string) int {
	n, err := strconv.Atoi(digits)
	if err != nil {
		panic("demo: " + err.Error())
	}
	return n
}

// begin begins a block; args is what stands behind the @.
func (p *parser) begin(args []string) error {
	switch {
	case p.s.at == moment{} || p.s.model == "":
		return fmt.Errorf("the header needs when and model")
	case len(args) == 0:
		return fmt.Errorf("a block is @you, @memoria or @hand")
	}
	last := p.block
	p.block, p.text = args[0], nil
	switch {
	case p.block == "you" && (last == "" || last == "memoria" || last == "hand"):
		t := turn{pause: usualPause}
		if len(args) > 1 {
			d, err := time.ParseDuration(strings.TrimPrefix(args[1], "+"))
			if err != nil || len(args) > 2 || !strings.HasPrefix(args[1], "+") || d <= 0 || d > longestPause {
				return fmt.Errorf("@you has a pause like +7m, up to %s", longestPause)
			}
			t.pause = d
		}
		p.s.turns = append(p.s.turns, t)
		return nil
	case p.block == "memoria" && last == "you":
		if len(args) > 2 || len(args) == 2 && args[1] != "cut" {
			return fmt.Errorf("@memoria takes nothing but cut")
		}
		p.s.turns[len(p.s.turns)-1].cut = len(args) == 2
		return nil
	case p.block == "hand" && last == "memoria" && len(args) == 1:
		return nil
	}
	return fmt.Errorf("@%s cannot stand here", strings.Join(args, " "))
}

// close takes over the block that ends.
func (p *parser) close() error {
	if p.block == "" {
		return nil
	}
	text := strings.Trim(strings.Join(p.text, "\n"), "\n")
	if strings.TrimSpace(text) == "" {
		return fmt.Errorf("@%s says nothing", p.block)
	}
	t := &p.s.turns[len(p.s.turns)-1]
	switch p.block {
	case "you":
		t.said = text
	case "memoria":
		t.answer = text
	}
	return nil
}

func (p *parser) end() error {
	switch p.block {
	case "":
		return fmt.Errorf("nobody says anything")
	case "you":
		return fmt.Errorf("the last message has no answer")
	}
	return p.close()
}

var addition = text.LazyRegexp(`^([a-z]+) (?:\[([^\]]+)\] )?(.+)$`)

func parseAct(line string) (act, error) {
	verb, rest, _ := strings.Cut(line, " ")
	a := act{verb: verb, words: rest}
	before, after, arrow := strings.Cut(rest, " => ")
	switch {
	case rest == "":
	case verb == "add":
		g := addition().FindStringSubmatch(rest)
		if g == nil || !memory.Type(g[1]).Valid() {
			return a, fmt.Errorf("add needs a type and a text: %q", rest)
		}
		return act{verb: verb, kind: memory.Type(g[1]), tags: list(g[2]), text: g[3]}, nil
	case verb == "edit" && arrow:
		a.words, a.text = before, after
		return a, nil
	case verb == "tag" && arrow:
		a.words, a.tags = before, list(after)
		return a, nil
	case (verb == "accept" || verb == "forget") && !arrow:
		return a, nil
	}
	return a, fmt.Errorf("%q is nothing that a hand can do", line)
}

// list splits at commas; an empty text is no list.
func list(s string) []string {
	var out []string
	for part := range strings.SplitSeq(s, ",") {
		if part = strings.TrimSpace(part); part != "" {
			out = append(out, part)
		}
	}
	return out
}
