package chat_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"memoria/chat"
	"memoria/memory"
	"memoria/memory/lookup"
	"memoria/memory/manager/learning"
	"memoria/prompts"
)

const wishesHeading = "## How the user wants to be answered\n"

// wishesOf are the lines that a turn's package has as wishes about answers.
func wishesOf(p memory.Rendered) (out []string) {
	for _, b := range p.Rendered {
		if _, said, ok := strings.Cut(b.Text, wishesHeading); ok && b.Layer == memory.LayerProfile {
			out = append(out, strings.Split(said, "\n")...)
		}
	}
	return out
}

// C6: rules and styles of the user's own stand beside the fence, to be followed; what
// else is in the profile is data.
func TestWishes(t *testing.T) {
	t.Parallel()
	h := newHouse(t, nil)
	ctx := t.Context()
	if _, err := h.manager.SetProfile(ctx, luna, 0, "## Reply style\n- no \"emoji\"\n## Background\n- Lives in Paris.\n"); err != nil {
		t.Fatal(err)
	}
	_, learned := h.say("Always answer in French.")
	if len(learned.Changes) != 1 || learned.Changes[0].Item.Type != memory.TypeRule {
		t.Fatalf("learned %+v", learned.Changes)
	}
	end, _ := h.say("How deep is the sea?")
	p := h.pkg(end.Record.TurnID)
	said := learned.Changes[0].Item.Content
	if got, want := wishesOf(p), []string{`- "no \"emoji\""`, `- "` + said + `"`}; !slices.Equal(got, want) {
		t.Errorf("wishes %q, want %q", got, want)
	}
	first := p.Messages()[1].Content
	fence, rest, ok := strings.Cut(first, "\n--- end ")
	if !ok || strings.Contains(fence, "emoji") || !strings.Contains(fence, `[background] "Lives in Paris."`) || !strings.Contains(rest, wishesHeading) {
		t.Errorf("they do not stand beside the fence:\n%s", first)
	}
	if _, err := h.manager.DeleteItems(ctx, luna, learned.Changes[0].ItemID); err != nil {
		t.Fatal(err)
	}
	if got := wishesOf(h.pkg(end.Record.TurnID)); len(got) != 2 || strings.Contains(got[1], said) {
		t.Errorf("after the deletion: %q", got)
	}
}

// C6: a rule from a message that holds somebody else's words is no wish before the user
// has accepted it.
func TestForeignRulesAreNoWishes(t *testing.T) {
	t.Parallel()
	h := newHouse(t, nil)
	ctx := t.Context()
	said := "Always answer in Portuguese.\n\nMy landlord wrote:\n> Always be polite to the user."
	spans := []memory.Span{{Offset: strings.Index(said, ">"), Length: len(said) - strings.Index(said, ">"), Kind: memory.SpanQuoted}}
	if _, err := h.chat.Send(ctx, said, spans); err != nil {
		t.Fatal(err)
	}
	h.learned(until[chat.Finished](h, nil).Record.TurnID)
	ask := func() []string {
		t.Helper()
		h.clock.Add(time.Minute)
		end, _ := h.say("How deep is the sea?")
		return wishesOf(h.pkg(end.Record.TurnID))
	}
	if got := ask(); len(got) != 0 {
		t.Errorf("wishes %q", got)
	}
	page, err := h.manager.Lookup().Items(ctx, luna, lookup.ItemFilter{All: true})
	if err != nil || len(page.Items) != 1 {
		t.Fatalf("%d items, %v", len(page.Items), err)
	}
	it := page.Items[0]
	if it.State == memory.StateHeld {
		_, err = h.manager.Learning().Accept(ctx, luna, learning.Shown{ID: it.ID, Version: it.Version})
	} else {
		_, err = h.manager.Learning().EditItem(ctx, luna, it.ID, func(it *memory.Item) { it.Content += " Always." })
	}
	if err != nil {
		t.Fatal(err)
	}
	if got := ask(); len(got) != 1 {
		t.Errorf("after the user has accepted it: wishes %q", got)
	}
}

// C6: the package tells date and time, and how long the conversation rested if that is
// more than an hour.
func TestDateAndRest(t *testing.T) {
	t.Parallel()
	h := newHouse(t, nil)
	now := func(rest time.Duration) string {
		t.Helper()
		h.clock.Add(rest)
		end, _ := h.say("Hello again.")
		for _, b := range h.pkg(end.Record.TurnID).Rendered {
			if b.Layer == memory.LayerNow {
				return b.Text
			}
		}
		return ""
	}
	if got := now(0); got != "It is Saturday, 2026-11-21 09:00 +00:00." {
		t.Errorf("at the beginning: %q", got)
	}
	if got := now(20 * time.Minute); got != "It is Saturday, 2026-11-21 09:20 +00:00." {
		t.Errorf("after twenty minutes: %q", got)
	}
	if err := h.chat.Resume(t.Context(), h.chat.Session().ID); err != nil {
		t.Fatal(err)
	}
	if got := now(3*time.Hour + 10*time.Minute); got != "It is Saturday, 2026-11-21 12:30 +00:00. This conversation was last active 3 hours ago." {
		t.Errorf("after three hours: %q", got)
	}
}

// C6: one fence for all the data of a message, whatever layers it is of, and no more
// framing than 60 tokens; see [prompts] for what a line costs.
func TestOneFence(t *testing.T) {
	t.Parallel()
	h := newHouse(t, nil, text("Noted."), text("Yes."), text("You said so [1]."))
	ctx := t.Context()
	if _, err := h.manager.SetProfile(ctx, luna, 0, "## Reply style\n- be brief\n## Background\n- Lives in Paris.\n"); err != nil {
		t.Fatal(err)
	}
	h.say("My depot occupies the fifth floor. I have a kiln in the garden.")
	h.clock.Add(3 * 24 * time.Hour)
	h.fresh()
	h.settle()
	h.say("Let us talk about the kiln in the garden.")
	end, _ := h.say("When did I say that I have a kiln in the garden?")
	p := h.pkg(end.Record.TurnID)
	layers := map[memory.Layer]bool{}
	framing := ""
	for _, b := range p.Package.Blocks {
		for _, part := range b.Parts {
			if part.Form == memory.FormFence {
				layers[b.Layer] = true
			}
		}
	}
	for _, want := range []memory.Layer{memory.LayerProfile, memory.LayerSummaries, memory.LayerRecall, memory.LayerEvidence} {
		if !layers[want] {
			t.Errorf("the turn has no %s", want)
		}
	}
	for i, m := range p.Messages()[1:] {
		fences := strings.Count(m.Content, "## Memory\n")
		if fences > 1 || strings.Count(m.Content, "\n--- data ") != fences || strings.Count(m.Content, "\n--- end ") != fences {
			t.Errorf("message %d has %d fences:\n%s", i, fences, m.Content)
		}
		for line := range strings.Lines(m.Content) {
			if strings.HasPrefix(line, "---") || strings.HasPrefix(line, "## ") || strings.Contains(line, " of ") && strings.Contains(line, "notes") {
				framing += line
			}
		}
	}
	if n := prompts.Tokens(framing); n > 60 || n < 20 {
		t.Errorf("the framing has ~%d tokens:\n%s", n, framing)
	}
}
