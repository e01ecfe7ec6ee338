package term

import (
	"fmt"
	"hash/fnv"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"
	"unicode"

	tea "charm.land/bubbletea/v2"

	"memoria/memory"
	"memoria/ui/actions"
	"memoria/ui/clean"
	"memoria/ui/term/pane"
	"memoria/ui/words"
)

// pace is how somebody types.
type pace int

const (
	slowly pace = iota // 150 ms between keys
	atOnce             // no time between keys, as a fast typist, a macro, or an input method
	pasted             // the terminal says that it is a paste
	paces
)

func (p pace) String() string { return [...]string{"150 ms", "0 ms", "pasted"}[p] }

// typing is one case: sentences that are typed at a place, one after the other, each with
// Enter at its end.
type typing struct {
	at        place
	sentences []string
	pace      pace
	width     int
	height    int
}

func (c typing) String() string {
	return fmt.Sprintf("%s · %s · %d×%d · %q", c.at.name, c.pace, c.width, c.height, c.sentences)
}

// fault is what went wrong in a case: its kind, and what it was in this case.
type fault struct {
	kind, what string
	letter     string // of the kinds that are about one
	texting    bool   // a text field had the keyboard when the sentence began
}

// known is a fault that is not repaired yet. The list, and the number of cases that it
// excuses, may only shrink. A change of stored data, a lost draft and a written file are
// never excused.
type known struct {
	kinds   string
	rooms   string // separated by spaces; "" for all
	letters string // "" for any
	why     string
}

var knownFaults = []known{
	{kinds: gone + hidden, letters: "?？", why: "opens the help, which the last line names by F1 alone"},
	{kinds: gone + hidden, letters: "jkgG", why: "move the cursor; only the help names them"},
	{kinds: gone + split, rooms: "too", why: "in a terminal that is too small no key is taken but ctrl+c"},
	{
		kinds: gone + hidden, letters: "aefhmnortuxyDRU1234",
		why: "keys of panes and of the conversation that work although the screen does not name them: " +
			"there is no room, it is a second name, or only the help has it",
	},
}

// excused is the number of the known fault that a fault is, or -1.
func (f fault) excused(room string) int {
	return slices.IndexFunc(knownFaults, func(k known) bool {
		return strings.Contains(k.kinds, f.kind) && (!f.texting || k.rooms == "too") &&
			(k.rooms == "" || slices.Contains(strings.Fields(k.rooms), room)) &&
			(k.letters == "" || f.letter != "" && strings.Contains(k.letters, f.letter))
	})
}

// excusedCases is how many cases of the run without variables have known faults alone.
const excusedCases = 6

// The kinds of faults.
const (
	changed = "changed" // something that is stored is not as it was, and no message did that
	gone    = "lost"    // a letter is nowhere, and meant nothing
	hidden  = "unshown" // a letter did something that the screen does not name
	split   = "split"   // a part of a text that came at once is not in the text
	drafted = "draft"   // what had been typed before is gone
	ended   = "quit"    // the program ended
	written = "file"    // a file was written
	unsent  = "unsent"  // letters were in the input, and then nowhere
	dropped = "dropped" // a sentence was in a search, and nowhere after Esc
)

var sizes = [][2]int{{140, 40}, {80, 24}, {100, 30}, {60, 15}}

