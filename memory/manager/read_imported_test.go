package manager_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"memoria/memory"
	"memoria/memory/learn"
	"memoria/memory/manager"
	"memoria/memory/manager/imported"
	"memoria/memory/transfer/foreign"
)

// reading returns a planned reading of what was imported.
func reading(t testing.TB, m *manager.Manager, c learn.Completer) (*imported.Reading, imported.Plan) {
	t.Helper()
	r := must(m.Imported().Reading(luna, analyst(t, c)))(t)
	return r, must(r.Plan(t.Context(), nil))(t)
}

// importAll imports conversations, and the rules read them.
func importAll(t testing.TB, m *manager.Manager, cs ...foreign.Conversation) {
	t.Helper()
	must(m.Importer().Conversations(t.Context(), luna, "chatgpt", cs))(t)
	must(m.Imported().ProposeImported(t.Context(), luna, nil))(t)
}

// citing answers with one fact for each quotation that the request's new messages have.
func citing(facts map[string]string) *completer {
	return &completer{answer: func(_ context.Context, req learn.Request) (learn.Answer, error) {
		var items []map[string]any
		for quote, content := range facts {
			if strings.Contains(req.Prompt, quote) {
				items = append(items, condensedItem(memory.TypeFact, content, quote))
			}
		}
		return learn.Answer{Text: condensation(items...), Usage: memory.Usage{PromptTokens: 200, CompletionTokens: 20, TotalTokens: 220}}, nil
	}}
}

func heldContents(t testing.TB, m *manager.Manager) (out []string) {
	t.Helper()
	for _, h := range inbox(t, m) {
		out = append(out, h.Content)
	}
	slices.Sort(out)
	return out
}

const depotSaid = "Our new depot occupies the fifth floor near the river."

// TestReadImported checks that a plan sends nothing, that conclusions are held like those of
// the rules and beside them, that only what the user typed is sent, and that each
// conversation is read once (D1, P10).
func TestReadImported(t *testing.T) {
	m, _ := open(t)
	guests := conversation("guests", 4, "Our club meets in the Rose Garden on Fridays.", "Our club meets in the Blue Barn.")
	guests.Messages[0].Speaker, guests.Messages[1].Speaker = "Ann", "Bob"
	importAll(t, m,
		conversation("depot", 1, depotSaid, "I like oolong tea.", "Which boxes fit there?"),
		conversation("play", 2, "Let's play: I am captain Flint.", "My ship is anchored in Tortuga bay."),
		conversation("quote", 3, "Please correct this:\n> My boat is anchored in Sorrento.\nThanks!", "My password is hunter22xy. The shed stands behind the kiln."),
		guests,
		conversation("secret", 5, "Please don't remember this: the treasure lies in Ghent."),
	)
	if got := heldContents(t, m); !slices.Equal(got, []string{"Likes oolong tea."}) {
		t.Fatalf("the rules held %q", got)
	}
	model := citing(map[string]string{
		"depot occupies the fifth floor": "New depot occupies the fifth floor", "I like oolong tea": "Likes oolong tea",
		"ship is anchored in Tortuga": "Ship is anchored in Tortuga", "shed stands behind the kiln": "Shed stands behind the kiln",
	})
	r, plan := reading(t, m, model)
	if len(model.requests()) != 0 || plan.Conversations != 2 || plan.Messages != 4 || plan.Requests != 2 || plan.Room != imported.Max-1 ||
		plan.TokensIn < 1000 || plan.TokensOut < 1000 {
		t.Errorf("planned %+v, %d requests", plan, len(model.requests()))
	}
	told := 0
	got := must(r.ReadImported(t.Context(), func(imported.Read) { told++ }))(t)
	if got.Conversations != 2 || got.Messages != 4 || got.Requests != 2 || got.Held != 2 || got.Left != 0 || got.TokensIn != 400 || told != 2 {
		t.Errorf("%+v, told %d times", got, told)
	}
	for _, req := range model.requests() {
		for _, never := range []string{"Flint", "Tortuga", "Sorrento", "hunter22xy", "Rose Garden", "Ghent"} {
			if strings.Contains(req.Prompt, never) {
				t.Errorf("%q was sent", never)
			}
		}
	}
	for _, h := range inbox(t, m) {
		if h.State != memory.StateHeld || h.Trust != memory.TrustForeign || h.Origin != memory.OriginImport || len(h.Evidence) == 0 {
			t.Errorf("%q: state %s, trust %s, origin %s, %d sources", h.Content, h.State, h.Trust, h.Origin, len(h.Evidence))
		}
	}
	want := []string{"Likes oolong tea.", "New depot occupies the fifth floor", "Shed stands behind the kiln"}
	if got := heldContents(t, m); !slices.Equal(got, want) {
		t.Errorf("held %q, want %q", got, want)
	}
	if len(inForce(t, m)) != 0 {
		t.Errorf("active: %v", inForce(t, m))
	}
	if _, again := reading(t, m, model); again.Conversations != 0 || again.Requests != 0 {
		t.Errorf("planned again: %+v", again)
	}
	must(m.Learning().UndoGeneration(t.Context(), luna, got.Generation))(t)
	if got := heldContents(t, m); !slices.Equal(got, want[:1]) {
		t.Errorf("undone: %q, want %q", got, want[:1])
	}
}

