package policy

import (
	"crypto/sha256"
	"encoding/hex"
	"memoria/memory/pattern"
	"strings"
	"unicode"
	"unicode/utf8"

	"memoria/index/text"
)

// maxKeyRunes bounds the object in a key; a longer one is cut and ends in a hash of the whole.
const maxKeyRunes = 48

// keyNoise are the words that do not tell one thing from another.
var keyNoise = wordSet(`a an the my some any bit cup lot of_course so very really just please again all_the`)

// lightVerbs only say what one does with a thing; "drinking tea" and "tea" are one preference.
var lightVerbs = expr(`^(?:to )?(?:drink(?:ing)?|eat(?:ing)?|have|having|us(?:e|ing)|watch(?:ing)?|listen(?:ing)? to|play(?:ing)?)\s+(\S.*)$`)

// adverbial begins what says how or when one does something, which is no object.
var adverbial = expr(`^(?:before|after|in|at|on|with|without|to|for|by|alone|together|outside|out|from|during|while|when|late|early|healthy|well)\b`)

var lightVerbsHan = expr(`^(?:去|来|在)?(?:喝|吃|用|看|听|玩|打|读|养|使用)(?:点|些|一点)?\s*(\S.*)$`)

// particlesHan close a Chinese phrase; without 的 they are no part of it, with it only its key is the same.
var particlesHan = expr(`(?:了|吧|呢|啊|呀|哦|噢|哈|嘛|啦|喔|耶|哟|诶|~|得很|的东西|这种东西|什么的)+$`)

// objectKey is the form in which an object stands in a key: folded, without articles, politeness and
// particles, words joined by hyphens. "a cup of Tea" and "drinking tea" give "tea", 喝茶了 gives 茶.
func objectKey(s string) string {
	f := strings.TrimSpace(text.Fold(s))
	f = trimObject(f)
	for _, re := range []pattern.Pattern{lightVerbs, lightVerbsHan} {
		if m := re.Groups(f); m != nil && !adverbial.Match(f[m[2]:m[3]]) {
			f = f[m[2]:m[3]]
		}
	}
	f = strings.TrimPrefix(f, "to ")
	for _, re := range []pattern.Pattern{particlesHan, possessive} {
		if cut := re.Replace(f, ""); cut != "" {
			f = cut
		}
	}
	words := strings.FieldsFunc(f, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r) && !strings.ContainsRune("+#.'", r)
	})
	kept := words[:0]
	for i, w := range words {
		w = strings.Trim(w, ".'")
		if w == "" || keyNoise[w] && len(words) > 1 || w == "of" && i == 0 {
			continue
		}
		kept = append(kept, w)
	}
	if len(kept) > 1 && kept[0] == "of" {
		kept = kept[1:]
	}
	return bounded(strings.Join(kept, "-"))
}

// bounded cuts a long key and marks it with a hash of the whole.
func bounded(key string) string {
	if utf8.RuneCountInString(key) <= maxKeyRunes {
		return key
	}
	return string([]rune(key)[:maxKeyRunes-9]) + "-" + hash(key)[:8]
}

// noteKey names a note by its words: the same note said again, with other stops or politeness, is the same.
func noteKey(content string) string {
	return "note/" + hash(sameForm(trimObject(text.Fold(content))))[:12]
}

func hash(s string) string {
	sum := sha256.Sum256([]byte(s))
	return hex.EncodeToString(sum[:])
}

var possessive = expr(`的$`)

// trailers end a statement without belonging to its object.
var trailers = expr(`(?:[\s,.!~;:)]|\s(?:very much|so much|too much|a lot|a whole lot|a great deal|a ton|too|as well|though|these days|nowadays|lately|recently|right now|now|again|at all|any ?more|any longer|please|pls|thanks|thank you|btw|by the way|lol|haha+|honestly|to be honest|tbh|actually|the most|the best|best|more|most|ok|okay|obviously|of course|for sure|as you know|you know|by far|in general|generally|a bit|a little|mostly|usually|either|anyway|from now on|in (?:the )?future|going forward|xd|imo|imho|to death))+$`)

var trailersHan = expr(`(?:[\s,。.!~;:、)]|哈哈+|谢谢|多谢|而已|罢了)+$`)

// trimObject cuts what ends a folded object without belonging to it.
func trimObject(f string) string {
	for {
		cut := trailersHan.Replace(trailers.Replace(f, ""), "")
		if cut == f || cut == "" {
			return f
		}
		f = cut
	}
}

// wordSet makes a set of the words in a list; an underscore stands for a blank.
func wordSet(list string) map[string]bool {
	set := map[string]bool{}
	for _, w := range strings.Fields(list) {
		set[strings.ReplaceAll(w, "_", " ")] = true
	}
	return set
}
