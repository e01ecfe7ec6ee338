package subject

import (
	"slices"
	"strings"
	"unicode/utf8"

	"memoria/memory/pattern"
	"memoria/memory/policy/lang"
)

// joint is a place in a Chinese sentence without punctuation where a new statement begins: in a match of in, at the
// first match of at or, without that, at the second character.
type joint struct {
	in, at pattern.Pattern
	second bool
	party  bool // only if somebody was spoken of before
}

var joints = []joint{
	{in: lang.Form("newParty"), second: true, party: true},     // 我老公叫陈建国 | 女儿叫陈朵朵
	{in: lang.Form("ofNamed"), at: lang.Form("ofNamedAt")},     // 女儿叫陈朵朵 | 今年八岁
	{in: lang.Form("ofAged"), at: lang.Form("ofAgedAt")},       // 今年八岁 | 上二年级
	{in: lang.Form("agedThen"), at: lang.Form("agedThenAt")},   // 今年45 | 成都人
	{in: lang.Form("tellsThen"), at: lang.Form("tellsThenAt")}, // 哦对 | 她叫周桂芳
	{in: lang.Form("tellsNow"), second: true},                  // 妈妈叫啥来着 | 哦对她叫周桂芳
}

// begins returns where a new statement begins in s[m[0]:m[1]], a match of in.
func (j joint) begins(s string, m []int) (at int, ok bool) {
	if j.second {
		_, n := utf8.DecodeRuneInString(s[m[0]:])
		last := strings.LastIndexAny(s[:m[0]], ",;:.!?\n ") + 1
		return m[0] + n, !j.party || anyParty.Match(s[last:m[0]])
	}
	in := j.at.Find(s[m[0]:m[1]])
	if in == nil || in[0] == 0 {
		return 0, false
	}
	return m[0] + in[0], true
}

const pause = "，"

// pauses returns a message with the commas that a Chinese run-on sentence lacks.
func pauses(message string) Told {
	t := Told{Text: message}
	if !lang.HasHan(message) {
		return t
	}
	v := lang.NewView(message, lang.MaxRead)
	var at []int
	for _, j := range joints {
		for _, m := range j.in.FindAll(v.Text) {
			if i, ok := j.begins(v.Text, m); ok {
				at = append(at, i)
			}
		}
	}
	slices.Sort(at)
	var commas []edit
	for _, i := range slices.Compact(at) {
		from, _ := v.Source(i, i+1)
		if before, _ := utf8.DecodeLastRuneInString(message[:from]); before != ' ' {
			commas = append(commas, edit{at: from, cut: strings.Count(message[from:from+1], " "), with: pause})
		}
	}
	t.change(commas)
	return t
}
