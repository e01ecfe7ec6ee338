package profile

import (
	"slices"
	"strings"
	"time"

	"memoria/index/text"
	"memoria/memory"
)

// background lists the keys that are always useful about the user: identity, living
// situation, and forbidden food. Everything else is recalled on demand.
var background = []string{
	"name", "pronouns", "home", "origin", "birthplace", "birthday", "birth-year", "age", "nationality",
	"job", "study", "school", "household", "relationship/status", "fact/timezone", "fact/time-zone", "allergy", "diet",
}

// Words of preferences about languages or answers.
var (
	aboutLanguage = strings.Fields(`language bilingual english chinese mandarin cantonese japanese korean french german spanish italian
		portuguese russian simplified traditional 语言 双语 中文 汉语 普通话 粤语 英文 英语 日语 日文 韩语 法语 德语 西班牙语 俄语 简体 繁体`)
	aboutAnswers = strings.Fields(`answer answers reply replies response responses explanation explanations tone emoji emojis
		回答 回复 答复 答案 语气 表情`)
)

// SectionOf returns an item's section, and whether it belongs to the profile at all:
// how to answer, which languages, and who the user is.
func SectionOf(it memory.Item) (memory.Section, bool) {
	switch {
	case it.Type == memory.TypeRule && about(it, aboutLanguage), under(it.Key, "language"):
		return memory.SectionLanguage, true
	case it.Type == memory.TypeRule:
		return memory.SectionReply, true
	case it.Type == memory.TypePreference && about(it, aboutAnswers):
		if about(it, aboutLanguage) {
			return memory.SectionLanguage, true
		}
		return memory.SectionReply, true
	case slices.ContainsFunc(background, func(slot string) bool { return under(it.Key, slot) }):
		return memory.SectionBackground, true
	}
	return "", false
}

// under reports whether a key is the slot or below it.
func under(key, slot string) bool {
	rest, ok := strings.CutPrefix(key, slot)
	return ok && (rest == "" || rest[0] == '/')
}

// about reports whether an item has one of the words.
func about(it memory.Item, words []string) bool {
	said := text.Fold(it.Key + " " + it.Content)
	parts := strings.FieldsFunc(said, func(r rune) bool { return r == ' ' || r == '/' || r == '-' || r == '.' || r == ',' })
	return slices.ContainsFunc(words, func(w string) bool {
		if w[0] < 0x80 {
			return slices.Contains(parts, w)
		}
		return strings.Contains(said, w)
	})
}

// Belongs returns the section in which an item has a line at time now.
func Belongs(it memory.Item, now time.Time) (memory.Section, bool) {
	s, ok := SectionOf(it)
	return s, ok && it.Recallable(now)
}
