package learning

import (
	"bufio"
	"os"
	"slices"
	"strings"
	"testing"

	"memoria/memory"
	"memoria/memory/frame"
	"memoria/memory/policy"
)

// sentencesOf returns the lines of a file in testdata without its comments.
func sentencesOf(t *testing.T, name string) (out []string) {
	t.Helper()
	f, err := os.Open("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for s := bufio.NewScanner(f); s.Scan(); {
		if line := strings.TrimSpace(s.Text()); line != "" && !strings.HasPrefix(line, "#") {
			out = append(out, line)
		}
	}
	return out
}

// P5b: ordinary sentences begin no frame, which would stop all learning, and real play and tasks do.
//
// The rules were tuned on the files ordinary.* and begins.*, and not on later.*, which was written after them. Sentences
// that begin a frame, before the probability of telling decided about words that are only found in a sentence, and after:
//
//	             before      after
//	ordinary.en  35 of 107    1
//	later.en     15 of  60    6 as first measured, 2 now
//	ordinary.zh  72 of 127    0
//	later.zh     24 of  60    3 as first measured, 0 now
//
// Of the real beginnings none was missed before, of 42 and 41, and none is now.
func TestFrames(t *testing.T) {
	p := policy.New(policy.Config{})
	for language, most := range map[string]int{"en": 3, "zh": 0} {
		var begun []string
		ordinary := slices.Concat(sentencesOf(t, "ordinary."+language+".txt"), sentencesOf(t, "later."+language+".txt"))
		for _, s := range ordinary {
			if f := NextFrame(p, frame.Rules{}, memory.Frame{}, frame.Message{Typed: s}); f.Kind != "" {
				begun = append(begun, f.What+": "+s)
			}
		}
		if len(begun) > most {
			t.Errorf("%s: %d of %d ordinary sentences begin a frame:\n%s", language, len(begun), len(ordinary), strings.Join(begun, "\n"))
		}
		want := memory.FrameKind("")
		for _, s := range sentencesOf(t, "begins."+language+".txt") {
			if k := memory.FrameKind(s); k == memory.FramePlay || k == memory.FrameTask {
				want = k
			} else if f := NextFrame(p, frame.Rules{}, memory.Frame{}, frame.Message{Typed: s}); f.Kind != want {
				t.Errorf("%q begins %q, want %s", s, f.What, want)
			}
		}
	}
}

// P5b: a game ends by itself when the user plainly speaks about himself again, sooner if it was only guessed.
func TestPlayEndsByItself(t *testing.T) {
	p := policy.New(policy.Config{})
	mine := []string{
		"I live in Leeds with my two sons", "I work as a nurse at the Royal", "My husband drives a lorry", "I was born in Hull", "I like gardening",
		"My sister lives in York",
	}
	for _, c := range []struct {
		first    string
		messages []string
		framed   int // messages in the frame after the first
	}{
		{"Let's do a role-play where you're the angry chef and I'm the new waiter", mine, 4},
		{"the bar is empty and you're the bartender", mine, 1},
		{"我们来角色扮演吧，你当掌柜我当客人", []string{"我住在成都武侯区", "我老婆姓刘，在超市上班", "我女儿今年十二岁", "我是开滴滴的", "我喜欢吃火锅", "我家住簇桥"}, 5},
		{"Let's play a space game", []string{"I am Zorblax, ruler of Kepler", "I shoot at you with my laser", "you be the dragon now", "I run away"}, 4},
	} {
		f := NextFrame(p, frame.Rules{}, memory.Frame{}, frame.Message{Typed: c.first})
		framed := 0
		for _, s := range c.messages {
			if f = NextFrame(p, frame.Rules{}, f, frame.Message{Typed: s}); f.Paused() {
				framed++
			}
		}
		if framed != c.framed {
			t.Errorf("%q: %d messages are framed, want %d", c.first, framed, c.framed)
		}
	}
}
