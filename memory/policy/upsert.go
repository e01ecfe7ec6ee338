package policy

import (
	"slices"
	"strings"
	"time"
	"unicode"

	"memoria/index/text"
	"memoria/memory"
	"memoria/memory/policy/dating"
	"memoria/memory/policy/lang"
	"memoria/memory/policy/object"
	"memoria/memory/policy/wording"
)

// Upsert is the way a candidate joins existing items.
type Upsert string

// The ways to join (P1, P4).
const (
	Insert    Upsert = "insert"    // there is nothing about it
	Update    Upsert = "update"    // it confirms the target: last_confirmed_at, higher confidence, more evidence
	Supersede Upsert = "supersede" // it contradicts the target, which ends; the two are linked
	Skip      Upsert = "skip"      // it is not written
)

// Plan says how to write a candidate.
type Plan struct {
	Action   Upsert
	TargetID string // the item to update or supersede
	// Candidate is the content to write: the new item for an insert or a supersede, the target's new
	// values for an update (Confidence is already raised).
	Candidate Candidate
	Reason    string
	// Hold says why a write needs the user's approval; empty if it does not.
	Hold string
}

const (
	// confirmStep is the share of the remaining doubt that a confirmation removes (P4): 0.5 → 0.6, 0.9 →
	// 0.92.
	confirmStep = 0.2
	// supersedeStep is the share of the remaining importance that a superseding statement gains (P4).
	supersedeStep = 0.3
	// identityConfidence is the confidence of a changed identity: a sudden new name or birthday may be
	// somebody else's (P5).
	identityConfidence = 0.7
)

// PlanUpsert applies P4. existing are the active items with one of the candidate's [SlotKeys] or the same
// folded content and, for a candidate with Corrects, others that may have the corrected value; their order
// does not matter. A repeated statement confirms. A different value in a slot, or the other polarity,
// contradicts and supersedes. An inference against the user's own words does so only with the user's approval
// (Plan.Hold).
func (p *Policy) PlanUpsert(c Candidate, existing []memory.Item) Plan {
	if c.Risk == RiskSecret {
		return Plan{Action: Skip, Candidate: c, Reason: "secrets are never remembered"}
	}
	if slotless(c) {
		if plan, ok := correctExisting(c, existing); ok {
			return plan
		}
	}
	target, ok := findTarget(c, existing)
	switch {
	case !ok && slices.ContainsFunc(existing, func(it memory.Item) bool { return isOwnName(c, it) }):
		return Plan{Action: Skip, Candidate: c, Reason: "it is your name"}
	case !ok:
		return Plan{Action: Insert, Candidate: c, Reason: "nothing like it is known"}
	case says(c, target):
		return confirm(c, target)
	case writtenMore(target, c):
		plan := confirm(c, target)
		plan.Reason = "what you wrote says this and more"
		return plan
	case unsureName(c, target):
		return Plan{Action: Skip, TargetID: target.ID, Candidate: c, Reason: "does not say that your name is another"}
	case c.Rule == "change-staying-put" && target.State == memory.StateActive:
		return Plan{Action: Skip, TargetID: target.ID, Candidate: c, Reason: "does not say that you moved"}
	case impliedBy(c, target):
		return Plan{Action: Skip, TargetID: target.ID, Candidate: c, Reason: "follows from what is known"}
	}
	return supersede(c, target, "contradicts what was known")
}

// slotless reports whether the candidate corrects a value without naming its slot.
func slotless(c Candidate) bool { return c.Corrects != "" && strings.HasPrefix(c.Key, "correction/") }

// correctExisting replaces the wrong value in the item that has it: the one with this value, otherwise
// the only one whose words contain it.
func correctExisting(c Candidate, existing []memory.Item) (Plan, bool) {
	st, ok := c.Statement()
	if !ok {
		return Plan{}, false
	}
	wrong := sameForm(c.Corrects)
	var holder *memory.Item
	for i := range existing {
		old, ok := StatementOf(existing[i].Value)
		if ok && sameForm(old.Value) == wrong && (holder == nil || existing[i].UpdatedAt.After(holder.UpdatedAt)) {
			holder = &existing[i]
		}
	}
	if holder == nil {
		for i := range existing {
			if lang.ContainsWords(existing[i].Content, c.Corrects) {
				if holder != nil {
					return Plan{}, false // ambiguous
				}
				holder = &existing[i]
			}
		}
	}
	if holder == nil {
		return Plan{}, false
	}
	c.Type, c.Title, c.Tags, c.ValidTo = holder.Type, holder.Title, holder.Tags, holder.ValidTo
	c.Key = rekey(holder.Key, c.Corrects, st.Value)
	c.Content = dating.Replace(holder.Content, c.Corrects, st.Value)
	redated := dating.Labelled(holder.Content) && !dating.Labelled(c.Content)
	if redated {
		c.ValidTo = time.Time{}
	}
	if old, ok := StatementOf(holder.Value); ok {
		if redated {
			old.When = ""
		}
		old.Value = dating.Replace(old.Value, c.Corrects, st.Value)
		c.Polarity = old.Polarity
		c.setStatement(old)
	}
	return supersede(c, *holder, "corrects it"), true
}

