package policy

import (
	"strings"
	"unicode"

	"memoria/index/text"
	"memoria/memory"
)

// Upsert names how a candidate joins what is there.
type Upsert string

// The ways a candidate can join (P1, P4).
const (
	Insert    Upsert = "insert"    // nothing there speaks of it
	Update    Upsert = "update"    // it confirms the target: last_confirmed_at, confidence up, more evidence
	Supersede Upsert = "supersede" // it contradicts the target, which ends; the two are linked
	Skip      Upsert = "skip"      // it is not written
)

// Plan says how to write a candidate.
type Plan struct {
	Action   Upsert
	TargetID string // the item to update or supersede
	// Candidate is what to write: for an insert or a supersede the new item, for an update the values that
	// the target should have afterwards (Confidence is raised already).
	Candidate Candidate
	Reason    string
	// Hold says why a write has to wait for the user's yes; empty when it need not.
	Hold string
}

const (
	// confirmStep is the share of the remaining doubt that a confirmation removes (P4): 0.5 → 0.6, 0.9 → 0.92.
	confirmStep = 0.2
	// supersedeStep raises the importance of what won over an older statement by this share of the rest (P4).
	supersedeStep = 0.3
	// identityConfidence is the confidence of a changed identity: a name or birthday that is suddenly another
	// one may be somebody else's (P5).
	identityConfidence = 0.7
)

// PlanUpsert applies P4. existing are the active items with one of the candidate's [SlotKeys] or with the same
// folded content and, for a candidate with Corrects, any others that may hold the corrected value; the order does
// not matter. The same thing said again confirms; a different value in a slot, or the other polarity, is a
// contradiction and supersedes; what an inference says against the user's own word does so only when the
// user agrees (Plan.Hold).
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
	case !ok:
		return Plan{Action: Insert, Candidate: c, Reason: "nothing like it is known"}
	case says(c, target):
		return confirm(c, target)
	case writtenMore(target, c):
		plan := confirm(c, target)
		plan.Reason = "what you wrote says this and more"
		return plan
	case impliedBy(c, target):
		return Plan{Action: Skip, TargetID: target.ID, Candidate: c, Reason: "follows from what is known"}
	}
	return supersede(c, target, "contradicts what was known")
}

// slotless reports whether the candidate corrects a value without naming the slot it stands in.
func slotless(c Candidate) bool { return c.Corrects != "" && strings.HasPrefix(c.Key, "correction/") }

// correctExisting puts the right value in the place of the wrong one in the item that holds it: the one
// whose value it is, else the only one whose words contain it.
func correctExisting(c Candidate, existing []memory.Item) (Plan, bool) {
	st, ok := c.Statement()
	if !ok {
		return Plan{}, false
	}
	wrong := sameForm(c.Corrects)
	var holder *memory.Item
	for i := range existing {
		old, ok := statementOf(existing[i].Value)
		if ok && sameForm(old.Value) == wrong && (holder == nil || existing[i].UpdatedAt.After(holder.UpdatedAt)) {
			holder = &existing[i]
		}
	}
	if holder == nil {
		for i := range existing {
			if containsWords(existing[i].Content, c.Corrects) {
				if holder != nil {
					return Plan{}, false // two could be meant
				}
				holder = &existing[i]
			}
		}
	}
	if holder == nil {
		return Plan{}, false
	}
	c.Type, c.Title, c.Tags = holder.Type, holder.Title, holder.Tags
	c.Key = rekey(holder.Key, c.Corrects, st.Value)
	c.Content = replaceFolded(holder.Content, c.Corrects, st.Value)
	if old, ok := statementOf(holder.Value); ok {
		old.Value = replaceFolded(old.Value, c.Corrects, st.Value)
		c.Polarity = old.Polarity
		c.setStatement(old)
	}
	return supersede(c, *holder, "corrects it"), true
}

// rekey changes the object in a key of many ("preference/tea") and leaves the key of a slot as it is.
func rekey(key, wrong, right string) string {
	head, tail, ok := strings.Cut(key, "/")
	if ok && tail == objectKey(wrong) {
		return head + "/" + objectKey(right)
	}
	return key
}

// findTarget picks the item with the candidate's key, the latest if there are several, else one with the
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

