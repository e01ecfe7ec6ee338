package manager_test

import (
	"context"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"memoria/memory"
	"memoria/memory/instruct"
	"memoria/memory/learn"
	"memoria/memory/manager"
	"memoria/memory/manager/learning"
	"memoria/memory/recall"
)

// proposal is one item of a scripted analyst. Target is a part of the memory's words; the analyst names its short id.
type proposal struct {
	Type       string  `json:"type"`
	Subject    string  `json:"subject"`
	Op         string  `json:"op"`
	Target     string  `json:"target"`
	About      string  `json:"about"`
	Content    string  `json:"content"`
	Quote      string  `json:"quote"`
	Confidence float64 `json:"confidence"`
	Importance float64 `json:"importance"`
}

var shownLine = regexp.MustCompile(`(?m)^Memory (m\d+)(?:, from this message)?: (.*)$`)

// proposing answers with items whose targets it looks up in the request.
func proposing(items ...proposal) *completer {
	return &completer{answer: func(_ context.Context, req learn.Request) (learn.Answer, error) {
		out := slices.Clone(items)
		for i := range out {
			out[i].Confidence, out[i].Importance = 0.9, 0.6
			for _, m := range shownLine.FindAllStringSubmatch(req.Prompt, -1) {
				if out[i].Target != "" && strings.Contains(m[2], out[i].Target) {
					out[i].Target = m[1]
				}
			}
		}
		said, err := json.Marshal(map[string]any{"items": out})
		return learn.Answer{Arguments: string(said)}, err
	}}
}

func activeContents(t testing.TB, m *manager.Manager) []string {
	t.Helper()
	out := contents(inForce(t, m))
	slices.Sort(out)
	return out
}

// undoable checks that undoing the last change brings the memory back to what it was, and that the undo can be undone.
func undoable(t *testing.T, m *manager.Manager, before []string) {
	t.Helper()
	after := activeContents(t, m)
	u := must(m.Learning().UndoLast(t.Context(), luna))(t)
	if diff := cmp.Diff(before, activeContents(t, m)); diff != "" {
		t.Errorf("undone (-before +now):\n%s", diff)
	}
	must(m.Learning().Undo(t.Context(), luna, u.ID))(t)
	if diff := cmp.Diff(after, activeContents(t, m)); diff != "" {
		t.Errorf("undone again (-after +now):\n%s", diff)
	}
}

