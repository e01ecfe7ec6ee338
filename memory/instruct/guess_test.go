package instruct

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"memoria/memory"
)

// known is what a memory holds after some statements, with ids.
func known(said ...string) []memory.Item {
	items := kept(said...)
	for i := range items {
		items[i].ID = string(rune('a' + i))
	}
	return items
}

// U2, U4: words that name something the memory holds are replaced by a mark, a rule's by another.
func TestGround(t *testing.T) {
	items := known("I like oolong tea.", "Keep your answers short.", "我对花生过敏")
	for message, want := range map[string]string{
		"get rid of the oolong part": "get rid of the @ part", "you may write longer answers again": "you may write § answers again",
		"把花生那条删了吧": "把 @ 那条删了吧", "what a day": "what a day",
	} {
		grounded, named := Ground(message, items)
		if got := strings.Join(strings.Fields(grounded), " "); got != want {
			t.Errorf("%q: %q, want %q", message, got, want)
		}
		if wanted := strings.ContainsAny(want, "@§"); wanted != (len(named) == 1) {
			t.Errorf("%q names %v", message, named)
		}
	}
	items[0].State = memory.StateInactive
	if _, named := Ground("get rid of the oolong part", items); len(named) != 0 {
		t.Errorf("what holds no longer is named: %v", named)
	}
}

// U1, U2, U4, U5: what no sentence of the files says is told by all of its words and by what it names.
func TestGuess(t *testing.T) {
	items := known("I like anime.", "My cat is called Pixel.", "Always use bullet points.", "我喜欢喝茶", "回答要简短")
	for message, want := range map[string]Kind{
		"you can drop the anime thing, that was a phase lol": Forget, "Cancel the last thing you remembered, I typed it by mistake": Undo,
		"喝茶那条可以从你的记录里拿掉了": Forget, "刚刚存的那条麻烦撤掉": Undo, "nuke my whole profile. everything. start from zero": Forget,
	} {
		in, ok := Guess(message, nil, items)
		if !ok || in.Kind != want || !in.Guessed {
			t.Errorf("%q: %+v %v, want %s", message, in, ok, want)
		}
	}
	for _, message := range []string{
		"undo that rename, the tests broke", "I like anime", "When did I say that I like anime?", "我什么时候说过我喜欢喝茶？", "我喜欢喝茶", "what is the capital of France?", "wipe the table, Pixel!",
		"把这段代码里的茶字删掉", "", strings.Repeat("forget it all ", 100),
	} {
		if in, ok := Guess(message, nil, items); ok {
			t.Errorf("%q is taken for %+v", message, in)
		}
	}
	if _, ok := Guess("you can drop the anime thing", []memory.Span{{Kind: memory.SpanPasted, Offset: 0, Length: 28}}, items); ok {
		t.Error("a pasted message is taken for an instruction")
	}
	if Possible("what is the capital of France?", nil) && Possible("Write me a poem about autumn in Kyoto", nil) {
		t.Error("ordinary messages are looked at more closely")
	}
}

// The model in the binary is the one of the examples: it tells nearly all of them, every tenth of which is tried.
func TestModelFitsItsExamples(t *testing.T) {
	noRace(t)
	for _, name := range []string{"wordings.en.jsonl", "wordings.zh.jsonl"} {
		b, err := os.ReadFile(filepath.Join("testdata", name))
		if err != nil {
			t.Fatal(err)
		}
		right, tried := 0, 0
		for i, line := range strings.Split(strings.TrimSpace(string(b)), "\n") {
			var e example
			if err := json.Unmarshal([]byte(line), &e); err != nil || e.Text == "" || e.Writer == "" || e.Kind == "" {
				t.Fatalf("%s, line %d: %+v, %v", name, i+1, e, err)
			}
			if i%10 != 0 {
				continue
			}
			grounded, _ := Ground(e.Text, kept(e.Holds...))
			tried++
			if p := model().Probabilities(grounded); p[e.Kind]+p[e.Kind+ofAll] >= 0.5 {
				right++
			}
		}
		if share := float64(right) / float64(tried); share < 0.97 {
			t.Errorf("%s: the model tells %.1f %% of its examples; train it again, see doc.go", name, 100*share)
		}
	}
}

// U2: who asks about old talk, or names a subject alone, does not ask to forget it.
func TestTalkAboutTheMemoryForgetsNothing(t *testing.T) {
	items := known("我对花生过敏", "下周三要去体检")
	for _, said := range []string{"我之前说过体检的事吗", "我说过花生的事吗", "之前体检的事呢", "花生的事"} {
		if in, ok := Guess(said, nil, items); ok && in.Kind == Forget {
			t.Errorf("%q forgets %v", said, in.Named)
		}
	}
	if in, ok := Guess("把花生那条删了吧", nil, items); !ok || in.Kind != Forget {
		t.Errorf("a request to forget is %v, %v", in.Kind, ok)
	}
}
