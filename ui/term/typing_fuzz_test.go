package term

import (
	"fmt"
	"hash/fnv"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"
	"unicode"

	tea "charm.land/bubbletea/v2"

	"memoria/memory"
	"memoria/ui/clean"
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

func (c typing) String() string { return fmt.Sprintf("%s · %s · %q", c.at.name, c.pace, c.sentences) }

// fault is what went wrong in a case: its kind, and what it was in this case.
type fault struct{ kind, what string }

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
)

var sizes = [][2]int{{140, 40}, {80, 24}, {100, 30}, {60, 15}}

// perform types a case and returns its faults.
func (p *typist) perform(c typing) (faults []fault) {
	p.t.Helper()
	p.send(tea.WindowSizeMsg{Width: 140, Height: 40})
	p.home()
	if c.at.pane != "" {
		p.reset(c.at.pane)
	}
	p.words(c.at.draft)
	if c.at.pane != "" {
		p.open(c.at.pane)
		p.key(tea.KeyHome)
	}
	c.at.enter(p)
	if c.at.see != "" && !strings.Contains(p.frame(), c.at.see) {
		p.t.Fatalf("%s: %q is not on the screen\n%s", c.at.name, c.at.see, p.frame())
	}
	p.send(tea.WindowSizeMsg{Width: c.width, Height: c.height})
	p.pass(300 * time.Millisecond)
	before, draft := p.kept(), p.input()
	if !strings.Contains(draft, c.at.draft) || c.at.brings && draft == "" {
		p.t.Fatalf("%s: the draft is %q\n%s", c.at.name, draft, p.frame())
	}
	add := func(kind, what string, args ...any) {
		faults = append(faults, fault{kind, fmt.Sprintf(what, args...)})
	}
	var meant strings.Builder // what must be in the input or in a message at the end
	if !strings.HasPrefix(draft, "/") {
		meant.WriteString(draft)
	}
	commanded := false
	for _, sentence := range c.sentences {
		switch c.pace {
		case slowly:
			inputBefore := p.input()
			faults = append(faults, p.slowly(sentence)...)
			if now := p.input(); strings.HasPrefix(now, inputBefore) && !isCommand(now) {
				meant.WriteString(now[len(inputBefore):])
			}
		case atOnce:
			was := p.fields()
			keys, other := shown(p.frame())
			for _, l := range letters(sentence) {
				p.send(keyFor(l))
			}
			p.settle()
			rest := visible(sentence)
			if first := letters(rest); len(first) > 0 && (other || keys[first[0]]) {
				rest = strings.TrimPrefix(rest, first[0]) // it may have come alone
			}
			if got := visible(landed(was, p.fields())); !strings.Contains(got, rest) {
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
		commanded = commanded || p.root.focus == onInput && isCommand(p.input())
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
	if p.left {
		add(ended, "the program ended")
		p.left = false
	}
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

// release ends an answer that waits.
func (p *typist) release() {
	if p.held != nil {
		close(p.held)
		p.held = nil
	}
}

// slowly types a sentence with 150 ms between keys, and looks at each letter.
func (p *typist) slowly(sentence string) (faults []fault) {
	p.t.Helper()
	for i, l := range letters(sentence) {
		frame, was := p.frame(), p.fields()
		keys, other := shown(frame)
		p.send(keyFor(l))
		p.pass(150 * time.Millisecond)
		if visible(l) == "" || keys[l] || other {
			continue
		}
		if grew(was, p.fields(), clean.Typed(l)) {
			continue
		}
		kind := gone
		if p.frame() != frame {
			kind = hidden
		}
		faults = append(faults, fault{kind, fmt.Sprintf("letter %d, %q, of %q", i, l, sentence)})
		if len(faults) == 3 { // enough to tell
			return faults
		}
	}
	return faults
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

// grew reports whether one of the text fields has a letter more.
func grew(was, is map[string]string, letter string) bool {
	for path, text := range is {
		if len(text) == len(was[path])+len(letter) && strings.Contains(text, letter) {
			return true
		}
	}
	return false
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

// shown are the printable keys that the screen names: those of the tabs, of the foot of the
// pane and of the last line. other says that every other key closes a question.
func shown(frame string) (keys map[string]bool, other bool) {
	keys = map[string]bool{}
	lines := strings.Split(frame, "\n")
	for i, line := range lines {
		parts := strings.FieldsFunc(line, func(r rune) bool { return r == '│' || r == '┤' })
		if len(parts) == 0 {
			continue
		}
		part := parts[len(parts)-1]
		if strings.Contains(part, "other key") {
			other = true
		}
		tabs := i < 4 && strings.Contains(part, "[") && strings.Contains(part, "]")
		if !tabs && i < len(lines)-12 {
			continue
		}
		if tabs {
			for _, f := range strings.FieldsFunc(part, func(r rune) bool { return strings.ContainsRune(" []·", r) }) {
				if len(f) == 1 {
					keys[f] = true
				}
			}
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
	}
	return keys, other
}

// typistHome makes the folders that all cases begin with: of somebody with memories, and of
// somebody new.
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

// typings draws n cases of a place, in both languages and at every pace in turn. They
// depend on the name of the place and the seed alone.
func typings(seed uint64, at place, n int) (out []typing) {
	name := fnv.New64()
	_, _ = name.Write([]byte(at.name))
	r := rand.New(rand.NewPCG(seed, name.Sum64()))
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
	seed, n := uint64(1), 4
	if set, err := strconv.ParseUint(os.Getenv("MEMORIA_SEED"), 10, 64); err == nil {
		seed = set
	}
	if set, err := strconv.Atoi(os.Getenv("MEMORIA_CASES")); err == nil {
		n = set
	}
	t.Logf("MEMORIA_SEED=%d MEMORIA_CASES=%d", seed, n)
	filled, empty := typistHome(t, true), typistHome(t, false)
	folder := t.TempDir()
	t.Chdir(folder)
	var titles []string
	withTypist(t, empty, func(p *typist) { titles = p.paneTitles() })
	for _, title := range titles {
		if paneActions[title] == nil {
			t.Errorf("the pane %q has no states in paneActions", title)
		}
	}
	for title := range paneActions {
		if !slices.Contains(titles, title) {
			t.Errorf("there is no pane %q", title)
		}
	}
	rooms, order := map[string][]typing{}, []string{}
	for _, at := range allPlaces(titles) {
		room := at.room()
		if rooms[room] == nil {
			order = append(order, room)
		}
		rooms[room] = append(rooms[room], typings(seed, at, n)...)
	}
	total, failing, kinds := 0, 0, map[string]int{}
	for _, room := range order {
		t.Run(room, func(t *testing.T) {
			total += len(rooms[room])
			for cases := rooms[room]; len(cases) > 0; {
				home := filled
				if cases[0].at.empty {
					home = empty
				}
				withTypist(t, home, func(p *typist) {
					p.folder = folder
					// A few cases one after the other: opening a folder takes as long as typing.
					for again := 8; again > 0 && len(cases) > 0 && cases[0].at.empty == (home == empty); again-- {
						c := cases[0]
						cases = cases[1:]
						faults := p.perform(c)
						seen := map[string]bool{}
						for _, f := range faults {
							if !seen[f.kind] {
								kinds[f.kind]++
							}
							seen[f.kind] = true
							t.Errorf("%s: %s: %s", c, f.kind, f.what)
						}
						if len(faults) > 0 || c.at.empty || c.at.alone {
							failing += min(1, len(faults))
							return // what follows begins with what was there
						}
					}
				})
			}
		})
	}
	t.Logf("%d of %d cases fail: %v", failing, total, kinds)
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