// P5c, P4, P9: what a model replaces and ends by the user's words is done, announced, and can be undone.
func TestModelCorrects(t *testing.T) {
	for _, c := range []struct {
		name, known, said string
		by                proposal
		action            memory.Action
		now               []string
	}{
		{"the cat", "My cat is called Nube.", "poor Nube, she didn't make it through the night",
			proposal{Type: "relationship", Subject: "Nube", Op: "end", Target: "Nube", Quote: "poor Nube, she didn't make it through the night"}, memory.ActionEnded, nil},
		{"the dog", "我的狗叫豆豆。", "豆豆没能熬过昨晚",
			proposal{Type: "relationship", Subject: "豆豆", Op: "end", Target: "豆豆", Quote: "豆豆没能熬过昨晚"}, memory.ActionEnded, nil},
		{"a rule", "Answer in German from now on.", "German is getting tiring",
			proposal{Type: "rule", Subject: "user", Op: "end", Target: "German", Quote: "German is getting tiring"}, memory.ActionEnded, nil},
		{"a rule in Chinese", "以后用英文回答我", "英文看得我头疼",
			proposal{Type: "rule", Subject: "user", Op: "end", Target: "英文", Quote: "英文看得我头疼"}, memory.ActionEnded, nil},
		{"a rule for another", "Answer in German from now on.", "German is too hard, English would be easier",
			proposal{Type: "rule", Subject: "user", Op: "replace", Target: "German", About: "language", Content: "Answer in English", Quote: "English would be easier"},
			memory.ActionSuperseded, []string{"Answer in English"}},
		{"a job", "I work at the harbour office.", "The harbour office fired us all, the lighthouse museum took us on",
			proposal{Type: "fact", Subject: "user", Op: "replace", Target: "harbour", About: "employer", Content: "Lighthouse museum took us on",
				Quote: "the lighthouse museum took us on"}, memory.ActionSuperseded, []string{"Lighthouse museum took us on"}},
		{"a goal", "我想学法语", "法语我真的搞不定",
			proposal{Type: "goal", Subject: "user", Op: "end", Target: "法语", Quote: "法语我真的搞不定"}, memory.ActionEnded, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := openAuto(t)
			_, ruled := say(t, m, luna, "", c.known)
			must(analyse(t, m, proposing()))(t)
			turn, _ := say(t, m, luna, "", c.said)
			before := activeContents(t, m)
			changes := must(analyse(t, m, proposing(c.by)))(t)
			if len(changes) != 1 || changes[0].Action != c.action || changes[0].Item == nil {
				t.Fatalf("%+v", changes)
			}
			if got := activeContents(t, m); !slices.Equal(got, c.now) {
				t.Errorf("active: %q, want %q", got, c.now)
			}
			old := must(m.Lookup().Item(t.Context(), luna, ruled[0].ItemID))(t)
			if old.State != memory.StateInactive || old.ValidTo.IsZero() {
				t.Errorf("ended: %+v", old)
			}
			if ch := changes[0]; c.action == memory.ActionEnded {
				ev := old.Evidence[len(old.Evidence)-1]
				if ch.ItemID != old.ID || ch.Reason == "" || recall.Quoted(turn.Record, ev) != c.by.Quote {
					t.Errorf("%+v, %+v", ch, ev)
				}
			} else if ch.Replaced == nil || ch.Replaced.ID != old.ID || old.SupersededBy != ch.ItemID {
				t.Errorf("%+v", ch)
			}
			undoable(t, m, before)
			kept := must(m.Lookup().TurnChanges(t.Context(), luna, turn.Record.TurnID))(t)
			if last := kept[len(kept)-1]; c.action == memory.ActionSuperseded && (last.Replaced == nil || last.Replaced.ID != old.ID) {
				t.Errorf("in the ledger: %+v", last)
			}
			must(m.Learning().UndoTurn(t.Context(), luna, turn.Record.TurnID))(t)
			if got := activeContents(t, m); !slices.Equal(got, before) {
				t.Errorf("turn undone: %q, want %q", got, before)
			}
		})
	}
}

// P5c: nothing becomes active that is somebody else's, or half invented.
func TestModelInvents(t *testing.T) {
	for _, c := range []struct{ said, content, quote string }{
		{"My mum called. Has been diagnosed with diabetes", "Has diabetes", "Has been diagnosed with diabetes"},
		{"My brother visited us. Moved to Oslo in spring.", "Moved to Oslo in spring", "Moved to Oslo in spring"},
		{"Our neighbour knocked. Lost his job at the mill.", "Lost job at the mill", "Lost his job at the mill"},
		{"Talked to my aunt yesterday. Is allergic to shellfish.", "Allergic to shellfish", "Is allergic to shellfish"},
		{"We met Tom for lunch. Was promoted to head of sales.", "Promoted to head of sales", "Was promoted to head of sales"},
		{"我妈打电话来了。确诊了糖尿病", "确诊糖尿病", "确诊了糖尿病"},
		{"我哥昨天来我家，离婚了", "离婚", "离婚了"},
		{"我女朋友下班了。对海鲜过敏", "对海鲜过敏", "对海鲜过敏"},
		{"小李找我喝酒。怀孕了，三个月", "怀孕三个月", "怀孕了，三个月"},
		{"We rent a garden plot by the canal.", "Rents a garden plot to grow tomatoes", "We rent a garden plot by the canal"},
		{"My commute takes an hour each way.", "Commute of an hour by train", "My commute takes an hour each way"},
		{"I repair old radios in the cellar.", "Repairs old radios for extra money", "I repair old radios in the cellar"},
		{"我家阳台上种了几盆番茄", "阳台上种番茄为了省钱", "我家阳台上种了几盆番茄"},
		{"我在地下室修旧收音机", "在地下室修旧收音机赚外快", "我在地下室修旧收音机"},
		{"We heat the house with wood.", "Heats the house with birch wood", "We heat the house with wood"},
	} {
		m := openAuto(t)
		say(t, m, luna, "", c.said)
		must(analyse(t, m, proposing(proposal{Type: "fact", Subject: "user", Op: "add", About: "it", Content: c.content, Quote: c.quote})))(t)
		if got := activeContents(t, m); len(got) != 0 && !(len(got) == 1 && strings.TrimRight(got[0], ".") == strings.TrimRight(c.said, ".")) {
			t.Errorf("%s: %q", c.said, got)
		}
	}
}