// rekey changes the object in a multi-valued key ("preference/tea") and leaves a slot's key
// unchanged.
func rekey(key, wrong, right string) string {
	head, tail, ok := strings.Cut(key, "/")
	if ok && tail == objectKey(wrong) {
		return head + "/" + objectKey(right)
	}
	return key
}

// findTarget returns the item with the candidate's key, the latest of several, otherwise one with the
// same words.
func findTarget(c Candidate, existing []memory.Item) (best memory.Item, found bool) {
	rank := 0
	for _, it := range existing {
		r := 0
		switch {
		case SameSlot(it.Key, c.Key):
			r = 2
		case sameForm(it.Content) == sameForm(c.Content):
			r = 1
		}
		if r > rank || r > 0 && r == rank && it.UpdatedAt.After(best.UpdatedAt) {
			best, found, rank = it, true, r
		}
	}
	return best, found
}

// says reports whether the item already has the candidate's meaning. Between statements wording and language
// do not count: "I like tea" matches "Loves tea" and 喜欢喝茶. A candidate may omit what the item knows (the
// date of a goal), but not add to it, nor name another time of day.
func says(c Candidate, it memory.Item) bool {
	if at, was := dating.Clock(c.Content), dating.Clock(it.Content); at != "" && was != "" && !dating.SameClock(at, was) {
		return false
	}
	a, okA := c.Statement()
	b, okB := StatementOf(it.Value)
	if !okA || !okB || it.Key != c.Key && !SameSlot(it.Key, c.Key) {
		return sameForm(c.Content) == sameForm(it.Content)
	}
	return samePolarity(a, b) && sameValue(a.Value, b.Value) &&
		(a.Over == "" || object.SameThing(a.Over, b.Over)) &&
		(a.When == "" || sameForm(a.When) == sameForm(b.When))
}

// sameValue reports whether two values mean the same, also with a time of day that is written otherwise.
func sameValue(a, b string) bool {
	at, was := dating.Clock(a), dating.Clock(b)
	rest := func(s, clock string) string {
		return sameForm(strings.Replace(strings.ReplaceAll(s, " ", ""), clock, "", 1))
	}
	return object.SameThing(a, b) || at != "" && was != "" && dating.SameClock(at, was) && rest(a, at) == rest(b, was)
}

// writtenMore reports whether an item written or edited by the user includes the candidate's meaning and
// more. It is never replaced by less (P4).
func writtenMore(it memory.Item, c Candidate) bool {
	st, ok := c.Statement()
	if it.Origin != memory.OriginUser || !ok || !SameSlot(it.Key, c.Key) {
		return false
	}
	if denies := c.Polarity == Negative || wording.Negated(c.Content); denies != wording.Negated(it.Content) {
		return false
	}
	for _, words := range []string{st.Value, st.Over, st.When} {
		if words != "" && !mentions(it, words) && !strings.Contains(sameForm(it.Content), sameForm(words)) {
			return false
		}
	}
	return !lang.HoldsKeywords(c.Content, it.Content)
}

// samePolarity reports whether two statements take the same side.
func samePolarity(a, b Statement) bool { return (a.Polarity == Negative) == (b.Polarity == Negative) }

// impliedBy reports whether the item implies the candidate: liking dark mode implies not liking the other.
func impliedBy(c Candidate, it memory.Item) bool {
	a, okA := c.Statement()
	b, okB := StatementOf(it.Value)
	if c.Key == "relationship/status" && it.State == memory.StateActive && !c.Correction && okA && okB && samePolarity(a, b) {
		return lang.HoldsKeywords(a.Value, b.Value) // "got married" of somebody married to Tunde
	}
	return okA && okB && strings.HasPrefix(c.Key, "preference/kind-of-") && it.Key == c.Key &&
		a.Polarity == Negative && b.Polarity == Positive && objectKey(a.Value) != objectKey(b.Value)
}

// NicknameKey is the key of what the user wants to be called.
const NicknameKey = "name/nickname"

// isOwnName reports whether a candidate calls the user by the name that is known.
func isOwnName(c Candidate, it memory.Item) bool {
	st, ok := c.Statement()
	name, okName := StatementOf(it.Value)
	return c.Key == NicknameKey && it.Key == "name" && it.State == memory.StateActive && ok && okName &&
		object.SameThing(st.Value, name.Value)
}

