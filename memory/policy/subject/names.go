package subject

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"memoria/index/text"
	"memoria/memory/policy/lang"
)

var (
	firstNames = lang.Listed("subject_names_en")

	// Forms of people.txt.
	beforeLowName = lang.Form("beforeLowName") // a name that follows may be in lower case
	rowOfKin      = lang.Form("rowOfKin")      // a row of names with ages follows: "two kids"
	rowAge        = lang.Form("rowAge")        // such an age
	rowNext       = lang.Form("rowNext")       // what stands between it and the next name
	isOnDay       = lang.Form("isOnDay")       // after a name: "'s is 22 October"
	ofBirthday    = lang.Form("ofBirthday")    // about a birthday
	introLead     = lang.Form("introLead")     // before the user's own name
	introAge      = lang.Form("introAge")      // after it
	introState    = lang.Form("introState")
	introRole     = lang.Form("introRole")
	kinLacks      = lang.Form("kinLacks") // one of the user's people, before an "s" that lacks its apostrophe

	oneOf = lang.Table("oneOf")
)

// edit replaces text[at:at+cut] of a message. person is the one whom the new words name.
type edit struct {
	at, cut int
	with    string
	person  Person
}

// edited is a message after some edits, in order, and where they are in it.
func edited(message string, edits []edit) (string, []insertion) {
	var b strings.Builder
	var in []insertion
	end := 0
	for _, e := range edits {
		b.WriteString(message[end:e.at])
		in = append(in, insertion{at: b.Len(), size: len(e.with), cut: e.cut, person: e.person})
		b.WriteString(e.with)
		end = e.at + e.cut
	}
	b.WriteString(message[end:])
	return b.String(), in
}

// kinEdits puts in the apostrophe that a word for one of the user's people lacks: "mums coeliac".
func kinEdits(message string) (out []edit) {
	low := strings.ToLower(message)
	if len(low) != len(message) || lang.HasHan(message) {
		return nil
	}
	for _, m := range kinLacks.FindAll(low) {
		out = append(out, edit{at: m[0] + strings.LastIndex(low[m[0]:m[1]], "s "), with: "'"})
	}
	return out
}

// nameEdits capitalises names in lower case, and makes a statement of each in a row of the user's children or
// animals: "got two kids alfie hes 11 and maisie whos 7".
func nameEdits(message string) (out []edit) {
	low := strings.ToLower(message)
	if len(low) != len(message) || lang.HasHan(message) {
		return nil
	}
	row, relation := -1, ""
	if m := rowOfKin.Find(low); m != nil && !ofAnother(low[:m[0]]) {
		row, relation = m[1], strings.TrimRight(firstWord(low[m[0]:m[1]]), ",:")
	}
	for at := 0; at < len(low); {
		end := at
		for end < len(low) && (unicode.IsLetter(rune(low[end])) && low[end] < utf8.RuneSelf || low[end] == '-') {
			end++
		}
		if end == at {
			at++
			continue
		}
		if at > 0 && (low[at-1] == '\'' || low[at-1] >= utf8.RuneSelf) {
			at = end
			continue
		}
		name := strings.ToUpper(low[at:at+1]) + message[at+1:end]
		switch age := rowAge.Find(low[end:]); {
		case at == row && age != nil && (firstNames().Words[low[at:end]] || isName(name) && !isWord(low[at:end])):
			one := Person{Name: name, Relation: singular(relation), Shared: true, Fresh: true}
			if low[at-1] == ' ' && !strings.HasSuffix(low[:at], "and ") {
				out = append(out, edit{at: at - 1, cut: 1, with: ", "})
			}
			out = append(out, edit{at: at, cut: end - at, with: "my " + one.Relation + " " + name, person: one},
				edit{at: end, cut: strings.LastIndexAny(low[end:end+age[1]], " (") + 1, with: " is "})
			row = -1
			if next := rowNext.Find(low[end+age[1]:]); next != nil {
				row = end + age[1] + next[1]
			}
			end += age[1]
		case at == row:
			row = -1
		case introLead.Match(low[:at]) && (firstNames().Words[low[at:end]] || isName(message[at:end])):
			out = append(append(out, edit{at: at, cut: end - at, with: name}), introEdits(low, end, low[at:end])...)
			return out
		case message[at] == low[at] && firstNames().Words[low[at:end]] && beforeLowName.Match(low[:at]):
			out = append(out, edit{at: at, cut: end - at, with: name})
		case message[at] == low[at] && calledBefore.Match(low[:at]) && isName(name) && !isWord(low[at:end]):
			out = append(out, edit{at: at, cut: end - at, with: name})
		}
		at = end
	}
	return out
}