// TestReadImportedContinues checks that an interrupted reading continues where it stopped,
// inside a long conversation too, and that a later export is read from its first new message.
func TestReadImportedContinues(t *testing.T) {
	noRace(t)
	m, _ := open(t)
	long := []string{}
	for i := range 40 {
		long = append(long, fmt.Sprintf("Shelf number%d holds %s", i, strings.Repeat("the jars of plum jam and honey, ", 20)))
	}
	importAll(t, m, conversation("long", 1, long...), conversation("a", 2, "The kiln stands in the yard of the old mill."))
	read := map[string]int{} // new messages that were answered
	ctx, stop := context.WithCancelCause(t.Context())
	interrupted := errors.New("interrupted")
	requests := 0
	model := &completer{answer: func(ctx context.Context, req learn.Request) (learn.Answer, error) {
		if requests++; requests == 3 {
			stop(interrupted)
			return learn.Answer{}, context.Cause(ctx)
		}
		for line := range strings.Lines(req.Prompt) {
			if said, ok := strings.CutPrefix(line, "Message of the user, new: "); ok {
				read[said[:min(len(said), 20)]]++
			}
		}
		return learn.Answer{Text: condensation()}, nil
	}}
	r, plan := reading(t, m, model)
	if plan.Requests != 4 || plan.Messages != 41 {
		t.Fatalf("planned %+v", plan)
	}
	got, err := r.ReadImported(ctx, nil)
	if !errors.Is(err, interrupted) || got.Requests != 2 || got.Conversations != 1 || got.Left != 1 {
		t.Fatalf("%+v, %v", got, err)
	}
	r, rest := reading(t, m, model)
	if rest.Conversations != 1 || rest.Requests != 2 || rest.Messages+got.Messages != 41 {
		t.Errorf("planned %+v after %+v", rest, got)
	}
	if got := must(r.ReadImported(t.Context(), nil))(t); got.Left != 0 || got.Requests != 2 {
		t.Errorf("%+v", got)
	}
	if len(read) != 41 {
		t.Errorf("%d messages were read, want 41", len(read))
	}
	for said, n := range read {
		if n != 1 {
			t.Errorf("%q was read %d times", said, n)
		}
	}
	importAll(t, m, conversation("a", 2, "The kiln stands in the yard of the old mill.", "The mill has a new wheel of oak."))
	if _, more := reading(t, m, model); more.Messages != 1 || more.Requests != 1 {
		t.Errorf("planned %+v after a later export", more)
	}
}