// introductions are the rules that read a name of words that may be a joke or somebody else's: "I am Sam".
var introductions = []string{"name-introduced", "name-first", "name-here", "name-greeted", "name-by-the-way", "name-known"}

// unsureName reports whether a candidate gives no reason to replace a known name: it is part of that name, or only
// an introduction.
func unsureName(c Candidate, it memory.Item) bool {
	st, ok := c.Statement()
	old, okOld := StatementOf(it.Value)
	if c.Key != "name" || it.Key != "name" || it.State != memory.StateActive || !ok || !okOld {
		return false
	}
	if c.Corrects != "" && sameForm(c.Corrects) == sameForm(old.Value) {
		return false
	}
	return slices.Contains(introductions, c.Rule) || strings.Contains(old.Value, " ") && lang.ContainsWords(old.Value, st.Value)
}

func confirm(c Candidate, it memory.Item) Plan {
	conf := max(it.Confidence, min(c.Confidence, 1))
	c.Confidence = conf + confirmStep*(1-conf)
	c.Importance = max(c.Importance, it.Importance)
	c.Type, c.Key, c.Title, c.Content, c.Value = it.Type, it.Key, it.Title, it.Content, it.Value
	if it.Source == memory.SourceUserStated {
		c.Source = it.Source
	}
	return Plan{Action: Update, TargetID: it.ID, Candidate: c, Reason: "said again"}
}

func supersede(c Candidate, it memory.Item, why string) Plan {
	imp := max(c.Importance, it.Importance)
	c.Importance = imp + supersedeStep*(1-imp)
	if identitySlot(c.Key) && !c.Explicit && !c.Correction {
		c.Confidence = min(c.Confidence, identityConfidence)
	}
	plan := Plan{Action: Supersede, TargetID: it.ID, Candidate: c, Reason: why}
	if c.Source != memory.SourceUserStated && it.Source == memory.SourceUserStated {
		plan.Hold = "contradicts what you said"
	}
	return plan
}

// Replacing plans to replace an item by a candidate, because the user stated a new value (P5c). In a
// single-valued slot it keeps the item's key.
func Replacing(c Candidate, it memory.Item) Plan {
	if c.Type == it.Type && singleSlot(it.Key) {
		c.Key = it.Key
	}
	plan := supersede(c, it, "you said what is so instead")
	plan.Hold = ""
	return plan
}

// Compatible reports whether two keys name different slots of one value each, so that neither item can replace
// the other: a daughter's name and her age.
func Compatible(a, b string) bool {
	if a == "" || b == "" || SameSlot(a, b) {
		return false
	}
	x, y := strings.Split(a, "/"), strings.Split(b, "/")
	switch {
	case x[0] == "relation" && y[0] == "relation":
		return len(x) > 2 && len(y) > 2 && x[2] != y[2]
	case x[0] == "relationship" && y[0] == "relation", x[0] == "relation" && y[0] == "relationship":
		return true
	}
	return singleSlot(a) && singleSlot(b)
}

// singleSlot reports whether a key names a single-valued slot.
func singleSlot(key string) bool {
	switch head, _, many := strings.Cut(key, "/"); {
	case key == "rule/language" || key == "rule/style" || key != "" && !many:
		return true
	case head == "favourite":
		return true
	}
	for _, slot := range slotName() {
		if slot == key {
			return true
		}
	}
	return false
}

// RefusalKeys returns the keys under which a refused statement is recognised in any wording: its folded words,
// and its slot with its value, in both languages.
func RefusalKeys(it memory.Item) []string {
	out := []string{"words\x00" + sameForm(it.Content)}
	st, ok := StatementOf(it.Value)
	if !ok || it.Key == "" {
		return out
	}
	value, object := objectKey(st.Value), it.Key[strings.LastIndexByte(it.Key, '/')+1:]
	for _, key := range SlotKeys(it.Key) {
		said := value
		if value == object {
			said = key[strings.LastIndexByte(key, '/')+1:]
		}
		out = append(out, strings.Join([]string{"slot", key, string(st.Polarity), said, sameForm(st.Over)}, "\x00"))
	}
	return out
}

// identitySlot reports whether a slot is part of the user's identity, so that another value is a major
// change (P5).
func identitySlot(key string) bool {
	switch key {
	case "name", "birthday", "birthplace", "gender", "nationality":
		return true
	}
	return false
}

// sameForm returns the form for comparing wordings: folded letters and digits only.
func sameForm(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) || r == '+' || r == '#' {
			return r
		}
		return -1
	}, text.Fold(s))
}