// P5c: the clause of another party is that party's, and fills no slot of the user.
func TestModelTellsOfOthers(t *testing.T) {
	m := openAuto(t)
	say(t, m, luna, "", "I work at the harbour office.")
	must(analyse(t, m, proposing()))(t)
	say(t, m, luna, "", "My aunt rang us. Runs a bakery in Turin these days.")
	must(analyse(t, m, proposing(proposal{
		Type: "fact", Subject: "aunt", Op: "add", About: "job", Content: "Runs a bakery in Turin", Quote: "Runs a bakery in Turin",
	})))(t)
	if got := activeContents(t, m); !slices.Equal(got, []string{"Works at the harbour office.", "aunt: Runs a bakery in Turin"}) {
		t.Errorf("%q", got)
	}
	say(t, m, luna, "", "been at it with the cello since March")
	must(analyse(t, m, proposing(proposal{
		Type: "pattern", Subject: "user", Op: "add", About: "cello", Content: "Plays the cello since March", Quote: "been at it with the cello since March",
	})))(t)
	if got := activeContents(t, m); !slices.Contains(got, "Plays the cello since March") {
		t.Errorf("%q", got)
	}
}

// P5c: at most three memories change in a turn; the rest waits, and ends when the user accepts it.
func TestModelCorrectsThree(t *testing.T) {
	m := openAuto(t)
	var ends []proposal
	const quote = "None of the boats is mine any longer"
	for _, name := range []string{"dinghy", "kayak", "ferry", "raft", "canoe"} {
		must(m.Learning().AddItem(t.Context(), luna, memory.Item{Type: memory.TypeFact, Key: "boat/" + name, Content: "Owns a boat: " + name}))(t)
		ends = append(ends, proposal{Type: "fact", Subject: "user", Op: "end", Target: name, Quote: quote})
	}
	say(t, m, luna, "", quote)
	changes := must(analyse(t, m, proposing(ends...)))(t)
	var did []memory.Action
	for _, c := range changes {
		did = append(did, c.Action)
	}
	if want := []memory.Action{"ended", "ended", "ended", "held", "held"}; !slices.Equal(did, want) || len(inForce(t, m)) != 2 {
		t.Fatalf("did %v", changes)
	}
	page := must(m.Lookup().Inbox(t.Context(), luna, 0, 0))(t)
	h := page.Items[0]
	if page.Total != 2 || h.Replaces == nil || !strings.Contains(h.Content, h.Replaces.Content) || h.Reason == "" {
		t.Fatalf("waits: %+v", h)
	}
	must(m.Learning().Accept(t.Context(), luna, learning.Shown{ID: h.ID, Version: h.Version}))(t)
	if got := must(m.Lookup().Item(t.Context(), luna, h.Replaces.ID))(t); got.State != memory.StateInactive || len(inForce(t, m)) != 1 {
		t.Errorf("accepted: %+v", got)
	}
	must(m.Learning().UndoLast(t.Context(), luna))(t)
	if n := len(inForce(t, m)); n != 2 {
		t.Errorf("undone: %d active", n)
	}
	if _, err := m.Reject(t.Context(), luna, learning.Shown{ID: page.Items[1].ID, Version: page.Items[1].Version}); err != nil {
		t.Error(err)
	}
}

// P5c: what rules made of the same message the model may correct freely, and what they replaced comes back.
func TestModelCorrectsTheRules(t *testing.T) {
	m := openAuto(t)
	say(t, m, luna, "", "My name is Bo.")
	must(analyse(t, m, proposing()))(t)
	_, ruled := say(t, m, luna, "", "My name is mud since I forgot her birthday")
	if len(ruled) != 1 || ruled[0].Action != memory.ActionSuperseded {
		t.Skipf("the rules know better by now: %+v", ruled)
	}
	misread := activeContents(t, m)
	changes := must(analyse(t, m, proposing(proposal{Type: "fact", Subject: "user", Op: "end", Target: "mud", Quote: "My name is mud"})))(t)
	if got := activeContents(t, m); !slices.Equal(got, []string{"Name is Bo."}) {
		t.Fatalf("active: %q after %+v", got, changes)
	}
	must(m.Learning().UndoLast(t.Context(), luna))(t)
	if got := activeContents(t, m); !slices.Equal(got, misread) {
		t.Errorf("undone: %q", got)
	}
}