// introEdits puts "i'm" before what a row says of the user after the name: ", 38, nurse in leeds".
func introEdits(low string, at int, name string) (out []edit) {
	for {
		rest, ok := strings.CutPrefix(low[at:], ", ")
		if !ok {
			return out
		}
		at += len(", ")
		switch first := firstWord(rest); {
		case introAge.Match(rest), introState.Match(rest):
			out = append(out, edit{at: at, with: "i'm "})
		case introRole.Match(rest) && first != name && !text.IsStop(first) && !subjectVerbsEN().Has(first):
			article := "a "
			if strings.ContainsAny(first[:1], "aeiou") {
				article = "an "
			}
			out = append(out, edit{at: at, with: "i'm " + article})
		}
		next := strings.Index(rest, ", ")
		if next < 0 {
			return out
		}
		at += next
	}
}

var calledBefore = lang.Form("calledBefore") // "my manager is called"

// FirstName reports whether a word in lower case is a first name and nothing else.
func FirstName(w string) bool { return firstNames().Words[w] }

func firstWord(s string) string {
	w, _, _ := strings.Cut(s, " ")
	return w
}

// singular returns the word for one of a row of people or animals.
func singular(w string) string {
	if one := oneOf()[w]; one != "" {
		return one
	}
	return strings.TrimSuffix(w, "s")
}

// meantEdits puts the person or animal that the previous message was about in place of the pronoun with which a
// message begins: "hes got a dodgy hip" after "my dad is 79". It does nothing if that message spoke of several
// whom the pronoun fits.
func meantEdits(message, before string, people []Person) []edit {
	v := lang.NewView(message, lang.MaxRead)
	starts := clauseStarts(v)
	if before == "" || len(starts) == 0 {
		return nil
	}
	at := starts[0]
	n, ok := GoesOnAbout(v.Text[at:])
	if !ok || strings.HasPrefix(v.Text[at:], "it") || lang.HasHan(before) != lang.HasHan(message) {
		return nil
	}
	party, pronoun := "", pronounOf(v.Text[at:at+n])
	told := lang.NewView(Tell(before, people, "").Text, lang.MaxRead)
	for lo, hi := range clauses(told) {
		now := PartyOf(told.Text[lo:hi])
		switch {
		case now == "" || now == party:
		case party != "" && MayMean(pronoun, now, ""), OtherIn(told.Text[lo:hi]) != "":
			return nil
		case MayMean(pronoun, now, ""):
			party = now
		}
	}
	if party == "" {
		return nil
	}
	said, n := Instead(v.Text[at:], party, n)
	from, _ := v.Source(at, at+1)
	_, to := v.Source(at, at+n)
	return []edit{{at: from, cut: to - from, with: said}}
}

// pronounOf is a pronoun without its verb: "he" of "hes".
func pronounOf(w string) string {
	if w == "hes" || w == "shes" {
		return w[:len(w)-1]
	}
	return w
}

// possessive returns the text after a name with the apostrophe that it lacks: "'s birthday" of "s birthday".
func possessive(name, rest string) (string, bool) {
	if !strings.HasPrefix(rest, "s ") || lang.HasHan(name) || isWord(name+"s") || text.IsStop(name+"s") {
		return rest, false
	}
	return "'" + rest, true
}