// perform types a case and returns its faults.
func (p *typist) perform(c typing) (faults []fault) {
	p.t.Helper()
	p.send(tea.WindowSizeMsg{Width: 140, Height: 40})
	if !c.at.guided { // esc would end the guide
		p.home()
	}
	if c.at.pane != nil {
		p.reset(*c.at.pane)
	}
	p.words(c.at.draft)
	if c.at.pane != nil {
		p.open(*c.at.pane)
		p.key(tea.KeyHome)
	}
	c.at.enter(p)
	if c.at.see != "" && !strings.Contains(p.frame(), c.at.see) {
		p.t.Fatalf("%s: %q is not on the screen\n%s", c.at.name, c.at.see, p.frame())
	}
	p.send(tea.WindowSizeMsg{Width: c.width, Height: c.height})
	p.pass(300 * time.Millisecond)
	p.began = p.frame()
	before, draft := p.kept(), p.input()
	if !strings.Contains(draft, c.at.draft) || c.at.brings && draft == "" {
		p.t.Fatalf("%s: the draft is %q\n%s", c.at.name, draft, p.frame())
	}
	add := func(kind, what string, args ...any) {
		faults = append(faults, fault{kind: kind, what: fmt.Sprintf(what, args...)})
	}
	var meant strings.Builder // what must be in the input or in a message at the end
	if !strings.HasPrefix(draft, "/") {
		meant.WriteString(draft)
	}
	commanded := false
	for _, sentence := range c.sentences {
		texting, first := p.texting(), len(faults)
		switch c.pace {
		case slowly:
			inputBefore := p.input()
			faults = append(faults, p.slowly(sentence)...)
			if now := p.input(); strings.HasPrefix(now, inputBefore) && !isCommand(now) {
				meant.WriteString(now[len(inputBefore):])
			}
		case atOnce:
			was := p.fields()
			keys := shown(p.frame())
			for _, l := range letters(sentence) {
				p.send(keyFor(l))
			}
			p.settle()
			rest := visible(sentence)
			if first := letters(rest); len(first) > 0 && (isCommand(first[0]) || len(first) == 1 && keys[first[0]]) {
				rest = strings.TrimPrefix(rest, first[0]) // it searches, or is alone
			}
			switch got := visible(landed(was, p.fields())); {
			case strings.Contains(got, rest), p.reopened(sentence):
			case len(letters(rest)) == 1:
				faults = append(faults, fault{kind: hidden, what: fmt.Sprintf("%q alone", rest), letter: rest})
			default:
				add(split, "of %q there is %q", rest, got)
			}
		case pasted:
			was := p.fields()
			p.send(tea.PasteMsg{Content: sentence})
			p.settle()
			if text := visible(sentence); !strings.Contains(visible(landed(was, p.fields())), text) {
				add(split, "pasted %q is not in a text but %q", sentence, landed(was, p.fields()))
			}
		}
		for i := first; i < len(faults); i++ {
			faults[i].texting = texting
		}
		commanded = commanded || p.root.focus == onInput && obeyed(p.input())
		p.send(tea.KeyPressMsg{Code: tea.KeyEnter})
		p.pass(150 * time.Millisecond)
	}
	p.release()
	p.rest()
	now := p.kept()
	if !commanded { // else it did what it says
		for _, d := range damage(p.t, before, now, c.at.aside) {
			add(changed, "%s", d)
		}
	}
	if p.left && !commanded {
		add(ended, "the program ended")
	}
	p.left = false
	said := ""
	for _, r := range newlySaid(p.t, before, now) {
		said += r.Content + "\n"
	}
	said += p.input()
	if d := visible(draft); d != "" && !c.at.unkept && !isCommand(draft) && !strings.Contains(visible(said), d) {
		add(drafted, "the draft %q is gone; said is %q", draft, said)
	}
	if m := visible(meant.String()); c.pace == slowly && !c.at.unkept && !commanded && !contains(visible(said), m) {
		add(unsent, "%q was in the input; said is %q", meant.String(), said)
	}
	if s := p.root.typed.search(); s.Text != "" && (!s.Found || s.IsSentence()) && p.root.screen.Mode != 0 {
		p.key(tea.KeyEscape)
		left := p.root.typed.search().Text
		if !strings.Contains(p.input(), s.Text) && left != s.Text { // it can be put there
			p.root.overlay = noOverlay
			p.root.setFocus(onInput)
			p.ctrl('y')
		}
		if !strings.Contains(p.input(), s.Text) && left != s.Text {
			add(dropped, "%q was searched; the input has %q", s.Text, p.input())
		}
	}
	if p.folder != "" {
		files, err := os.ReadDir(p.folder)
		must(p.t, err)
		for _, f := range files {
			add(written, "%s", f.Name())
			must(p.t, os.Remove(filepath.Join(p.folder, f.Name())))
		}
	}
	return faults
}

