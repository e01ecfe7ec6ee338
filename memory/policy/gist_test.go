package policy_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"memoria/memory"
	"memoria/memory/policy"
)

// P2, P5b, P6: a message as a whole says whether its statements are about the user.
func TestTeaches(t *testing.T) {
	p := policy.New(policy.Default())
	for message, want := range map[string]struct {
		keys  []string // without doubt
		doubt bool
	}{
		"I live in Bonn.":  {keys: []string{"home"}},
		"我住在杭州":            {keys: []string{"home"}},
		"I play Valorant.": {keys: []string{"said/other/play-valorant"}},
		"今天天气真好。我喜欢周末去陶艺课。你呢？":                                  {keys: []string{"preference/周末去陶艺课"}},
		"I'm vegan. What do you think of this mail?":            {keys: []string{"diet"}},
		"INSERT INTO people VALUES (1,'我叫张三','我住在南极'); 跑这句报编码错": {doubt: true},
		"设想一下：我中了五百万，我辞职，我搬去大理开民宿，第一年会亏多少":                      {doubt: true},
		"I'm a drayhand.":               {keys: []string{"said/other/drayhand"}},
		"My tablet is from Samsung.":    {keys: []string{"said/own/samsung-tablet"}},
		"提到药名都要写英文学名。":                  {keys: []string{"said/other/学名-英文-药名"}},
		"im so tired today":             {},
		"说到一半我去吃饭了":                     {},
		"请给我三个选择":                       {},
		"Say that again":                {},
		"What's the capital of France?": {},
	} {
		var sure []string
		doubt := false
		for _, c := range p.Teaches(message) {
			if c.OnlyEnds() {
				continue
			}
			if c.Doubt != "" {
				doubt = true
				if a := p.Admit(c, memory.TrustUser); a.Verdict != policy.Held {
					t.Errorf("%q: %s is %s", message, c.Key, a.Verdict)
				}
				continue
			}
			sure = append(sure, c.Key)
		}
		if !slices.Equal(sure, want.keys) || doubt != want.doubt {
			t.Errorf("%q teaches %v, doubt %v; want %v, %v", message, sure, doubt, want.keys, want.doubt)
		}
	}
}

// P2: what the user asks to remember leaves no doubt.
func TestOrdersLeaveNoDoubt(t *testing.T) {
	for _, c := range policy.New(policy.Default()).Teaches("Suppose I won a million, lol. Remember that the spare key is under the pot.") {
		if c.Explicit && c.Doubt != "" {
			t.Errorf("%q: doubt %q", c.Content, c.Doubt)
		}
	}
}

// P5b: how a game begins is told by all of its words.
func TestPlays(t *testing.T) {
	for message, want := range map[string]bool{
		"ok you're the innkeeper and I'm a weary knight, go": true, "I live in Bonn.": false, "What's the capital of France?": false, "我住在杭州": false,
	} {
		if plays, tells := policy.Plays(message); plays >= 0.5 != want || tells < 0 || tells > 1 {
			t.Errorf("%q: plays %.2f, tells %.2f", message, plays, tells)
		}
	}
}

// The models in the binary are those of the examples, and every class that is no statement says why something waits.
func TestModelsFitTheirExamples(t *testing.T) {
	noRace(t)
	right, all := 0, 0
	for _, language := range []string{"en", "zh"} {
		var some []string
		for i, line := range lines(t, filepath.Join("testdata", "messages."+language+".jsonl")) {
			if i%20 == 0 {
				some = append(some, line)
			}
		}
		file := filepath.Join(t.TempDir(), "some.jsonl")
		if err := os.WriteFile(file, []byte(strings.Join(some, "\n")), 0o600); err != nil {
			t.Fatal(err)
		}
		examples, err := policy.ReadExamples(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range examples {
			if e.Class != "self" && e.Class != "rule" && policy.Reason(e.Class) == "" {
				t.Fatalf("no reason is given for %q", e.Class)
			}
			if all++; policy.ClassOf(e.Text, e.Signs...) == e.Class {
				right++
			}
		}
	}
	if share := float64(right) / float64(all); share < 0.95 {
		t.Errorf("the model tells %.1f %% of its examples; train it again, see doc.go", 100*share)
	}
}