// TestReadImportedOlderConclusions checks that a conclusion neither replaces a newer value nor
// brings back what ended later.
func TestReadImportedOlderConclusions(t *testing.T) {
	m, _ := open(t)
	importAll(t, m,
		conversation("late", 20, "I live in Lyon."),
		conversation("work", 1, "I work at Acme."),
		conversation("end", 30, "I quit my job at Acme."),
	)
	importAll(t, m, conversation("early", 1, "I live in Bonn.")) // of another export
	r, _ := reading(t, m, citing(map[string]string{"I live in Bonn": "Lives in Bonn", "I work at Acme": "Works at Acme", "I live in Lyon": "Lives in Lyon"}))
	got := must(r.ReadImported(t.Context(), nil))(t)
	if held := heldContents(t, m); got.Held != 0 || !slices.Equal(held, []string{"Lives in Lyon.", "Quit their job."}) {
		t.Errorf("%+v: held %q", got, held)
	}
}

// TestReadImportedHostileAnswers checks that nothing comes into the memory that the user did
// not say, whatever a model answers.
func TestReadImportedHostileAnswers(t *testing.T) {
	fact := func(content string, quotes ...string) map[string]any {
		return condensedItem(memory.TypeFact, content, quotes...)
	}
	for name, answer := range map[string]string{
		"invented quotation": condensation(fact("Owns a castle in Wales", "I own a castle in Wales")),
		"invented content":   condensation(fact("Pays the ransom to the mayor of Utrecht", "depot occupies the fifth floor")),
		"a secret":           condensation(fact("Password is hunter22xy", "My password is hunter22xy")),
		"an opposite":        condensation(fact("Never eats walnuts with cheese", "always eat walnuts with cheese")),
		"what somebody said": condensation(fact("Sells the moon", "the agent sells the moon")),
		"half an object":     `{"items": [{"type": "fact", "content": "New depot`,
		"no object":          "I remember that the depot occupies the fifth floor.",
		"another object":     `{"delete": "everything"}`,
		"wrong types":        `{"items": [{"type": 7, "content": ["x"], "quotes": "depot", "confidence": "high", "importance": null}]}`,
		"nothing":            "",
	} {
		t.Run(name, func(t *testing.T) {
			m, _ := open(t)
			importAll(t, m, conversation("depot", 1, depotSaid, "My password is hunter22xy. We always eat walnuts with cheese.", "Is it true that the agent sells the moon?"))
			before := heldContents(t, m)
			r, _ := reading(t, m, answeringText(answer))
			got, err := r.ReadImported(t.Context(), nil)
			if err != nil || got.Held != 0 || !slices.Equal(before, heldContents(t, m)) || len(inForce(t, m)) != 0 {
				t.Errorf("%+v, %v: held %q, active %v", got, err, heldContents(t, m), inForce(t, m))
			}
			if got.Refused+got.Unusable == 0 {
				t.Errorf("nothing was refused: %+v", got)
			}
		})
	}
}

func answeringText(text string) *completer {
	return &completer{answer: func(context.Context, learn.Request) (learn.Answer, error) { return learn.Answer{Text: text}, nil }}
}

// manyConversations are n conversations with a statement that only a model understands.
func manyConversations(n int) (out []foreign.Conversation) {
	for i := range n {
		out = append(out, conversation(fmt.Sprintf("c%03d", i), i, fmt.Sprintf("Our depot number%d occupies the old mill.", i)))
	}
	return out
}