// texting reports whether a text field has the keyboard.
func (p *typist) texting() bool {
	switch m := p.root; {
	case m.overlay != noOverlay:
		return true // the search of the help, or the filter of the palette
	case m.focus == onPanel:
		return m.current().About().Capturing
	default:
		return m.focus == onInput && m.screen.Mode != 0
	}
}

// reopened reports whether a sentence was one letter, again and again, that opened a question, which
// is open: a key that is pressed twice or held. A slash alone says that a view has no filter.
func (p *typist) reopened(sentence string) bool {
	all := letters(visible(sentence))
	if len(all) == 1 && isCommand(all[0]) && strings.Contains(p.frame(), "This view has no filter.") {
		return true
	}
	return len(all) > 1 && strings.Trim(visible(sentence), all[0]) == "" && p.root.typed.asking() && p.root.typed.opener == all[0]
}

// release ends an answer that waits.
func (p *typist) release() {
	if p.held != nil {
		close(p.held)
		p.held = nil
	}
}

// slowly types a sentence with 150 ms between keys, and looks for each letter.
func (p *typist) slowly(sentence string) (faults []fault) {
	p.t.Helper()
	type pressed struct {
		letter       string
		named, moved bool // by the screen, the screen
	}
	var all []pressed
	was := p.fields()
	for _, l := range letters(sentence) {
		frame := p.frame()
		named := shown(frame)[l]
		p.send(keyFor(l))
		p.pass(150 * time.Millisecond)
		all = append(all, pressed{l, named, p.frame() != frame})
	}
	if p.reopened(sentence) {
		return nil
	}
	rest, count := visible(landed(was, p.fields())), 0
	for i, one := range all {
		l := visible(one.letter)
		if l == "" {
			continue
		}
		count++
		if i == 0 && one.named && isCommand(l) { // it searches
			continue
		}
		if at := strings.Index(rest, l); at >= 0 {
			rest = rest[at+len(l):]
			continue
		}
		kind := gone
		switch {
		case one.named && len(visible(sentence)) == len(l):
			continue
		case count > 1 && strings.Trim(visible(sentence), l) != "":
			kind = split
		case one.moved:
			kind = hidden
		}
		faults = append(faults, fault{kind: kind, what: fmt.Sprintf("letter %d, %q, of %q", i, l, sentence), letter: l})
		if len(faults) == 3 { // enough to tell
			return faults
		}
	}
	return faults
}

// obeyed reports whether Enter obeys a text in the input.
func obeyed(text string) bool {
	_, err := actions.Screen.Parse(text)
	return isSlash(text) || isCommand(text) && err == nil
}

// isCommand reports whether a text in the input is a command or the beginning of one.
func isCommand(text string) bool {
	return strings.HasPrefix(text, "/") || strings.HasPrefix(text, "／")
}

// visible is a text without white space, and without what the input does not take.
func visible(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) || !unicode.IsGraphic(r) {
			return -1
		}
		return r
	}, clean.Typed(text))
}

// contains reports whether the letters of part are in text in their order.
func contains(text, part string) bool {
	rest := []rune(text)
	for _, r := range part {
		i := slices.Index(rest, r)
		if i < 0 {
			return false
		}
		rest = rest[i+1:]
	}
	return true
}

// landed is what the text fields have more than before, each on a line.
func landed(was, is map[string]string) string {
	var out []string
	for _, path := range slices.Sorted(maps.Keys(is)) {
		if before, text := was[path], is[path]; text != before {
			out = append(out, strings.TrimPrefix(text, before))
		}
	}
	return strings.Join(out, "\n")
}

