package learning

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"memoria/index/text"
	"memoria/memory"
	"memoria/memory/lookup"
	"memoria/memory/manager/write"
	"memoria/memory/policy/dating"
)

// AddItem stores an item written by the user. Only Content is required; other empty
// fields get defaults. The set functions run after the defaults, so that they can also
// set zero values.
func (w *Writer) AddItem(ctx context.Context, agentID string, it memory.Item, set ...func(*memory.Item)) (memory.Item, error) {
	a, err := w.Agent(agentID)
	if err != nil {
		return memory.Item{}, err
	}
	it.AgentID = a.ID
	if it.Type == "" {
		it.Type = memory.TypeFact
	}
	if it.Confidence == 0 {
		it.Confidence = 1
	}
	if it.Importance == 0 {
		it.Importance = memory.DefaultImportance
	}
	endOfPlan(&it, w.Now())
	for _, f := range set {
		f(&it)
	}
	it.Source, it.Origin, it.Trust = memory.SourceUserStated, memory.OriginUser, memory.TrustUser
	it.State, it.Version = memory.StateActive, 1
	if err := errors.Join(Check(w.Core, &it), write.WithoutSecrets("a memory", "", write.ItemTexts(it)...)); err != nil {
		return memory.Item{}, err
	}
	err = w.Update(ctx, a, func(t *write.Tx) error {
		if err := t.RefuseGroup(); err != nil {
			return err
		}
		it.ID = t.NewID()
		if it.Key == "" {
			it.Key = "note/" + it.ID
		}
		it.CreatedAt, it.UpdatedAt, it.LastConfirmedAt = t.Now(), t.Now(), t.Now()
		if it.Supersedes, err = endRival(t, it); err != nil {
			return err
		}
		return t.Put(it, memory.Change{Action: memory.ActionAdded, Reason: "written by the user", Origin: memory.OriginUser})
	})
	if err != nil {
		return memory.Item{}, fmt.Errorf("adding a memory: %w", err)
	}
	return it, nil
}

// EditItem lets edit change an item's content, title, type, key, value, tags, confidence,
// importance, validity and state. The previous version is kept. An edited item counts as
// stated and confirmed by the user. Editing a held item accepts it.
func (w *Writer) EditItem(ctx context.Context, agentID, id string, edit func(*memory.Item)) (memory.Item, error) {
	a, err := w.Agent(agentID)
	if err != nil {
		return memory.Item{}, err
	}
	var out memory.Item
	err = w.Update(ctx, a, func(t *write.Tx) error {
		old, err := lookup.FindItem(t.Tx, a.ID, id)
		if err == nil {
			out, err = editItem(t, old, edit)
		}
		return err
	})
	if err != nil {
		return memory.Item{}, fmt.Errorf("editing memory %s: %w", id, err)
	}
	return out, nil
}

// endOfPlan lets a plan in the user's words end with the day that they name.
func endOfPlan(it *memory.Item, now time.Time) {
	if it.Type != memory.TypeGoal {
		return
	}
	it.ValidTo = time.Time{}
	if at, ok := dating.Resolve(it.Content, now, now.Location(), true); ok && at.To.After(now) {
		it.ValidTo = at.To
	}
}

// editItem is EditItem within a transaction.
func editItem(t *write.Tx, old memory.Item, editItem func(*memory.Item)) (memory.Item, error) {
	it := old
	it.Tags, it.Value = slices.Clone(old.Tags), slices.Clone(old.Value)
	editItem(&it)
	change := memory.Change{Action: memory.ActionEdited, Reason: "edited by the user", Origin: memory.OriginUser}
	if old.State == memory.StateHeld && it.State == memory.StateHeld {
		it.State = memory.StateActive // editing implies keeping
		change.Reason = "edited and accepted by the user"
	}
	out := Edited(old, it, t.Now())
	if out.Content != old.Content && out.ValidTo.Equal(old.ValidTo) {
		endOfPlan(&out, t.Now())
	}
	before := strings.Join(write.ItemTexts(old), "\n")
	if err := errors.Join(Check(t.Core, &out), write.WithoutSecrets("a memory", before, write.ItemTexts(out)...)); err != nil {
		return out, err
	}
	if err := editStill(t, &out); err != nil {
		return out, err
	}
	if err := supersedeRivals(t, &out); err != nil {
		return out, err
	}
	return out, t.Put(out, change)
}

