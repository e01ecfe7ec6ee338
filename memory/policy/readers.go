package policy

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"memoria/memory/policy/lang"
)

// readers handle clauses that the rule files cannot express.
var readers = map[string]reading{
	"introduction": introduction,
	"tools":        tools,
}

// introduction reads "Hi, I'm Anna": capitalised names after a greeting, or at the very beginning of more
// text. Patterns cannot see capitals or the text before the clause.
func introduction(s *scene) []draft {
	n, ok := s.l.kinds["name"].take(s, s.object("o"), 3)
	all := strings.Fields(n.raw)
	if !ok || len(all) > 3 || all[0] == strings.ToUpper(all[0]) || isQuality(all) {
		return nil
	}
	for _, w := range all {
		if r, _ := utf8.DecodeRuneInString(w); !unicode.IsUpper(r) || len(w) < 2 {
			return nil
		}
	}
	c := s.m.c
	lo, _ := c.bytes()
	if !c.explicit && !greeted.Match(c.v.Src[:lo]) && (lo > 0 || c.alone || c.text == "") {
		return nil
	}
	d := s.l.slots["name"].draft
	d.key, d.content, d.st.Value = "name", "Name is "+n.raw+".", n.raw
	return one(d)
}

var (
	greeted      = lang.Form("greeted")
	notNameAlone = lang.Words("notNameAlone")
)

// isQuality reports whether words after "I'm" describe the user instead of naming him.
func isQuality(all []string) bool {
	first := strings.ToLower(all[0])
	for _, set := range []func() map[string]bool{nationalities, conditions, statuses, workStatuses, diets, traits} {
		if set()[first] {
			return true
		}
	}
	return strings.HasSuffix(first, "ing") || len(all) == 1 && (strings.HasSuffix(first, "ed") || notNameAlone()[first])
}

var (
	nationalities = lang.Words("nationality")
	conditions    = lang.Words("condition")
	statuses      = lang.Words("status")
	workStatuses  = lang.Words("workStatus")
	diets         = lang.Words("diet")
	traits        = lang.Words("trait")
)

// tools makes an item of each tool in a list, if all of them are known tools; "I don't use Windows, Mac only"
// ends at the turn.
func tools(s *scene) []draft {
	list := s.object("o").whole().list()
	side, verb := Positive, "Uses "
	if !s.object("neg").empty() {
		side, verb = Negative, "Does not use "
	}
	var out []draft
	for _, o := range list {
		often := seldom.Find(o.fold)
		if often != nil {
			o = o.upTo(often[0])
		}
		if len(list) < 2 || size(o.fold) > 2 || !techWord.Match(o.fold) {
			return nil
		}
		if often != nil && side == Negative {
			break
		}
		d := s.l.slots["use"].draft
		d.key, d.content, d.st = "use/"+objectKey(o.fold), verb+o.raw+".", Statement{Value: o.raw, Polarity: side}
		out = append(out, d)
	}
	return out
}

var (
	seldom   = lang.Form("seldom")
	techWord = lang.Form("techWord")
)