// shown are the printable keys that the screen names: those of the foot of the pane and
// of the last line.
func shown(frame string) map[string]bool {
	keys := map[string]bool{}
	lines := strings.Split(frame, "\n")
	for i, line := range lines {
		parts := strings.FieldsFunc(line, func(r rune) bool { return r == '│' || r == '┤' })
		if len(parts) == 0 {
			continue
		}
		part := parts[len(parts)-1]
		if strings.Contains(part, "other key") || strings.Contains(part, "ctrl+y yes") {
			keys["n"], keys["N"], keys["y"], keys["Y"] = true, true, true, true // alone
		}
		if i < len(lines)-12 {
			continue
		}
		for _, hint := range strings.Split(strings.ReplaceAll(part, "  ", " · "), " · ") {
			name, desc, _ := strings.Cut(strings.TrimSpace(hint), " ")
			if desc == "" {
				continue
			}
			for _, n := range strings.Split(name, "/") {
				if len([]rune(n)) == 1 {
					keys[n] = true
				}
			}
			if name == "/" {
				keys["/"], keys["／"] = true, true
			}
			if lo, hi, ok := strings.Cut(name, "–"); ok && len(lo) == 1 && len(hi) == 1 {
				for c := lo[0]; c <= hi[0]; c++ {
					keys[string(c)] = true
				}
			}
		}
		if strings.Contains(part, " ↑/↓ choose") {
			addMenu(keys, lines[:i])
		}
	}
	return keys
}

var menuRow = regexp.MustCompile(`(?:^|[│┤]) [▸ ] (?:(\S)|\S+| +) +\S[^│]*$`)

// addMenu adds the keys of the menu that ends with the last line.
func addMenu(keys map[string]bool, lines []string) {
	for _, line := range slices.Backward(lines) {
		found := menuRow.FindStringSubmatch(line)
		if found == nil {
			return
		}
		if name := found[1]; name == "/" {
			keys["/"], keys["／"] = true, true
		} else if name != "" {
			keys[name] = true
		}
	}
}

// folders are what all cases begin with: of somebody with memories, of somebody new, and of
// somebody new whom the guide leads.
type folders struct{ filled, empty, guided string }

// of is the folder of a place.
func (f folders) of(at place) string {
	switch {
	case at.guided:
		return f.guided
	case at.empty:
		return f.empty
	}
	return f.filled
}

func (f folders) remove() {
	for _, dir := range []string{f.filled, f.empty, f.guided} {
		_ = os.RemoveAll(dir)
	}
}

func typistHomes(t *testing.T) folders {
	t.Helper()
	out := folders{filled: typistHome(t, true), empty: typistHome(t, false), guided: t.TempDir()}
	must(t, os.CopyFS(out.guided, os.DirFS(out.empty)))
	must(t, os.Mkdir(filepath.Join(out.guided, "state"), 0o700))
	return out
}

// typistHome makes the folder of somebody with memories, or of somebody new.
func typistHome(t *testing.T, filled bool) string {
	t.Helper()
	home := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		p := typistIn(t, home, 140, 40)
		ctx := t.Context()
		if filled {
			for _, a := range []memory.Agent{{ID: "nova", Name: "Nova"}, {ID: "sol", Name: "Sol"}} {
				_, err := p.w.conversations.AddAgent(ctx, a)
				must(t, err)
			}
			_, err := p.w.manager.AddGroup(ctx, memory.Group{ID: "duo", Name: "Duo", Members: []string{"nova", "sol"}})
			must(t, err)
			p.fill()
			_, err = p.w.manager.EditWorking(ctx, "luna", p.w.chat.Session().ID, func(w *memory.Working) {
				w.CurrentTopic, w.ContextVariables = "pottery", map[string]string{"oven": "big", "clay": "white"}
			})
			must(t, err)
		}
		p.close()
	})
	return home
}

