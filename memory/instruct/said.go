package instruct

import (
	"slices"
	"strings"
	"unicode/utf8"

	"memoria/index/text"
	"memoria/memory"
	"memoria/memory/pattern"
)

// BringsBackWhat returns what a message wants to have back after a deletion: "bring back the choir thing", 恢复老公的生日.
// The words may also mean something else; ok is false if they are nothing like that.
func BringsBackWhat(message string, spans []memory.Span) (what string, ok bool) {
	said, ok := typedAlone(message, spans)
	if !ok || len(said) > maxBytes {
		return "", false
	}
	said = strings.Trim(text.Fold(said), " .!。！~")
	groups := groupsOf(values().Pattern("{bringsBackWhat}"), said)
	return groups["o"], groups["o"] != ""
}

// takesBackLast reads an order about the message before, "forget what I just said", "don't remember that", or about the recent
// ones with the words of an object, 别记我刚才说的那些密码. The object is "?" if it is too short to find any.
func takesBackLast(said string) (in Instruction, ok bool) {
	if len(said) > maxBytes || strings.ContainsAny(said, "?？") {
		return in, false
	}
	in = Instruction{Kind: Undo, Last: true, Chinese: strings.ContainsFunc(said, text.Han)}
	ok = saysOnly(said, func(part string) bool {
		part = bare(part)
		if groups := groupsOf(values().Pattern("{forgetsSaid}"), part); groups["o"] != "" {
			in.Object = groups["o"]
			return true
		}
		if values().Pattern("{keepsNotLast}").Match(part) {
			in.Kind = Unrecorded
			return true
		}
		return values().Pattern("{forgetsLast}").Match(part)
	})
	if ok && han(in.Object) && utf8.RuneCountInString(in.Object) < 2 {
		in.Object = "?"
	}
	return in, ok
}

// AsksHowToForget reports whether a message asks how to delete memories, without an instruction to do it.
func AsksHowToForget(message string, spans []memory.Span) bool {
	said, ok := typedAlone(message, spans)
	return ok && len(said) <= maxBytes && asksHow(said) && values().Pattern("{howToForget}").Match(text.Fold(said))
}

// asksHow reports whether a message asks how something is done.
func asksHow(said string) bool { return values().Pattern("{howQuestion}").Match(text.Fold(said)) }

// ChangesFact reports whether a message gives a fact or a plan another value, 把预算改成五万. Alone it is no request to edit
// a text.
func ChangesFact(typed string) bool {
	_, _, ok := changedFact(typed)
	return ok
}

// changedFact returns what has another value, and the value.
func changedFact(typed string) (what, value string, ok bool) {
	said := strings.Trim(text.Fold(strings.TrimSpace(typed)), " .!。！~")
	if len(said) > maxBytes {
		return "", "", false
	}
	groups := groupsOf(values().Pattern("{changesFact}"), said)
	what, value = groups["o"], groups["new"]
	if what == "" || value == "" || values().Pattern("{aboutText}").Match(what+value) {
		return "", "", false
	}
	return what, value, true
}

// groupsOf returns the captures of a match, by name; nil if there is none.
func groupsOf(p pattern.Pattern, s string) map[string]string {
	m := p.Groups(s)
	if m == nil {
		return nil
	}
	out := map[string]string{}
	for g, name := range p.Regexp().SubexpNames() {
		if name, _, _ = strings.Cut(name, "_"); name != "" && m[2*g] >= 0 {
			out[name] = strings.TrimSpace(s[m[2*g]:m[2*g+1]])
		}
	}
	return out
}

// Exact returns the only item that an instruction names by its exact words, or by words in quotation marks that no other
// item has.
func Exact(in Instruction, items []memory.Item) (memory.Item, bool) {
	object := strings.Trim(in.Object, quoteMarks)
	if object == "" {
		return memory.Item{}, false
	}
	plainly := func(s string) string {
		p, _ := newPlain(strings.Trim(s, " .。!！"), nil)
		return strings.Trim(p.text, " ,.")
	}
	want := plainly(object)
	only := func(is func(memory.Item) bool) (memory.Item, bool) {
		i := slices.IndexFunc(items, is)
		if i < 0 || slices.ContainsFunc(items[i+1:], is) {
			return memory.Item{}, false
		}
		return items[i], true
	}
	if it, ok := only(func(it memory.Item) bool { return want != "" && plainly(it.Content) == want }); ok || !in.Quoted {
		return it, ok
	}
	return only(func(it memory.Item) bool { return Holds(it, object) })
}

// quoteMarks are quotation marks, and blanks.
const quoteMarks = " \"“”„‘’「」『』«»"

// quotedForget reads an order to forget words in quotation marks: 把“老公是女儿喜欢”删掉. It is one only if the memory has them.
func quotedForget(said string) (in Instruction, ok bool) {
	if len(said) > maxBytes || strings.Contains(said, "\n") {
		return in, false
	}
	folded := text.Fold(said)
	groups := groupsOf(values().Pattern("{quotedForget}"), strings.Trim(folded, " .!。！~"))
	if groups["o"] == "" {
		return in, false
	}
	return Instruction{
		Kind: Forget, Object: groups["o"], Unsure: true, Quoted: true, Chinese: strings.ContainsFunc(said, text.Han),
	}, true
}

// OutlastsPlans reports whether an item is about a home or a job and a message, which says that something is over, says
// nothing of those.
func OutlastsPlans(it memory.Item, said string) bool {
	return it.Type != memory.TypeGoal && values().Pattern("{homeOrJob}").Match(text.Fold(it.Content)) &&
		!values().Pattern("{leavesHomeOrJob}").Match(text.Fold(said))
}
