package measure

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"memoria/index/text"
	"memoria/memory"
)

// Marks of the lines of a story. The first two tell something, the others are checked.
const (
	markSay     = ">" // the user says the text
	markPause   = "." // so much time passes: 12d, 3h
	markActive  = "+" // an active memory has the words
	markGone    = "-" // none has
	markRecall  = "?" // the question recalls a memory with the words
	markSilence = "x" // it recalls none with them
)

func checks() []string { return []string{markActive, markGone, markRecall, markSilence} }

// Story is a conversation with lines that say what it has to leave behind.
type Story struct {
	Name string
	// HeldOut stories are not looked at while rules are written.
	HeldOut bool
	Steps   []Step
}

// Step is one line of a story.
type Step struct {
	Line int // in the file
	Mark string
	Text string // the message, or the question
	Want string // words, see [matches]; for a check
	Wait time.Duration
}

// LoadStories reads en.txt and zh.txt in a folder.
func LoadStories(dir string) (map[string][]Story, error) {
	out := map[string][]Story{}
	for _, language := range Languages() {
		stories, err := readStories(filepath.Join(dir, language+".txt"))
		if err != nil {
			return nil, err
		}
		out[language] = stories
	}
	return out, nil
}

func readStories(file string) (out []Story, err error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	for n := 1; lines.Scan(); n++ {
		mark, rest, _ := strings.Cut(strings.TrimSpace(lines.Text()), " ")
		rest = strings.TrimSpace(rest)
		switch mark {
		case "", "#":
			continue
		case "==", "==*":
			out = append(out, Story{Name: rest, HeldOut: mark == "==*"})
			continue
		}
		step, err := readStep(mark, rest)
		if err == nil && len(out) == 0 {
			err = errors.New("a line before the first story")
		}
		if err != nil {
			return nil, fmt.Errorf("%s:%d: %w", file, n, err)
		}
		step.Line = n
		last := &out[len(out)-1]
		last.Steps = append(last.Steps, step)
	}
	return out, lines.Err()
}

func readStep(mark, rest string) (s Step, err error) {
	s = Step{Mark: mark, Text: rest}
	switch mark {
	case markSay:
	case markActive, markGone:
		s.Want = rest
	case markRecall, markSilence:
		var ok bool
		if s.Text, s.Want, ok = strings.Cut(rest, " => "); !ok {
			err = errors.New("no =>")
		}
	case markPause:
		hours := 1
		if days, ok := strings.CutSuffix(rest, "d"); ok {
			rest, hours = days+"h", 24
		}
		s.Wait, err = time.ParseDuration(rest)
		s.Wait *= time.Duration(hours)
	default:
		err = fmt.Errorf("%q is no mark", mark)
	}
	return s, err
}

// matches reports whether a text has all of the words wanted: a|b one of both, !a not, a_b
// one right behind the other.
func matches(said, want string) bool {
	said = text.Fold(said)
	for _, w := range strings.Fields(want) {
		w, absent := strings.CutPrefix(w, "!")
		one := slices.ContainsFunc(strings.Split(w, "|"), func(w string) bool {
			return strings.Contains(said, text.Fold(strings.ReplaceAll(w, "_", " ")))
		})
		if one == absent {
			return false
		}
	}
	return true
}

// StoryFigures are the checks that hold, by mark.
type StoryFigures struct {
	Cases   int
	ByMark  map[string]*Share
	Details Details
}

// All is the share of all checks that hold.
func (f StoryFigures) All() (sum Share) {
	for _, s := range f.ByMark {
		sum.N, sum.Of = sum.N+s.N, sum.Of+s.Of
	}
	return sum
}

// Stories are the figures by language.
type Stories struct{ Known, HeldOut map[string]StoryFigures }

// MeasureStories plays every story with a memory of its own below temp, by rules alone.
func MeasureStories(ctx context.Context, set map[string][]Story, temp string) (Stories, error) {
	out := Stories{Known: map[string]StoryFigures{}, HeldOut: map[string]StoryFigures{}}
	for language, stories := range set {
		played, err := each(ctx, len(stories), func(ctx context.Context, i int) ([]failure, error) {
			return stories[i].play(ctx, temp)
		})
		if err != nil {
			return out, err
		}
		known, heldOut := StoryFigures{ByMark: shares{}}, StoryFigures{ByMark: shares{}}
		for i, s := range stories {
			f := &known
			if s.HeldOut {
				f = &heldOut
			}
			f.count(s, played[i])
		}
		out.Known[language], out.HeldOut[language] = known, heldOut
	}
	return out, nil
}

// failure is a check that does not hold, and what was there instead.
type failure struct {
	line int
	got  []string
}

// play has a story take place.
func (s Story) play(ctx context.Context, temp string) (failed []failure, err error) {
	t, err := begin(ctx, temp, nil)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, t.end()) }()
	for _, step := range s.Steps {
		holds, got, err := t.step(ctx, step)
		if err != nil {
			return nil, fmt.Errorf("%s, line %d: %w", s.Name, step.Line, err)
		}
		if !holds {
			failed = append(failed, failure{step.Line, got})
		}
	}
	return failed, nil
}

// step takes one step, and reports whether it holds.
func (t *talk) step(ctx context.Context, s Step) (holds bool, got []string, err error) {
	var items []memory.Item
	switch s.Mark {
	case markSay:
		_, err = t.say(ctx, s.Text)
		return true, nil, err
	case markPause:
		t.clock.set(t.clock.now().Add(s.Wait))
		return true, nil, t.restart(ctx)
	case markActive, markGone:
		var l left
		l, err = t.left(ctx)
		items = l.active
	default:
		items, err = t.recall(ctx, s.Text)
	}
	got = contents(items)
	found := slices.ContainsFunc(got, func(said string) bool { return matches(said, s.Want) })
	return found == (s.Mark == markActive || s.Mark == markRecall), got, err
}

func (f *StoryFigures) count(s Story, failed []failure) {
	f.Cases++
	for _, step := range s.Steps {
		if !slices.Contains(checks(), step.Mark) {
			continue
		}
		at := slices.IndexFunc(failed, func(x failure) bool { return x.line == step.Line })
		shares(f.ByMark).add(step.Mark, at < 0)
		if at >= 0 {
			f.Details.add("line %d, %s: %s %s => %s; there is %q", step.Line, s.Name, step.Mark, step.Text, step.Want, failed[at].got)
		}
	}
}

// Print writes the table.
func (s Stories) Print(w io.Writer) error {
	rows := [][]any{{"stories", "cases", "remembered +", "not in force -", "recalled ?", "not recalled x", "all"}}
	for _, part := range []struct {
		name string
		of   map[string]StoryFigures
	}{{"known", s.Known}, {"held out", s.HeldOut}} {
		for _, l := range slices.Sorted(maps.Keys(part.of)) {
			f := part.of[l]
			row := []any{l + " " + part.name, f.Cases}
			for _, mark := range checks() {
				var share Share
				if f.ByMark[mark] != nil {
					share = *f.ByMark[mark]
				}
				row = append(row, share)
			}
			rows = append(rows, append(row, f.All()))
		}
	}
	return table(w, rows)
}

// Remarks are the details of the stories that are not held out.
func (s Stories) Remarks() (out Details) {
	for _, l := range slices.Sorted(maps.Keys(s.Known)) {
		out = append(out, s.Known[l].Details...)
	}
	return out
}