// repaired are cases that failed once. They are typed in every run.
var repaired = []struct {
	place     string
	pace      pace
	sentences []string
}{
	// These undid a turn and forked a session, or deleted a session with its memories.
	{"talk, after /find", slowly, []string{"Unfortunately Rui left", "da quick box jumps, very lazy AGENTS wither? n m y x"}},
	{"delete this session?", slowly, []string{"Yes, my dear", "d y x D"}},
	{"sessions, delete?", slowly, []string{"x", "我昨天 and y 她都走了 a"}},
	{"all, delete several?", atOnce, []string{"y", "yes"}},
	// This undid a turn.
	{"palette", slowly, []string{"/", "／"}},
	// These undid a change of a memory, or ended the program.
	{"palette, filtered", slowly, []string{"n", "My flat is on floor 12, door 7B"}},
	{"palette", slowly, []string{"q", "f"}},
	// These were lost.
	{"help, from a pane", atOnce, []string{"quit worrying about it", "？不"}},
	{"help, from a pane", slowly, []string{"？？？", "? what does that even mean"}},
	{"help", slowly, []string{"Delete the second one, I don't need it", "jk, just kidding"}},
	{"all, new memory", slowly, []string{"F in the chat for my old laptop", "Undo that please", "我用 pnpm，不用 npm。"}},
	{"all, edit form, tags", pasted, []string{"你好，今天过得怎么样？", "u 盘坏了……", "f 分之一是多少"}},
	{"agents, new group, members", slowly, []string{"jk, just kidding", "我三月份搬到了杭州，很喜欢这里。"}},
	{"settings, choice", slowly, []string{"Café crème, naïve façade, jalapeño", "今晚吃火锅🍲，再来一瓶可乐🥤"}},
}

// typings draws n cases of a place, in both languages and at every pace in turn. They
// depend on the name of the place and the seed alone.
func typings(seed uint64, at place, n int) (out []typing) {
	name := fnv.New64()
	_, _ = name.Write([]byte(at.name))
	r := rand.New(rand.NewPCG(seed, name.Sum64()))
	for _, c := range repaired {
		if c.place == at.name && n > 0 {
			out = append(out, typing{at: at, pace: c.pace, sentences: c.sentences, width: 140, height: 40})
		}
	}
	for i, first := 0, r.IntN(2*int(paces)); i < n; i++ {
		all := spoken[[]string{"en", "zh"}[(first+i)%2]]
		size := sizes[r.IntN(len(sizes))]
		if at.small {
			size = [2]int{50, 10}
		}
		c := typing{at: at, pace: pace((first + i) / 2 % int(paces)), width: size[0], height: size[1]}
		for range 2 {
			c.sentences = append(c.sentences, all[r.IntN(len(all))])
		}
		if strings.HasSuffix(at.name, "?") && r.IntN(3) > 0 {
			c.sentences[0] = answers[r.IntN(len(answers))]
		}
		out = append(out, c)
	}
	return out
}

// U2, D2, design "Typing never destroys anything": whatever a person types, wherever the
// keyboard is and however fast, changes nothing but by the messages that are sent by it, and
// each letter is in a text or does what the screen says of it.
//
// MEMORIA_SEED and MEMORIA_CASES (for each place) draw other cases.
func TestTypingAnywhere(t *testing.T) {
	seed, n, set := uint64(1), 1, false
	if v, err := strconv.ParseUint(os.Getenv("MEMORIA_SEED"), 10, 64); err == nil {
		seed, set = v, true
	}
	if v, err := strconv.Atoi(os.Getenv("MEMORIA_CASES")); err == nil {
		n, set = v, true
	}
	t.Logf("MEMORIA_SEED=%d MEMORIA_CASES=%d", seed, n)
	homes := typistHomes(t)
	folder := t.TempDir()
	t.Chdir(folder)
	all := allPlaces()
	for _, tab := range pane.Tabs() {
		for _, id := range tab.Views {
			if paneActions[id] == nil {
				t.Errorf("the pane %q has no states in paneActions", id.Name(words.Words{}))
			}
		}
	}
	for _, c := range repaired {
		if !slices.ContainsFunc(all, func(at place) bool { return at.name == c.place }) {
			t.Errorf("there is no place %q", c.place)
		}
	}
	rooms, order := map[string][]typing{}, []string{}
	for i, at := range all {
		if testing.Short() && i%8 > 0 {
			continue
		}
		room := at.room()
		if rooms[room] == nil {
			order = append(order, room)
		}
		rooms[room] = append(rooms[room], typings(seed, at, n)...)
	}
	total, failing, excused, kinds := 0, 0, 0, map[string]int{}
	for _, room := range order {
		t.Run(room, func(t *testing.T) {
			total += len(rooms[room])
			for cases := rooms[room]; len(cases) > 0; {
				home := homes.of(cases[0].at)
				withTypist(t, home, func(p *typist) {
					p.folder = folder
					// A few cases one after the other: opening a folder takes as long as typing.
					for again := 8; again > 0 && len(cases) > 0 && homes.of(cases[0].at) == home; again-- {
						c := cases[0]
						cases = cases[1:]
						faults := p.perform(c)
						seen, bad := map[string]bool{}, false
						for _, f := range faults {
							if !seen[f.kind] {
								kinds[f.kind]++
							}
							seen[f.kind] = true
							if i := f.excused(room); i >= 0 {
								t.Logf("%s: %s: %s (%s)", c, f.kind, f.what, knownFaults[i].why)
								continue
							}
							bad = true
							t.Errorf("%s: %s: %s", c, f.kind, f.what)
						}
						if bad {
							t.Log("\n" + p.began)
						}
						switch {
						case bad:
							failing++
						case len(faults) > 0:
							excused++
						}
						if len(faults) > 0 || c.at.empty || c.at.alone {
							return // what follows begins with what was there
						}
					}
				})
			}
		})
	}
	t.Logf("%d of %d cases fail, and %d have known faults: %v", failing, total, excused, kinds)
	if !set && excused > excusedCases {
		t.Errorf("%d cases have known faults; there were %d", excused, excusedCases)
	}
}

