package manager_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"memoria/memory"
	"memoria/memory/manager/write"
)

// P5a: a sensitive statement waits and says why in plain words; a "remember", an allergy and
// who the user is do not wait (P5, P5b).
func TestSensitiveWaits(t *testing.T) {
	for said, want := range map[string]string{
		"I have ADHD.":                     "held health: waits for your approval",
		"我有高血压。":                           "held health: waits for your approval",
		"Remember that I have ADHD.":       "added",
		"记住我有高血压。":                         "added",
		"I am allergic to peanuts.":        "added",
		"我对花生过敏。":                          "added",
		"My birthday is on 3 May.":         "added",
		"我的生日是五月三号。":                       "added",
		"My wife's name is Faith.":         "added",
		"I'm vegetarian.":                  "added",
		"My daughter's birthday is 3 May.": "held birthday: waits for your approval",
	} {
		m, _ := open(t)
		_, changes := say(t, m, luna, "", said)
		if len(changes) == 0 {
			t.Errorf("%q taught nothing", said)
			continue
		}
		c := changes[0]
		got := string(c.Action)
		if c.Action == memory.ActionHeld {
			got += " " + c.Reason
		}
		if got != want {
			t.Errorf("%q: %s (%s), want %s", said, got, c.Reason, want)
		}
	}
}

// P5a, S12: titles and summaries leave out unaccepted sensitive data.
func TestSensitiveIsNotSummedUp(t *testing.T) {
	m, _ := open(t)
	first, _ := say(t, m, luna, "", "I was diagnosed with lupus, how do I tell my boss?")
	id := first.Session.ID
	if first.Session.Title != "" {
		t.Errorf("the title is %q", first.Session.Title)
	}
	second, _ := say(t, m, luna, id, "We grow tomatoes on the roof of our library.")
	if got := second.Session.Title; !strings.Contains(got, "tomatoes") {
		t.Errorf("the title is %q", got)
	}
	say(t, m, luna, id, "My lupus diagnosis made the tomatoes on the roof harder to water.")
	say(t, m, luna, id, "我怀孕了，屋顶的番茄怎么办？")
	l := end(t, m, id)
	words := fmt.Sprint(l.Summary.Line(), l.Summary.Topics)
	if !strings.Contains(words, "tomatoes") || strings.Contains(words, "lupus") || strings.Contains(words, "怀孕") {
		t.Errorf("the summary is %s", words)
	}
}

// P5a: a summary may tell what the user has accepted.
func TestAcceptedIsSummedUp(t *testing.T) {
	m, _ := open(t)
	first, _ := say(t, m, luna, "", "Remember that I have epilepsy.")
	id := first.Session.ID
	say(t, m, luna, id, "I have epilepsy and my bicycle needs a new basket.")
	say(t, m, luna, id, "The basket of the bicycle shall be of wood.")
	if l := end(t, m, id); !strings.Contains(l.Summary.Line(), "epilepsy and my bicycle") {
		t.Errorf("the summary is %q", l.Summary.Line())
	}
}

// P5a, W3: neither rules nor a model write secret or sensitive data into working memory.
func TestSensitiveIsNoTopic(t *testing.T) {
	m, _ := open(t)
	first, _ := say(t, m, luna, "", "Does lupus hurt? My password is hunter2-zeta.")
	say(t, m, luna, first.Session.ID, "My lupus hurts, and hunter2-zeta is my password: hunter2-zeta")
	w := must(m.Lookup().Working(t.Context(), luna, first.Session.ID))(t)
	if strings.Contains(w.CurrentTopic, "lupus") || strings.Contains(w.CurrentTopic, "zeta") {
		t.Errorf("the topic is %q", w.CurrentTopic)
	}
}

// P5a: what the user writes by hand needs no approval, but a secret is refused everywhere.
func TestSecretByHand(t *testing.T) {
	m, _ := open(t)
	ctx := t.Context()
	const secret = "My password is hunter2-omega"
	it := must(m.Learning().AddItem(ctx, luna, memory.Item{Content: "I have lupus."}))(t)
	if it.State != memory.StateActive {
		t.Errorf("a memory by hand is %s", it.State)
	}
	turn, _ := say(t, m, luna, "", "Hello there, nice day.")
	_, errs := m.Learning().AddItem(ctx, luna, memory.Item{Content: secret})
	for what, err := range map[string]error{
		"add": errs,
		"edit": func() error {
			_, err := m.Learning().EditItem(ctx, luna, it.ID, func(it *memory.Item) { it.Content = secret })
			return err
		}(),
		"profile": func() error {
			_, err := m.SetProfile(ctx, luna, 0, "## About\n\n- "+secret)
			return err
		}(),
		"working memory": func() error {
			_, err := m.EditWorking(ctx, luna, turn.Session.ID, func(w *memory.Working) { w.ContextVariables["wifi password"] = "hunter2-omega" })
			return err
		}(),
		"title": func() error {
			_, err := m.RenameSession(ctx, luna, turn.Session.ID, secret)
			return err
		}(),
	} {
		var refused *write.SecretError
		if !errors.As(err, &refused) || !errors.Is(err, memory.ErrInvalid) || strings.Contains(err.Error(), "hunter2") {
			t.Errorf("%s: %v", what, err)
		}
	}
}