// says reports whether the item already says what the candidate says. Where both hold a statement neither the
// wording nor the language counts: "I like tea" is said by "Loves tea" and by 喜欢喝茶. A candidate may leave
// out what the item knows (the date of a goal), but not add to it.
func says(c Candidate, it memory.Item) bool {
	a, okA := c.Statement()
	b, okB := statementOf(it.Value)
	if !okA || !okB || it.Key != c.Key && !SameSlot(it.Key, c.Key) {
		return sameForm(c.Content) == sameForm(it.Content)
	}
	return samePolarity(a, b) && sameThing(a.Value, b.Value) &&
		(a.Over == "" || sameThing(a.Over, b.Over)) &&
		(a.When == "" || sameForm(a.When) == sameForm(b.When))
}

// writtenMore reports whether an item that the user wrote or edited says what a candidate for its slot says, and more:
// it is never replaced by less (P4).
func writtenMore(it memory.Item, c Candidate) bool {
	st, ok := c.Statement()
	if it.Origin != memory.OriginUser || !ok || !SameSlot(it.Key, c.Key) {
		return false
	}
	if denies := c.Polarity == Negative || Negated(c.Content); denies != Negated(it.Content) {
		return false
	}
	for _, words := range []string{st.Value, st.Over, st.When} {
		if words != "" && !mentions(it, words) && !strings.Contains(sameForm(it.Content), sameForm(words)) {
			return false
		}
	}
	return !holdsWords(c.Content, it.Content)
}

// samePolarity reports whether two statements take the same side.
func samePolarity(a, b Statement) bool { return (a.Polarity == Negative) == (b.Polarity == Negative) }

// impliedBy reports whether the item says more than the candidate: who likes one kind, such as dark mode, is
// known not to like the other.
func impliedBy(c Candidate, it memory.Item) bool {
	a, okA := c.Statement()
	b, okB := statementOf(it.Value)
	return okA && okB && strings.HasPrefix(c.Key, "preference/kind-of-") && it.Key == c.Key &&
		a.Polarity == Negative && b.Polarity == Positive && objectKey(a.Value) != objectKey(b.Value)
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

// Replacing plans to put a candidate in the place of an item, because the user said what is so instead (P5c). In a slot
// that holds one value it takes the item's key.
func Replacing(c Candidate, it memory.Item) Plan {
	if c.Type == it.Type && singleSlot(it.Key) {
		c.Key = it.Key
	}
	plan := supersede(c, it, "you said what is so instead")
	plan.Hold = ""
	return plan
}

// singleSlot reports whether a key names a slot that holds one value.
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

// Sayings are the forms of what an item says by which it is known again, whatever its wording: its folded
// words, and its slot with its value, in both languages.
func Sayings(it memory.Item) []string {
	out := []string{"words\x00" + sameForm(it.Content)}
	st, ok := statementOf(it.Value)
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

// identitySlot reports whether a slot says who the user is, so that another value is a large change (P5).
func identitySlot(key string) bool {
	switch key {
	case "name", "birthday", "birthplace", "gender", "nationality":
		return true
	}
	return false
}

// sameForm is the form in which two wordings are compared: folded letters and digits only.
func sameForm(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) || r == '+' || r == '#' {
			return r
		}
		return -1
	}, text.Fold(s))
}

func containsWords(s, part string) bool {
	_, _, ok := foldedIndex(s, part)
	return ok
}

// replaceFolded replaces the first place in s that folds like old.
func replaceFolded(s, old, with string) string {
	lo, hi, ok := foldedIndex(s, old)
	if !ok {
		return with
	}
	return s[:lo] + with + s[hi:]
}

// foldedIndex finds where in s the words of part stand, in bytes of s; Latin words only as whole words.
func foldedIndex(s, part string) (lo, hi int, ok bool) {
	v := newView(s, len(s)*4+1)
	want := strings.TrimSpace(text.Fold(part))
	if want == "" {
		return 0, 0, false
	}
	for from := 0; ; {
		i := strings.Index(v.text[from:], want)
		if i < 0 {
			return 0, 0, false
		}
		i += from
		if wholeWord(v.text, i, i+len(want)) {
			lo, hi = v.source(i, i+len(want))
			return lo, hi, true
		}
		from = i + 1
	}
}