// withTypist opens a copy of a folder.
func withTypist(t *testing.T, home string, do func(*typist)) {
	t.Helper()
	dir, err := os.MkdirTemp("", "typing")
	must(t, err)
	defer func() { must(t, os.RemoveAll(dir)) }()
	must(t, os.CopyFS(filepath.Join(dir, "home"), os.DirFS(home)))
	synctest.Test(t, func(t *testing.T) {
		p := typistIn(t, filepath.Join(dir, "home"), 140, 40)
		defer p.close()
		do(p)
	})
}

// FuzzTyping types any text, a sentence a line, at any place. A sentence that begins with a
// slash may be a command, which does what it says.
func FuzzTyping(f *testing.F) {
	for i, text := range []string{"Undo that please\nd", "删掉第二条吧，我用不着了。\ny", "u ok?\nx y n D\n", "／\n?", "1 2 3\n- [ ] 4"} {
		f.Add(uint16(37*i), byte(i), text)
	}
	all := allPlaces()
	var homes folders
	f.Cleanup(func() { homes.remove() })
	f.Fuzz(func(t *testing.T, number uint16, how byte, text string) {
		at := all[int(number)%len(all)]
		var sentences []string
		for line := range strings.SplitSeq(text, "\n") {
			line = strings.Map(func(r rune) rune {
				if unicode.IsControl(r) || r == unicode.ReplacementChar {
					return -1
				}
				return r
			}, line)
			sentences = append(sentences, strings.Join(letters(line)[:min(40, len(letters(line)))], ""))
		}
		size := sizes[int(how/byte(paces))%len(sizes)]
		if at.small {
			size = [2]int{50, 10}
		}
		if homes.filled == "" {
			homes = lastingHomes(t)
		}
		withTypist(t, homes.of(at), func(p *typist) {
			c := typing{at: at, sentences: sentences[:min(3, len(sentences))], pace: pace(how) % paces, width: size[0], height: size[1]}
			for _, fault := range p.perform(c) {
				if fault.excused(at.room()) < 0 {
					t.Errorf("%s: %s: %s", c, fault.kind, fault.what)
				}
			}
		})
	})
}

// lastingHomes is [typistHomes] in folders that outlive the test.
func lastingHomes(t *testing.T) (out folders) {
	t.Helper()
	homes := typistHomes(t)
	for from, to := range map[string]*string{homes.filled: &out.filled, homes.empty: &out.empty, homes.guided: &out.guided} {
		dir, err := os.MkdirTemp("", "typing")
		must(t, err)
		must(t, os.CopyFS(dir, os.DirFS(from)))
		*to = dir
	}
	return out
}