// P4: what the user wrote by hand is not replaced by less, and what he said since is not changed.
func TestModelLeavesAlone(t *testing.T) {
	m := openAuto(t)
	must(m.Learning().AddItem(t.Context(), luna, memory.Item{Type: memory.TypeFact, Key: "boat", Content: "Owns a red rowing boat at the northern pier"}))(t)
	say(t, m, luna, "", "A kayak took the place of the boat")
	changes := must(analyse(t, m, proposing(proposal{
		Type: "fact", Subject: "user", Op: "replace", Target: "rowing", About: "boat", Content: "Owns a kayak", Quote: "A kayak took the place of the boat",
	})))(t)
	if len(changes) != 1 || changes[0].Action != memory.ActionHeld {
		t.Errorf("%+v", changes)
	}
	page := must(m.Lookup().Inbox(t.Context(), luna, 0, 0))(t)
	if page.Total != 1 || page.Items[0].Replaces == nil || page.Items[0].Replaces.Key != "boat" {
		t.Errorf("%+v", page)
	}
	for _, p := range []proposal{
		{Type: "fact", Subject: "user", Op: "end", Target: "rowing", Quote: "the boat has sunk"},
		{Type: "fact", Subject: "user", Op: "end", Target: "m99", Quote: "I own a kayak instead of the boat"},
		{Type: "fact", Subject: "user", Op: "delete", Target: "rowing", Quote: "I own a kayak instead of the boat"},
	} {
		say(t, m, luna, "", fmt.Sprintf("I own a kayak instead of the boat, %s", p.Op))
		if changes := must(analyse(t, m, proposing(p)))(t); len(changes) != 1 || changes[0].Action != memory.ActionSkipped {
			t.Errorf("%+v: %+v", p, changes)
		}
	}
}

// P5c: a message that is answered again does not end what the user brought back.
func TestModelEndsOnce(t *testing.T) {
	m := openAuto(t)
	say(t, m, luna, "", "My cat is called Nube.")
	must(analyse(t, m, proposing()))(t)
	turn, _ := say(t, m, luna, "", "Nube died last night")
	end := proposal{Type: "relationship", Subject: "Nube", Op: "end", Target: "Nube", Quote: "Nube died last night"}
	must(analyse(t, m, proposing(end)))(t)
	must(m.Learning().UndoTurn(t.Context(), luna, turn.Record.TurnID))(t)
	must(m.FinishTurn(t.Context(), memory.Record{
		AgentID: luna, SessionID: turn.Session.ID, TurnID: turn.Record.TurnID, Role: memory.RoleAssistant, Content: "Oh no.", Model: "test",
	}, true))(t)
	if err := m.Learning().Learn(t.Context(), luna, nil); err != nil {
		t.Fatal(err)
	}
	must(analyse(t, m, proposing(end)))(t)
	if got := activeContents(t, m); len(got) != 1 {
		t.Errorf("active: %q", got)
	}
}

// U3: what the rules read in another slot is no correction of what is known, whatever a model takes it for.
func TestOtherSlotIsNoCorrection(t *testing.T) {
	m, _ := open(t)
	turn, _ := say(t, m, luna, "", "女儿八岁了")
	second, _ := say(t, m, luna, turn.Session.ID, "女儿叫朵朵")
	in, ok, err := m.Learning().Instruction(t.Context(), second.Record)
	if err != nil || !ok || in.Kind != instruct.Correct {
		t.Fatalf("it is not taken for a correction, so this proves nothing: %+v, %v", in, err)
	}
	must(m.Learning().CorrectSaid(t.Context(), second.Record, in))(t)
	want := []string{"女儿八岁", "女儿叫朵朵"}
	if diff := cmp.Diff(want, activeContents(t, m)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