// endRival ends the active item in the same slot as one that the user writes, and returns
// its id, or "" (P4).
func endRival(t *write.Tx, it memory.Item) (string, error) {
	rival, err := lookup.RivalOf(t.Tx, t.Owner.ID, it)
	if err != nil || rival.ID == "" || it.State != memory.StateActive {
		return "", err
	}
	return rival.ID, EndItem(t, rival.ID, it.ID, ByUser)
}

// Edited returns old with the user-editable fields of it.
func Edited(old, it memory.Item, now time.Time) memory.Item {
	out := old
	out.Content, out.Title, out.Type, out.Key, out.Value, out.Tags = it.Content, it.Title, it.Type, it.Key, it.Value, it.Tags
	out.Confidence, out.Importance, out.ValidFrom, out.ValidTo = it.Confidence, it.Importance, it.ValidFrom, it.ValidTo
	if out.Content != old.Content && string(out.Value) == string(old.Value) {
		out.Value = nil // it expressed the old content
	}
	if out.Title == old.Title && stale(out.Title, old.Content, out.Content) {
		out.Title = ""
	}
	head, object, many := strings.Cut(out.Key, "/")
	if many && out.Key == old.Key && head != "note" && stale(object, old.Content, out.Content) {
		out.Key = "note/" + out.ID // it named a value that the content no longer has
	}
	if it.State != "" {
		out.State = it.State
	}
	if out.IsActive() && !old.IsActive() {
		out.SupersededBy = "" // it is active again
		out.Metadata.Ended = ""
		if out.ValidTo.Equal(old.ValidTo) && !now.Before(out.ValidTo) {
			out.ValidTo = time.Time{}
		}
	}
	out.Source, out.Origin, out.Trust = memory.SourceUserStated, memory.OriginUser, memory.TrustUser
	out.UpdatedAt, out.LastConfirmedAt = now, now
	out.Version++
	return out
}

// stale reports whether a title contains a word of the old content that the new one
// lacks.
func stale(title, before, now string) bool {
	held, holds := text.Words(before), text.Words(now)
	return slices.ContainsFunc(text.Words(title), func(w string) bool {
		return slices.Contains(held, w) && !slices.Contains(holds, w)
	})
}

// Check validates and normalises an item's fields.
func Check(c *write.Core, it *memory.Item) error {
	it.Content = strings.TrimSpace(it.Content)
	it.Title = strings.TrimSpace(it.Title)
	bad := func(format string, args ...any) error {
		return fmt.Errorf("%w: %s", memory.ErrInvalid, fmt.Sprintf(format, args...))
	}
	in01 := func(f float64) bool { return f >= 0 && f <= 1 && !math.IsNaN(f) }
	switch n := utf8.RuneCountInString(it.Content); {
	case n == 0:
		return bad("a memory needs words")
	case !utf8.ValidString(it.Content), !utf8.ValidString(it.Title), !utf8.ValidString(it.Key):
		return bad("the text is not UTF-8")
	case n > c.Config().MaxContent:
		return bad("%d characters; a memory has at most %d (atomic_content_max_length)", n, c.Config().MaxContent)
	case !it.Type.Valid():
		return bad("type %q; the types are %s", it.Type, typeList())
	case !in01(it.Confidence):
		return bad("confidence %v is not between 0 and 1", it.Confidence)
	case !in01(it.Importance):
		return bad("importance %v is not between 0 and 1", it.Importance)
	case len(it.Value) > 0 && !json.Valid(it.Value):
		return bad("the value is not JSON")
	case len(it.Key) > 200 || len(it.Title) > 400:
		return bad("key or title is too long")
	case !slices.Contains([]memory.State{memory.StateActive, memory.StateHeld, memory.StateMuted, memory.StateInactive}, it.State):
		return bad("state %q is unknown", it.State)
	case !it.ValidFrom.IsZero() && !it.ValidTo.IsZero() && !it.ValidFrom.Before(it.ValidTo):
		return bad("it ends before it begins to hold")
	}
	return nil
}

func typeList() string {
	var names []string
	for _, t := range memory.Types() {
		names = append(names, string(t))
	}
	return strings.Join(names, ", ")
}