// TestReadImportedStops checks when a reading ends early, that what was read stays, and that a
// conversation with unusable answers is given up after the second.
func TestReadImportedStops(t *testing.T) {
	noRace(t)
	unavailable := errors.Join(learn.ErrUnavailable, errors.New("no route"))
	noAnswer := errors.Join(learn.ErrNoAnswer, errors.New("status 500"))
	refused := errors.New("status 400")
	for name, c := range map[string]struct {
		answers  func(n int) (learn.Answer, error)
		requests int // made
		left     int
		err      error
	}{
		"unavailable":     {func(n int) (learn.Answer, error) { return after(n, 2, unavailable) }, 3, 8, learn.ErrUnavailable},
		"no answer":       {func(n int) (learn.Answer, error) { return after(n, 2, noAnswer) }, 5, 8, learn.ErrNoAnswer},
		"refused":         {func(n int) (learn.Answer, error) { return after(n, 2, refused) }, 5, 8, refused},
		"refused once":    {func(n int) (learn.Answer, error) { return after(n, n*(n%2), refused) }, 10, 5, refused},
		"always unusable": {func(int) (learn.Answer, error) { return learn.Answer{Text: "hm"}, nil }, learn.MaxFailing, 10, nil},
	} {
		t.Run(name, func(t *testing.T) {
			m, _ := open(t)
			importAll(t, m, manyConversations(10)...)
			n := 0
			model := &completer{answer: func(context.Context, learn.Request) (learn.Answer, error) {
				n++
				return c.answers(n)
			}}
			r, _ := reading(t, m, model)
			got, err := r.ReadImported(t.Context(), nil)
			var stopped *learn.StoppedError
			if c.err != nil && !errors.Is(err, c.err) || c.err == nil && !errors.As(err, &stopped) {
				t.Errorf("%v", err)
			}
			if len(model.requests()) != c.requests || got.Left != c.left {
				t.Errorf("%d requests, %+v; want %d and %d left", len(model.requests()), got, c.requests, c.left)
			}
			if _, rest := reading(t, m, model); rest.Conversations != c.left {
				t.Errorf("%d remain, want %d", rest.Conversations, c.left)
			}
		})
	}
	t.Run("given up", func(t *testing.T) {
		m, _ := open(t)
		importAll(t, m, manyConversations(1)...)
		for i := range 3 {
			r, plan := reading(t, m, answeringText("hm"))
			if want := map[bool]int{true: 1}[i < 2]; plan.Conversations != want {
				t.Errorf("run %d plans %+v", i, plan)
			}
			must(r.ReadImported(t.Context(), nil))(t)
		}
	})
}

// after answers the first of n requests, and fails the others.
func after(n, answered int, err error) (learn.Answer, error) {
	if n <= answered {
		return learn.Answer{Text: condensation()}, nil
	}
	return learn.Answer{}, err
}

// TestReadImportedFillsTheInbox checks that the proposals of rules and models together fit, and
// that nothing is asked whose answer might not.
func TestReadImportedFillsTheInbox(t *testing.T) {
	noRace(t)
	m, _ := open(t)
	importAll(t, m, manyConversations(imported.Max+10)...)
	model := &completer{answer: func(_ context.Context, req learn.Request) (learn.Answer, error) {
		_, rest, _ := strings.Cut(req.Prompt, "Our depot number")
		n, _, _ := strings.Cut(rest, " ")
		quote := "depot number" + n + " occupies the old mill"
		return learn.Answer{Text: condensation(condensedItem(memory.TypeFact, "Depot number"+n+" occupies the old mill", quote))}, nil
	}}
	r, _ := reading(t, m, model)
	got := must(r.ReadImported(t.Context(), nil))(t)
	held := len(inbox(t, m))
	if !got.Full || held > imported.Max || held <= imported.Max-learn.MaxItems || got.Held != held || got.Requests != held {
		t.Errorf("%+v, %d held", got, held)
	}
	asked := len(model.requests())
	r, plan := reading(t, m, model)
	if !plan.Full() {
		t.Errorf("planned %+v", plan)
	}
	if got := must(r.ReadImported(t.Context(), nil))(t); !got.Full || len(model.requests()) != asked {
		t.Errorf("%+v, %d more requests", got, len(model.requests())-asked)
	}
}
