package policy

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"memoria/memory"
)

// --- the people and animals around the user

func relationRulesEN() []rule {
	return []rule{
		{"relation-name", `(?:my|our) (?P<w>{rel})(?:'s name is|s' names are|'s called|'s named| is (?:called|named)| are (?:called|named)| goes by| name is|'s names are) (?P<n>.+)`, func(m match) []draft {
			n := trimName(m.g("n"))
			if m.g("n").fold != n.fold && strings.Contains(m.g("n").fold, " and ") {
				n = m.g("n").trim()
			}
			if !isName(n, 6) {
				return nil
			}
			return one(relation(m.g("w"), "name", n, "is called "+n.raw))
		}},
		{"relation-birthday", `(?:my|our) (?P<w>{rel})'?s? birthday is(?: on)?(?: the)? (?P<o>.+)`, func(m match) []draft {
			o := m.g("o").trim()
			if !o.valid(6) || !monthOrDay.match(o.fold) {
				return nil
			}
			return one(relation(m.g("w"), "birthday", o, "has a birthday on "+o.raw))
		}},
		{"relation-home", `(?:my|our) (?P<w>{rel})(?:,? (?P<n>\w+),?)? (?:live|lives|is living|are living)(?: now)? (?:in|at|near) (?P<o>.+)`, func(m match) []draft {
			o := placeOf(m.g("o"))
			if o.empty() {
				return nil
			}
			return relationNamed(m, "home", o, "lives in "+o.raw)
		}},
		{"relation-job", `(?:my|our) (?P<w>{rel})(?:,? (?P<n>\w+),?)? (?:works|work|is working) (?P<v>as an?|at|for|in) (?P<o>.+)`, func(m match) []draft {
			o := m.g("o").trim()
			if !o.valid(7) || notWork.match(o.fold) {
				return nil
			}
			return relationNamed(m, "job", o, "works "+m.g("v").fold+" "+o.raw)
		}},
		{"relation-taste", `(?:my|our) (?P<w>{rel})(?:,? (?P<n>\w+),?)? (?:really |also |absolutely )?(?P<v>likes?|loves?|hates?|prefers?|(?:does not|doesn't|don't) (?:like|eat|drink)|can't stand|is allergic to|are allergic to) (?P<o>.+)`, func(m match) []draft {
			o := m.g("o").trim()
			if !o.valid(7) || reactionEN.match(o.fold) || definiteEN.match(o.fold) && !oneOfAKind.match(o.fold) || strings.HasPrefix(o.fold, "to ") && size(o.fold) < 2 {
				return nil
			}
			field, pol := "preference/", Positive
			v := m.g("v").fold
			switch {
			case strings.Contains(v, "allergic"):
				field = "allergy/"
			case strings.Contains(v, "n't"), strings.Contains(v, "not"), strings.HasPrefix(v, "hate"):
				pol = Negative
			}
			ds := relationNamed(m, field+objectKey(o.fold), o, v+" "+theirs(o.raw))
			if ds != nil {
				ds[0].st.Polarity = pol
			}
			return ds
		}},
		{"relation-is", `(?:my|our) (?P<w>{rel})(?:,? (?P<n>[a-z]+),?)?(?: is|'s| are) (?P<o>.+)`, relationIsEN},
		{"relation-with-name", `(?:my|our) (?P<w>{rel}),? (?P<n>[a-z]+),? (?:is|are|was|has|just|got|loves|likes)\b.*`, func(m match) []draft {
			n := m.g("n")
			if !capitalised(n) || notNameAlone[n.fold] {
				return nil
			}
			return one(relation(m.g("w"), "name", n, "is called "+n.raw))
		}},
	}
}

// relative reduces a relation to the word in its key.
func relative(w string) string {
	w = strings.TrimSuffix(strings.TrimSpace(w), "'s")
	switch w {
	case "mum", "mom", "mommy":
		return "mother"
	case "dad", "daddy":
		return "father"
	case "gf":
		return "girlfriend"
	case "bf":
		return "boyfriend"
	case "kids", "kid", "children":
		return "child"
	}
	if strings.HasSuffix(w, "s") && !strings.HasSuffix(w, "ss") && w != "boss" {
		w = strings.TrimSuffix(w, "s")
	}
	return strings.ReplaceAll(w, " ", "-")
}

func relation(w part, field string, v part, says string) draft {
	who := relative(w.fold)
	return draft{
		typ: memory.TypeRelationship, key: "relation/" + who + "/" + field, title: sentenceTitle(w.raw),
		content: "Their " + w.raw + " " + says + ".", st: Statement{Value: v.raw},
		tags: []string{"relationship", "关系", who}, importance: importanceFact, reason: "who is close to the user",
	}
}

// relationNamed also keeps the name in "my sister Emma lives in Rome".
func relationNamed(m match, field string, v part, says string) []draft {
	out := one(relation(m.g("w"), field, v, says))
	if n := m.g("n"); !n.empty() {
		if !capitalised(n) {
			return nil
		}
		out[0].content = "Their " + m.g("w").raw + " " + n.raw + " " + says + "."
		out = append(out, relation(m.g("w"), "name", n, "is called "+n.raw))
	}
	return out
}

func capitalised(p part) bool {
	r, _ := utf8.DecodeRuneInString(p.raw)
	return unicode.IsUpper(r)
}

var relationAge = expr(`^(?:\d{1,3}|[a-z]+teen|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)(?: years?| months?)?(?: old)?$`)

func relationIsEN(m match) []draft {
	o := m.g("o").trim()
	if !o.valid(7) {
		return nil
	}
	role := strings.TrimPrefix(strings.TrimPrefix(o.fold, "an "), "a ")
	switch {
	case relationAge.match(o.fold):
		return relationNamed(m, "age", o, "is "+o.raw)
	case role != o.fold && occupied(role):
		return relationNamed(m, "job", o, "is "+o.raw)
	case diets[role], conditions[role], nationalities[role], works[role]:
		return relationNamed(m, "about/"+objectKey(role), o, "is "+o.raw)
	case strings.HasPrefix(o.fold, "from "):
		return relationNamed(m, "origin", o, "is "+o.raw)
	case m.g("n").empty() && size(o.fold) <= 2 && capitalised(o) && isName(o, 2) && !notNameAlone[o.fold]:
		return one(relation(m.g("w"), "name", o, "is called "+o.raw))
	}
	return nil
}

var (
	petOrKin   = expr(`^(?:(?:a|an|one|two|three|four|five|six|\d+|a (?:little|older|younger|big|small)|some|many|several|twin|identical)\s+)?(?:(?:\w+[- ])?(?:\w+[- ]year[- ]old\s+|\w+[- ])?)?(?P<w>` + relativesEN + `|(?:golden |labrador |border |german |french |siamese |maine |persian )?(?:retriever|collie|shepherd|bulldog|poodle|corgi|husky|beagle|dachshund|labrador|chihuahua|coon))$`)
	haveFacts  = expr(`\b(?:diabetes|asthma|celiac disease|coeliac disease|adhd|add|autism|dyslexia|epilepsy|migraines|high blood pressure|hypertension|arthritis|insomnia|ibs|crohn's(?: disease)?|tinnitus|eczema|a heart condition|anxiety disorder|bipolar disorder|ocd|ptsd|color blindness|a pacemaker|a bad (?:knee|back|hip|shoulder)|a stutter)$`)
	haveDegree = expr(`^an? (?:\w+(?:'s)? )?(?:degree|phd|ph\.d|master'?s|bachelor'?s|mba|doctorate|diploma|driver'?s? licen[cs]e|green card|garden|motorcycle|tesla|greenhouse|vegetable garden|sailboat|blog|youtube channel|podcast|bakery|restaurant|shop|small business|company|twin)\b`)
	dated      = expr(`^(?P<e>an? (?:\w+ ){0,3}(?:appointment|meeting|exam|test|interview|flight|deadline|presentation|concert|wedding|surgery|operation|checkup|check-up|conference|race|marathon|date|trip|dinner|party|game|match|recital|talk|performance|vacation|holiday)(?: \w+){0,4}?) (?P<d>(?:on|in|at|by|this|next|tomorrow)\b.*|{date})$`)
)

func haveEN(m match) []draft {
	raw := m.g("o")
	o := raw.trim()
	neg := !m.g("neg").empty() || m.g("no").fold == "no"
	if !o.valid(12) {
		return nil
	}
	if n := trimName(m.g("n")); !n.empty() {
		if g := petOrKin.groups(o.fold); g != nil && isName(n, 5) {
			w := o.c.part(o.lo+g[2], o.lo+g[3])
			return one(relation(w, "name", n, "is called "+n.raw))
		}
		return nil
	}
	if g := petOrKin.groups(o.fold); g != nil {
		w := o.c.part(o.lo+g[2], o.lo+g[3])
		if size(o.fold) == 1 && !neg && !strings.HasSuffix(o.fold, "s") && o.fold != "children" {
			return nil
		}
		d := relation(w, "have", o, "")
		d.content, d.st.Polarity = "Has "+theirs(o.raw)+".", Positive
		if neg {
			d.content, d.st.Polarity = "Has no "+o.raw+".", Negative
			d.st.Value = o.raw
		}
		return one(d)
	}
	if neg {
		if o.fold == "siblings" || o.fold == "a car" || o.fold == "car" || o.fold == "pets" || o.fold == "a tv" || o.fold == "kids" {
			return one(draft{typ: memory.TypeFact, key: "fact/have-" + objectKey(o.fold), content: "Has no " + strings.TrimPrefix(o.raw, "a ") + ".", st: Statement{Value: o.raw, Polarity: Negative}, tags: []string{"about"}, importance: importanceFact, reason: "states who the user is"})
		}
		return nil
	}
	if haveFacts.match(o.fold) {
		return one(draft{typ: memory.TypeFact, key: "fact/" + objectKey(o.fold), content: "Has " + o.raw + ".", st: Statement{Value: o.raw, Polarity: Positive}, tags: []string{"health", "健康"}, importance: importanceHealth, reason: "must not be forgotten for the user's health"})
	}
	if haveDegree.match(o.fold) && !strings.HasPrefix(m.c.text, "i got") {
		return one(draft{typ: memory.TypeFact, key: "fact/have-" + objectKey(o.fold), content: "Has " + o.raw + ".", st: Statement{Value: o.raw, Polarity: Positive}, tags: []string{"about"}, importance: importanceFact, reason: "states who the user is"})
	}
	if g := dated.groups(raw.fold); g != nil {
		e, d := raw.c.part(raw.lo+g[2], raw.lo+g[3]), raw.c.part(raw.lo+g[4], raw.lo+g[5])
		return one(goal("goal/"+objectKey(e.fold), e, d, "Has "+theirs(e.raw)))
	}
	return nil
}

// --- tastes

func preference(o part, pol Polarity, content string) draft {
	return draft{
		typ: memory.TypePreference, key: "preference/" + objectKey(o.fold), content: content,
		st: Statement{Value: o.raw, Polarity: pol}, tags: []string{"preference", "喜好"},
		importance: importancePreference, reason: "a preference of the user",
	}
}

// preferences makes one draft for each member of a list.
func preferences(o part, pol Polarity, verb, stop string) []draft {
	var out []draft
	for _, x := range o.list() {
		if !x.valid(12) || objectKey(x.fold) == "" {
			continue
		}
		out = append(out, preference(x, pol, verb+theirs(x.raw)+cmpOr(stop, ".")))
	}
	return out
}

func cmpOr(s, alt string) string {
	if s != "" {
		return s
	}
	return alt
}

// pairPreference is a choice between two things. Its key is the pair in fixed order, so that the opposite
// choice contradicts it.
func pairPreference(o, over part, content string) draft {
	d := preference(o, Positive, content)
	a, b := objectKey(o.fold), objectKey(over.fold)
	if b < a {
		a, b = b, a
	}
	d.key = "preference/" + a + "|" + b
	d.st.Over = over.raw
	return d
}

func likeEN(pol Polarity, verb string) func(match) []draft {
	return func(m match) []draft {
		o := firstPart(m, "o", "p").trim()
		if !tasteEN(o) {
			return nil
		}
		if !m.g("better").empty() {
			return nil
		}
		return preferences(o, pol, verb, "")
	}
}

// tasteEN reports whether an object can be liked for longer than this conversation.
func tasteEN(o part) bool {
	switch {
	case !o.valid(12), objectKey(o.fold) == "":
		return false
	case whenYou.match(o.fold):
		return true
	case reactionEN.match(o.fold):
		return false
	case definiteEN.match(o.fold):
		return oneOfAKind.match(o.fold) || properNoun(o)
	}
	return true
}

var whenYou = expr(`^it when (?:you|people|someone|others) \w+`)

func preferenceRulesEN() []rule {
	return []rule{
		{"favourite", `my (?:all[- ]time |absolute |current |personal |number one )?(?:favou?rite|fav|fave)(?: kind of| type of)? (?P<x>.+?)(?: is| are|'s|:| has always been| will always be)(?: probably| definitely| still| now| actually)? (?P<o>.+?)(?:,? (?:and )?not (?P<w>.+))?`, favouriteEN},
		{"favourite-of", `(?P<o>.+?) (?:is|are) (?:still |now |definitely |probably )?my (?:all[- ]time |absolute |current )?(?:favou?rite|fav|fave) (?P<x>.+)`, favouriteEN},
		{"prefer-over", `i {adv}(?:prefer|favou?r|choose|pick)(?: using| to use| having| drinking| eating)? (?P<o>[^,]+?)(?: more)?(?:,? (?:over|to|rather than|instead of|and not|not|than|vs\.?|as opposed to|more than))(?: using| having| drinking| eating)? (?P<y>.+)`, preferOverEN},
		{"like-more-than", `i {adv}(?:like|love|enjoy) (?P<o>.+?) (?:more|better|way more|much more|a lot more) than (?P<y>.+)`, preferOverEN},
		{"prefer", `i {adv}prefer (?P<o>.+)`, func(m match) []draft {
			o := m.g("o").trim()
			if !tasteEN(o) {
				return nil
			}
			d := preference(o, Positive, "Prefers "+theirs(o.raw)+".")
			if k := contrastKey(o.fold); k != "" {
				d.key = "preference/" + k
			}
			return one(d)
		}},
		{"prefer-slot", `my (?:personal )?preference is (?:for |to )?(?P<o>.+)`, likeEN(Positive, "Prefers ")},
		{"use-not", `i {adv}(?:use|code in|write|program in|drive|drink|eat) (?P<o>[^,]+?)(?:,| and| but)? (?:not|never|instead of|rather than|over) (?P<y>.+)`, func(m match) []draft {
			o, y := m.g("o").trim(), m.g("y").trim()
			if !o.valid(4) || !y.valid(4) || reactionEN.match(o.fold) || reactionEN.match(y.fold) || definiteEN.match(o.fold) || strings.Contains(o.fold, "{") {
				return nil
			}
			return one(pairPreference(o, y, "Uses "+o.raw+", not "+y.raw+"."))
		}},
		{"switched", `(?:i|we)(?:'ve| have)?(?: just| recently| finally)* (?:switched|migrated|changed) from (?P<y>.+?) to (?P<o>.+)`, func(m match) []draft {
			o, y := m.g("o").trim(), m.g("y").trim()
			if !o.valid(4) || !y.valid(4) || reactionEN.match(o.fold) || definiteEN.match(o.fold) {
				return nil
			}
			return one(pairPreference(o, y, "Switched from "+y.raw+" to "+o.raw+"."))
		}},
		{"dislike", `(?:i {adv}(?:hate|dislike|detest|loathe|despise|can'?t stand|cannot stand|can not stand|can'?t bear|cannot bear|can'?t tolerate|can'?t abide|{dont} {adv}(?:like|enjoy|love|care for)|no longer (?:like|enjoy|love)|stopped liking|have grown to hate|abhor)|{am} {adv}(?:not|no longer) {adv}(?:into|fond of|keen on|crazy about|(?:a )?(?:big |huge )?fan of)|{am} {adv}(?:sick|tired) of) (?P<o>.+)`, dislikeEN},
		{"like", `(?:i {adv}(?:like|love|adore|enjoy|fancy)|{am} {adv}(?:into|fond of|crazy about|keen on|mad about|nuts about|(?:a )?(?:big |huge )?fan of|obsessed with|partial to|passionate about|addicted to|big on)|i(?:'ve| have) always (?:liked|loved|enjoyed|adored)|i have a (?:soft spot|weakness|passion|sweet spot) for) (?P<o>.+)`, likeEN(Positive, "Likes ")},
		{"dislike-always", `i(?:'ve| have) (?:always|never) (?P<v>hated|disliked|liked|loved|enjoyed|been (?:a )?(?:big |huge )?fan of|been into) (?P<o>.+)`, func(m match) []draft {
			if strings.Contains(m.c.text, "always") != (strings.HasPrefix(m.g("v").fold, "hat") || strings.HasPrefix(m.g("v").fold, "dis")) && strings.Contains(m.c.text, "never") == strings.HasPrefix(m.g("v").fold, "hat") {
				return nil
			}
			return likeEN(Negative, "Does not like ")(m)
		}},
		{"like-passive", `(?P<o>[a-z][^,]{1,40}?) (?:is|are) (?:really |just |so |totally )?(?:not my (?:thing|cup of tea|style)|my (?P<p>passion|guilty pleasure|comfort food|jam))`, func(m match) []draft {
			o := m.g("o").trim()
			if !tasteEN(o) || strings.HasPrefix(o.fold, "there") || strings.HasPrefix(o.fold, "he") || strings.HasPrefix(o.fold, "she") || strings.HasPrefix(o.fold, "my ") {
				return nil
			}
			if m.g("p").empty() {
				return one(preference(o, Negative, "Does not like "+o.raw+"."))
			}
			return one(preference(o, Positive, "Likes "+o.raw+" ("+m.g("p").raw+")."))
		}},
		{"use", `(?:i|we) {adv}(?P<neg>{dont} |no longer |stopped )?(?:us(?:e|ing)|code in|program in|develop in|write (?:my )?code in|run) (?P<o>[^,]+?)(?: (?:as my (?P<r>.+)|for (?:my )?(?P<f>work|coding|development|notes|programming|everything|email|writing|most things|my work|all my \w+|side projects|my projects)|at work|at home|every ?day|daily|on my (?:\w+ )?(?:laptop|machine|desktop|computer|phone|server)))`, useEN},
		{"use-plain", `i {adv}(?P<neg>{dont} |no longer )?use (?P<o>\S+(?: \S+)?(?: \d\S*)?)(?P<r>)(?P<f>)`, func(m match) []draft {
			o := m.g("o").trim()
			if !techWord.match(o.fold) {
				return nil
			}
			return useEN(m)
		}},
	}
}

var techWord = expr(`\b(?:(?:neo)?vim?|emacs|nano|vs ?code|helix|zed|sublime|jetbrains|intellij|pycharm|goland|xcode|arch|debian|ubuntu|fedora|nixos|gentoo|linux|windows|macos|mac|freebsd|android|ios|iphone|pixel|zsh|bash|fish|tmux|kitty|alacritty|wezterm|iterm2?|pnpm|npm|yarn|bun|deno|node|poetry|uv|pip|conda|cargo|go|golang|python|rust|typescript|javascript|java|kotlin|swift|ruby|elixir|haskell|ocaml|scala|clojure|c\+\+|c#|r|julia|lua|zig|react|vue|svelte|angular|django|flask|fastapi|rails|laravel|next\.?js|postgres(?:ql)?|mysql|sqlite|mongodb|redis|docker|podman|kubernetes|k3s|terraform|ansible|nix|git|jj|mercurial|github|gitlab|obsidian|notion|logseq|anki|todoist|firefox|chrome|safari|brave|vivaldi|signal|telegram|whatsapp|slack|discord|dvorak|colemak|qwerty|tabs|spaces|metric(?: units)?|imperial(?: units)?|celsius|fahrenheit|latex|typst|markdown|org-?mode|i3|sway|hyprland|gnome|kde|homebrew|tailwind|bootstrap)\b`)

func useEN(m match) []draft {
	o := m.g("o").trim()
	if !o.valid(4) || reactionEN.match(o.fold) || definiteEN.match(o.fold) || strings.HasPrefix(o.fold, "a ") || strings.HasPrefix(o.fold, "an ") || strings.HasPrefix(o.fold, "my ") || strings.HasPrefix(o.fold, "to ") {
		return nil
	}
	pol, verb := Positive, "Uses "
	if n := m.g("neg").fold; n != "" {
		pol, verb = Negative, "Does not use "
	}
	content := verb + o.raw
	if r := firstPart(m, "r", "f").trim(); r.valid(4) && !reactionEN.match(r.fold) {
		if !m.g("r").empty() {
			content += " as their " + r.raw
		} else {
			content += " for " + theirs(r.raw)
		}
	}
	return one(draft{typ: memory.TypeFact, key: "use/" + objectKey(o.fold), content: content + ".", st: Statement{Value: o.raw, Polarity: pol}, tags: []string{"tool", "工具"}, importance: importancePreference, reason: "what the user works with"})
}

func favouriteEN(m match) []draft {
	x, o := m.g("x").trim(), m.g("o").trim()
	if !x.valid(4) || !o.valid(9) || reactionEN.match(o.fold) || strings.HasPrefix(x.fold, "part") || strings.HasPrefix(x.fold, "one") || strings.HasPrefix(x.fold, "so far") || strings.Contains(x.fold, "of the") || strings.HasPrefix(o.fold, "when ") || strings.HasPrefix(o.fold, "there") || strings.HasPrefix(o.fold, "he ") {
		return nil
	}
	key := strings.NewReplacer("color", "colour", "flavor", "flavour", "movie", "film", "theater", "theatre").Replace(objectKey(x.fold))
	d := draft{
		typ: memory.TypePreference, key: "favourite/" + key, title: "Favourite " + x.raw,
		content: "Favourite " + x.raw + " is " + theirs(o.raw) + ".", st: Statement{Value: o.raw, Polarity: Positive},
		tags: []string{"favourite", "preference", "最喜欢"}, importance: importancePreference, reason: "a preference of the user",
	}
	if strings.Contains(m.c.text, "favorite") {
		d.title, d.content = strings.Replace(d.title, "Favourite", "Favorite", 1), strings.Replace(d.content, "Favourite", "Favorite", 1)
		d.tags[0] = "favorite"
	}
	if w := m.g("w").trim(); !w.empty() {
		d.corrects = w.raw
	}
	return one(d)
}

func preferOverEN(m match) []draft {
	o, y := m.g("o").trim(), m.g("y").trim()
	if strings.HasPrefix(o.fold, "to ") && strings.Contains(m.c.text, " to "+y.fold) && !strings.Contains(m.c.text, "than") && !strings.Contains(m.c.text, "instead") {
		return nil // "prefer to use vim to edit"
	}
	if !tasteEN(o) || !tasteEN(y) || !y.valid(6) || personPronoun.match(y.fold) {
		return nil
	}
	return one(pairPreference(o, y, "Prefers "+theirs(o.raw)+" over "+theirs(y.raw)+"."))
}

var personPronoun = expr(`^(?:i|he|she|they|we|you|me|him|ever|before|usual)\b`)

func dislikeEN(m match) []draft {
	o := m.g("o").trim()
	if strings.HasPrefix(o.fold, "to ") && !strings.Contains(m.c.text, "n't like to") && !strings.Contains(m.c.text, "not like to") {
		return nil // "I hate to interrupt"
	}
	if !tasteEN(o) || dislikeNot.match(o.fold) {
		return nil
	}
	verb := "Dislikes "
	switch {
	case strings.Contains(m.c.text[:o.lo], "hate"):
		verb = "Hates "
	case strings.Contains(m.c.text[:o.lo], "stand"):
		verb = "Cannot stand "
	case strings.Contains(m.c.text[:o.lo], " of "):
		return nil
	}
	return preferences(o, Negative, verb, "")
}

var dislikeNot = expr(`^(?:to be rude|my (?:life|job|boss|day)|people|everyone|when (?:this|that|it)|waiting|mondays? when|having to (?:ask|do|wait)|asking|repeating myself|arguing|seeing|being (?:rude|late|that guy|this))\b`)

// contrasts are pairs of which one chooses: preferring one of them again the other way is a change of mind.
var contrasts = wordSet(`dark light short long brief detailed concise window aisle hot cold iced formal informal
	red white warm cool morning evening metric imperial serif sans-serif paper digital hardcover paperback
	tabs spaces sweet savory savoury salty still sparkling vertical horizontal remote city country`)

// contrastKey gives "light mode" and "dark mode" one key: what they are modes of.
func contrastKey(f string) string {
	words := strings.Fields(f)
	if len(words) == 2 && contrasts[words[0]] {
		return "kind-of-" + objectKey(words[1])
	}
	return ""
}

// --- habits

var pastVerb = expr(`^(?:\w+ed|said|thought|knew|had|was|were|got|went|saw|heard|felt|took|made|did|came|told|found|left|meant|wrote|ate|drank|lost|been|seen|done|mind|know|knows|really|once|again|ever|even|actually|quite|expected|understood|could|would|can|will|wonder|forget|get (?:this|that|it)|feel|seem|think|end up|need|have (?:the|this|that|a (?:problem|question))|say|saw|bought|met|gave|read (?:this|that)|understand|liked|loved|hated)\b`)

func habitRulesEN() []rule {
	habit := func(m match) []draft {
		o := m.g("o").trim()
		f := m.g("f").fold
		if !o.valid(14) || strings.HasSuffix(strings.Fields(o.fold)[0], "ed") && !strings.HasPrefix(o.fold, "need") && !strings.HasPrefix(o.fold, "feed") || pastVerb.match(o.fold) || habitNot.match(o.fold) {
			return nil
		}
		pol := Positive
		if strings.Contains(f, "never") || strings.Contains(f, "rarely") || strings.Contains(f, "seldom") || strings.Contains(f, "hardly") {
			pol = Negative
		}
		full := m.g("all")
		if full.empty() {
			full = o
		}
		return one(draft{
			typ: memory.TypePattern, key: "pattern/" + objectKey(o.fold), title: sentenceTitle(f) + " " + o.raw,
			content: sentenceCase(theirs(full.raw)), st: Statement{Value: o.raw, Polarity: pol},
			tags: []string{"habit", "习惯"}, importance: importancePattern, reason: "a habit of the user",
		})
	}
	return []rule{
		{"habit", `(?:i|we) (?P<all>(?P<f>always|never|usually|normally|typically|often|rarely|seldom|hardly ever|tend to|almost always|almost never) (?P<o>.+))`, habit},
		{"habit-used-to", `(?:i'm|i am) (?P<all>used to (?P<o>\w+ing .+))`, habit},
		{"habit-lead", `(?:usually|normally|most (?:days|mornings|evenings|nights)|every (?:single )?(?:day|morning|evening|night|week|weekend|month|year|` + daysEN + `|other day)|on (?:weekends|weekdays|` + daysEN + `s)|in the (?:mornings?|evenings?)|after (?:work|lunch|dinner)|before (?:bed|work|breakfast)|at night),? i (?P<f>usually |always |never |normally |often |like to )?(?P<o>.+)`, func(m match) []draft {
			o := m.g("o")
			if pastVerb.match(o.fold) || !o.valid(12) || habitNot.match(o.fold) || strings.HasPrefix(o.fold, "'") {
				return nil
			}
			lead := m.c.part(m.c.pad, m.idx[1])
			return one(draft{
				typ: memory.TypePattern, key: "pattern/" + objectKey(o.trim().fold), title: sentenceTitle(o.raw),
				content: sentenceCase(theirs(lead.trim().raw)), st: Statement{Value: o.trim().raw, Polarity: Positive},
				tags: []string{"habit", "习惯"}, importance: importancePattern, reason: "a habit of the user",
			})
		}},
		{"habit-time", `i (?P<all>(?P<o>(?:run|jog|swim|cycle|bike|walk|meditate|exercise|work out|go to (?:the gym|bed|church|sleep)|get up|wake up|do yoga|practice .+|practise .+|journal|read|cook|fast|volunteer|take .+ (?:pills?|medication|vitamins?|insulin)|have (?:lunch|dinner|breakfast)|eat (?:lunch|dinner|breakfast)|call my \w+|commute .+|visit my \w+|play .+|train|lift weights|go (?:running|swimming|hiking|climbing|dancing|fishing|skiing|surfing|cycling|for a (?:run|walk|swim))) .*(?:every .+|each .+|daily|weekly|at \d.*|at (?:six|seven|eight|nine|ten|eleven|noon|midnight).*|(?:once|twice|three times|\d times|several times) (?:a|per) .+|on (?:mon|tues|wednes|thurs|fri|satur|sun)days.*|on weekends|in the mornings?|before \w+|to work)))(?P<f>)`, habit},
	}
}

var habitNot = expr(`^(?:a\b|an\b|the\b|to\b|again|be (?:the same|late)|love you|here|there|more\b|less\b|too\b|so\b|it\b|this\b|that\b|get tired|tired|happy|sad|stressed|want|hope|believe|agree|ask (?:this|that|you|for)|see (?:this|that|an)|use (?:this|that|it)|do (?:this|that|it)|said|give up|stop learning|can\b|will\b|figured|'|do\b.*\bwrong|fail|lose\b|struggle)`)

// --- goals and commitments

func goal(key string, o, when part, content string) draft {
	d := draft{
		typ: memory.TypeGoal, key: key, st: Statement{Value: o.raw, When: when.raw}, content: content,
		tags: []string{"goal", "目标"}, importance: importanceGoal, reason: "a goal or a commitment",
	}
	if !when.empty() {
		d.content += " " + when.raw
		d.tags = append(d.tags, "date")
	}
	d.content = sentenceCase(strings.TrimSpace(d.content))
	return d
}

// lastingEN begins goals that last longer than a conversation even without a date.
var lastingEN = expr(`^(?:learn(?: how)?|master|become|be an?|get (?:better at|fit|fitter|in shape|back in shape|healthier|healthy|promoted|married|certified|a degree|a phd|my (?:driver|degree|phd|licen)|a (?:new |better )?job|into (?:\w+ ){0,2}(?:university|college|shape|school|grad|med)|rich|stronger|good at|out of debt|fluent)|improve my|lose (?:weight|some weight|\d|ten|five|twenty)|gain (?:weight|muscle|\d)|quit (?:smoking|drinking|my|sugar|coffee|social|caffeine|alcohol|vaping)|stop (?:smoking|drinking|eating|procrastinating|biting|using (?:social|my phone|plastic))|give up (?:smoking|drinking|sugar|coffee|meat|alcohol|caffeine)|cut (?:down|back|out)|run (?:a|the|my) (?:\w+ )?(?:marathon|half|half-marathon|10k|5k|ultra\w*|business|triathlon|race)|complete (?:a|my|an)|start (?:a (?:business|company|family|blog|podcast|garden|career|startup|channel|band)|my own|learning|running|exercising|working out|investing|saving|meditating)|open (?:a|my own)|found a|build (?:a|my own|my|our) (?:\w+ ){0,2}(?:business|company|house|startup|home|career|portfolio|boat|cabin|robot|game|community|startup)|write (?:a|my|an) (?:\w+ ){0,2}(?:book|novel|thesis|dissertation|memoir|screenplay)|publish|read (?:\d+|more|one|two|three|fifty|twenty)|save (?:up|money|for|\d|\$|€|enough)|pay off|move (?:to|abroad|out|back|into)|relocate|emigrate|travel (?:to|the|around|more)|visit|see the (?:northern|world|pyramids)|climb|hike|sail|cycle (?:across|around|to)|study|graduate|retire|pass (?:the|my)|finish (?:my|the) (?:\w+ )?(?:thesis|degree|book|novel|phd|dissertation|studies|course|training|marathon|master)|launch (?:my|a|our)|apply (?:to|for) (?:a |the |an )?(?:\w+ ){0,3}(?:job|university|college|school|phd|program|scholarship|visa|citizenship|grad|\w+ university)|train for|earn|make more money|eat (?:less|more|healthier|healthily|better)|drink (?:less|more)|sleep (?:more|earlier|better)|spend (?:more|less)|wake up|get up (?:early|earlier|at)|exercise|work out|meditate|buy (?:a|my first|our first|my own) (?:\w+ ){0,2}(?:house|home|flat|apartment|car|condo|boat|motorbike|motorcycle|land|farm)|have (?:kids|children|a family|a baby)|find (?:a|my) (?:\w+ )?(?:job|partner|girlfriend|boyfriend|wife|husband|purpose|flat|apartment)|change careers?|switch (?:careers?|to)|speak|play the|adopt|raise|work (?:as|abroad|for)|live (?:in|abroad|longer|by)|stay sober|compose|record an|cook more|reduce my|walk \d|do (?:a|my) (?:\w+ )?(?:phd|masters?|mba|triathlon|marathon)|reach|qualify|compete)\b`)

var notGoal = expr(`\b(?:this (?:bug|error|file|code|function|page|script|issue|problem|text|app|one|test|command|thing|feature|task|question|code|line)|that (?:bug|file|code|function|one)|these|the (?:bug|file|code|function|test|error|page|script|server|image|video|document|text|database|table|list|output|result|results|data|button|string|array|variable|loop|query|command|following|difference|meaning|answer)|it|you|your)\b|^(?:know|ask|see|hear|say|talk|check|make sure|understand|go (?:home|out|to bed|to sleep|now|there)|eat (?:now|something|a|lunch|dinner|breakfast)|drink (?:a|some)|sleep\b$|try|thank|tell|show|use|add|change|fix|delete|remove|rename|create|debug|test|print|convert|parse|compare|discuss|share|point|mention|focus|be (?:able to|sure|clear|honest|alone|late|there|fine|happy|ok|okay|home|back|more|less)|cry|scream|die|give up$|play$|study$|read$|be an? (?:pain|bother|burden|jerk)|learn (?:more|about (?:this|that|the|it)|what|why|how (?:this|that|it|to (?:use|do|fix|write|parse|make|center|sort) (?:this|that|the|it|an? )))|visit (?:the|this|your) (?:page|site|website|link)|start (?:over|with|by|again|now|from)|build (?:this|the)|cut (?:this|the)|speak (?:to|with) (?:a|the|you|someone)|reach (?:out|you)|spend (?:more|less) time on (?:this|that)|read more about (?:this|that|it))\b`)

var soonEN = expr(`\b(?:today|tonight|now|right now|this (?:morning|afternoon|evening)|in (?:a|an|\d+|five|ten|few|a few) (?:second|minute|min|hour|bit|while|moment|sec)s?|later|soon|asap|first|quickly|real quick|again)\b`)

var splitDateEN = expr(`^(?P<o>.+?),? (?P<d>(?:by|before|until|till|on|in|within|around|during|after|every|for|this|next|starting|sometime)\s+(?:the )?{date}(?:\s.*)?|(?:next|this) (?:week|month|year|spring|summer|fall|autumn|winter|weekend|semester|quarter|` + daysEN + `|` + monthsEN + `)(?:\s.*)?|tomorrow.*|by the (?:end of|time).*|before (?:i|my|the (?:end|summer|winter|holidays|new year)).*|(?:when|before|by the time) i (?:turn|am|retire|graduate).*|some ?day|one day|eventually|at least \w+ (?:times?|days?|hours?) a .*|(?:once|twice|three times) a .*|every (?:day|week|month|morning|evening|night|year).*)$`)

// splitDate separates a goal from its time limit.
func splitDate(o part) (what, when part) {
	if g := splitDateEN.groups(o.fold); g != nil {
		return o.c.part(o.lo+g[2], o.lo+g[3]).trim(), o.c.part(o.lo+g[4], o.lo+g[5]).trim()
	}
	return o, part{c: o.c}
}

func goalRulesEN() []rule {
	want := func(verb string, needDate bool) func(match) []draft {
		return func(m match) []draft {
			o, when := splitDate(m.g("o"))
			o = o.trim()
			if !o.valid(14) || notGoal.match(o.fold) || strings.HasPrefix(o.fold, "be called") {
				return nil
			}
			lasting := lastingEN.match(o.fold)
			switch {
			case soonEN.match(m.g("o").fold):
				return nil
			case needDate && when.empty(), !lasting && when.empty():
				return nil
			case !lasting && strings.HasPrefix(when.fold, "tomorrow") && !needDate:
				return nil
			}
			return one(goal("goal/"+objectKey(o.fold), o, when, verb+theirs(o.raw)))
		}
	}
	return []rule{
		{"goal-slot", `(?:my|our) (?:(?:main|biggest|long[- ]term|short[- ]term|ultimate|current|life|next|number one|new year'?s|personal|career|fitness|big|only|first|yearly) )*(?:goal|dream|plan|aim|ambition|resolution|objective|target|aspiration|wish)(?: for (?P<y>[\w ]+?))?(?: is|'s|:) (?:to |that i |for me to )?(?P<o>.+)`, func(m match) []draft {
			o, when := splitDate(m.g("o"))
			o = o.trim()
			if !o.valid(16) || reactionEN.match(o.fold) || soonEN.match(o.fold) || goalSlotNot.match(o.fold) {
				return nil
			}
			if y := m.g("y"); when.empty() && !y.empty() {
				if size(y.fold) > 4 || strings.Contains(y.fold, "project") || strings.HasPrefix(y.fold, "today") || strings.Contains(y.fold, "function") {
					return nil
				}
				when = y
			}
			return one(goal("goal/"+objectKey(o.fold), o, when, "Goal: "+theirs(o.raw)))
		}},
		{"goal-want", `(?:i|we) {adv}(?:want|plan|intend|hope|aim|wish|aspire|hoping|mean) to (?P<o>.+)|(?:i|we)(?:'m| am|'re| are) {adv}(?:planning|aiming|hoping|trying|determined|saving up|looking|working hard) (?:to|on) (?P<p>.+)|i(?:'ve| have)? decided to (?P<q>.+)|i(?:'d| would) (?:really )?(?:like|love) to (?P<r>.+)|i dream of (?P<s>.+)`, func(m match) []draft {
			for _, n := range []string{"o", "p", "q", "r", "s"} {
				if !m.g(n).empty() {
					return want("Wants to ", false)(renamed(m, n))
				}
			}
			return nil
		}},
		{"goal-learning", `{am} {adv}(?:learning|teaching myself|training for|saving(?: up)? for|preparing for|studying for|practicing for)(?: how to| to)? (?P<o>.+)`, func(m match) []draft {
			o, when := splitDate(m.g("o"))
			o = o.trim()
			if !o.valid(6) || reactionEN.match(o.fold) || notGoal.match(o.fold) || strings.HasPrefix(o.fold, "about") || strings.HasPrefix(o.fold, "a lot") || definiteEN.match(o.fold) && !strings.Contains(m.c.text, " for the ") && !oneOfAKind.match(o.fold) {
				return nil
			}
			verb := m.c.part(m.c.pad, o.lo)
			w := strings.TrimSpace(verb.fold)
			for _, p := range []string{"i'm ", "im ", "i am "} {
				w = strings.TrimPrefix(w, p)
			}
			return one(goal("goal/"+objectKey(o.fold), o, when, "Is "+theirs(w)+" "+theirs(o.raw)))
		}},
		{"goal-going", `(?:i|we)(?:'m| am|'re| are) (?:going|about) to (?P<o>.+)|(?:i|we)(?:'ll| will| have to| need to| must|'ve got to) (?P<p>.+)`, func(m match) []draft {
			n := "o"
			if m.g("o").empty() {
				n = "p"
			}
			return want("Is going to ", true)(renamed(m, n))
		}},
		{"goal-moving", `(?:i|we)(?:'m| am|'re| are) (?P<v>moving|flying|travell?ing|going|relocating|driving) (?:back )?(?P<o>(?:to|on) .+)|(?:i|we)(?:'m| am|'re| are) (?P<w>getting married|having a baby|graduating|retiring|having surgery|starting (?:a|my) new job|defending my thesis|running (?:a|the) \S+(?: \S+)?|visiting \S+(?: \S+)?) (?P<p>.+)`, func(m match) []draft {
			if v := m.g("v"); !v.empty() {
				o, when := splitDate(m.g("o"))
				o = o.trim()
				if !o.valid(6) || when.empty() || soonEN.match(when.fold) || reactionEN.match(strings.TrimPrefix(o.fold, "to ")) || goingNot.match(o.fold) {
					return nil
				}
				return one(goal("goal/"+v.fold+"-"+objectKey(o.fold), o, when, "Is "+v.fold+" "+theirs(o.raw)))
			}
			w, p := m.g("w"), m.g("p").trim()
			if !dateStartEN.match(p.fold) || !p.valid(7) {
				return nil
			}
			return one(goal("goal/"+objectKey(w.fold), w, p, "Is "+theirs(w.raw)))
		}},
		{"goal-event", `(?:my|our) (?P<e>(?:\w+ ){0,2}(?:appointment|meeting|exam|interview|flight|deadline|presentation|wedding|surgery|operation|checkup|conference|trip|vacation|holiday|graduation|defen[cs]e|due date|move|concert|anniversary|rent|visa|passport|contract|lease|train)) (?:is|are|starts|begins|leaves|takes place|expires|ends)(?: due| scheduled| set)? (?P<p>.+)`, func(m match) []draft {
			e, p := m.g("e"), m.g("p").trim()
			if !dateStartEN.match(p.fold) || !p.valid(8) {
				return nil
			}
			return one(goal("goal/"+objectKey(e.fold), e, p, sentenceCase(e.raw)[:len(e.raw)]))
		}},
	}
}

var goalSlotNot = expr(`^(?:not|simple|clear|to|the same|unclear|working|fine|good|ruined|make (?:the|this|it)|fix|get (?:this|it)|parse|print|refactor|understand (?:this|the))\b`)

var goingNot = expr(`^(?:to (?:bed|sleep|work|school|the (?:store|shop|bathroom|gym|next|doctor|office|supermarket)|lunch|dinner|a meeting)|on (?:a|with|about))\b`)

var dateStartEN = expr(`^(?:(?:on|in|by|at|before|next|this)\s+)?(?:the )?{date}(?:\b|$)`)

// renamed lets a rule with several alternatives share one maker that reads group "o".
func renamed(m match, group string) match {
	p := m.g(group)
	idx := append([]int(nil), m.idx...)
	i := m.re.group("o")
	idx[2*i], idx[2*i+1] = p.lo, p.hi
	return match{c: m.c, re: m.re, idx: idx}
}

// --- how the assistant should behave

func styleRule(key string, o part, pol Polarity, content string) []draft {
	return one(draft{
		typ: memory.TypeRule, key: key, title: "Rule", content: sentenceCase(content),
		st: Statement{Value: o.raw, Polarity: pol}, tags: []string{"rule", "style", "规则"},
		importance: importanceRule, reason: "a rule for the assistant",
	})
}

// lasts reports whether an order to the assistant is meant for longer than this answer: it says so, or it is
// all that was said.
func (m match) lasts() bool { return m.c.durable || m.c.alone || m.c.explicit }

const leadEN = `(?:please |pls |kindly |just |always |also |can you |could you |would you |will you |i(?:'d| would) (?:like|prefer|love|appreciate)(?: it)?(?: if)?(?: for)? you(?: to| could| would|'d)? |i want you to |i need you to |you (?:should|must|can|need to|have to) (?:always )?|make sure (?:to |you )|try to |from now on,? )*`

func styleRulesEN() []rule {
	return []rule{
		{"rule-language", leadEN + `(?:answer(?:ed)?|reply|replied|respond(?:ed)?|speak|talk|write|communicate|chat|converse)(?: (?:to|with))?(?: me)?(?: back)?(?: everything)?(?: only)?(?: in)? (?:only )?(?P<o>{lang})(?: (?:only|please|from now on|always|to me|with me|in (?:the )?future|going forward|at all times|when .+|instead|unless .+|,|even if .+|no matter .+))*`, func(m match) []draft {
			if !m.lasts() {
				return nil
			}
			o := m.g("o")
			return styleRule("rule/language", o, "", "Answer in "+o.raw)
		}},
		{"rule-language-want", `i(?:'d| would)? (?:prefer|like|want) (?:your )?(?:answers|replies|responses|explanations|you to answer|to (?:talk|speak|chat|communicate))(?: to be)? in (?P<o>{lang})|(?:i(?:'d| would)? (?:prefer|want|like) )?(?:your )?(?:answers|replies|responses) (?:should|must) be in (?P<p>{lang})`, func(m match) []draft {
			o := firstPart(m, "o", "p")
			return styleRule("rule/language", o, "", "Answer in "+o.raw)
		}},
		{"rule-length", leadEN + `(?:keep|make|give(?: me)?|write(?: me)?)(?: all)?(?: your| the| me)? (?:(?:answers?|repl(?:y|ies)|responses?|explanations?|messages?|outputs?|summaries) (?:as |very |always |really |more |a bit |nice and )*(?P<o>{style})(?: and (?:{style}))?(?: as possible)?|(?P<p>{style})(?:,? (?:and )?(?:{style}))* (?:answers|replies|responses|explanations|messages))(?: (?:please|from now on|always|only|in (?:the )?future|to me|with me|going forward))*`, func(m match) []draft {
			o := firstPart(m, "o", "p")
			return styleRule("rule/style", o, "", "Keep answers "+o.raw)
		}},
		{"rule-manner", leadEN + `be (?:more |very |as |always |a bit more |a little more |less |completely |totally )*(?P<o>{style})(?: and (?:more )?(?:{style}))?(?: (?:with me|to me|in your (?:answers|replies|responses)|when (?:you )?(?:answer|reply|respond|talk)ing?.*|please|from now on|always|as possible|in (?:the )?future|going forward))*`, func(m match) []draft {
			if !m.lasts() && !strings.Contains(m.c.text, "with me") && !strings.Contains(m.c.text, "in your") {
				return nil
			}
			o := m.c.part(strings.Index(m.c.text, "be ")+3, len(m.c.text)).trim()
			return styleRule("rule/style", o, "", "Be "+o.raw)
		}},
		{"rule-length-want", `i(?:'d| would)? (?:really |much |also )*(?:prefer|like|want|love) (?:your (?:answers|replies|responses) (?:to be )?)?(?P<o>(?:{style})(?:,? (?:and )?(?:{style}))*)(?: (?:answers|replies|responses|explanations|messages|summaries))?(?: (?:over|to|rather than|instead of) .+)?`, func(m match) []draft {
			if !strings.Contains(m.c.text, "answer") && !strings.Contains(m.c.text, "repl") && !strings.Contains(m.c.text, "respon") && !strings.Contains(m.c.text, "explan") && !strings.Contains(m.c.text, "summar") {
				return nil
			}
			o := m.g("o")
			return styleRule("rule/style", o, "", "Keep answers "+o.raw)
		}},
		{"rule-short-please", `(?:only |just )?(?P<o>{style}) (?:answers|replies|responses)(?: only)?,? (?:please|only|from now on)(?: from now on)?`, func(m match) []draft {
			return styleRule("rule/style", m.g("o"), "", "Keep answers "+m.g("o").raw)
		}},
		{"rule-not-address", leadEN + `(?:don'?t|do not|never|stop|quit|no more|not)(?: you)?(?: ever)? (?:call(?:ing)? me|address(?:ing)? me as|refer(?:ring)? to me as)(?: by)? (?P<o>.+)`, func(m match) []draft {
			o := trimName(m.g("o"))
			if !o.valid(5) || notAddress[o.fold] || strings.HasPrefix(o.fold, "at ") || strings.HasPrefix(o.fold, "before ") || strings.HasPrefix(o.fold, "after ") || strings.HasPrefix(o.fold, "on ") {
				return nil
			}
			return styleRule("rule/address-"+objectKey(o.fold), o, Negative, "Do not call them "+o.raw)
		}},
		{"rule-no", leadEN + `no (?:more )?(?P<o>emojis?|emoticons?|bullet points?|small talk|filler|fluff|disclaimers?|apologies|markdown|jargon|exclamation (?:marks|points)|flattery|lectures|moralizing|spoilers|sarcasm|jokes|headings|tables|swearing|buzzwords|preamble)(?: (?:please|in your (?:answers|replies|responses)|from now on|ever|with me|at all))*`, func(m match) []draft {
			if !m.lasts() && !strings.Contains(m.c.text, "your") {
				return nil
			}
			return styleRule("rule/no-"+objectKey(m.g("o").fold), m.g("o"), Negative, "No "+m.g("o").raw)
		}},
		{"rule-not", leadEN + `(?:don'?t|do not|never|stop|quit|avoid|refrain from)(?: ever)? (?P<o>(?:us(?:e|ing)|add(?:ing)?|includ(?:e|ing)|put(?:ting)?|send(?:ing)?|writ(?:e|ing)) (?:\w+ )?(?:emojis?|emoticons?|bullet points?|markdown|jargon|exclamation (?:marks|points)|disclaimers?|tables|headings|swear words|my (?:full |last |first )?name|comments|semicolons|slang|abbreviations|acronyms|warnings|em[- ]dashes)|apologi[sz](?:e|ing)|lectur(?:e|ing)|moraliz(?:e|ing)|patroni[sz](?:e|ing)|flatter(?:ing)?|swear(?:ing)?|sugar-?coat(?:ing)?|interrupt(?:ing)?|(?:mention(?:ing)?|bring(?:ing)? up|discuss(?:ing)?|joke|joking about|remind(?:ing)? me (?:about|of)|ask(?:ing)? (?:me )?about|talk(?:ing)? (?:to me )?about|suggest(?:ing)?|recommend(?:ing)?) .+)(?P<t> .*)?`, func(m match) []draft {
			o := m.g("o").trim()
			if !o.valid(10) || ruleNot.match(o.fold) {
				return nil
			}
			return styleRule("rule/not-"+objectKey(o.fold), o, Negative, "Do not "+theirs(gerund(o.raw)))
		}},
		{"rule-use", leadEN + `(?P<all>(?:use|write in|stick to|give) (?:only |me )?(?P<o>metric(?: units)?|the metric system|imperial(?: units)?|celsius|fahrenheit|(?:british|american|uk|us) (?:spelling|english)|(?:24|12)[- ]hour (?:time|clock|format)|bullet points|plain text|markdown|(?:simple|plain) (?:words|language|english)|(?:formal|informal|gender-neutral|inclusive) language|(?:iso|european|american|us|uk) dates?(?: format)?|euros?|dollars|kilometers|kilometres|miles|tabs|spaces|snake_case|camelcase|emojis|short sentences|my (?:first |nick)?name|code examples|examples)(?: (?:instead of|not|rather than) .+)?(?: (?:please|always|from now on|in your (?:answers|replies|code)|for (?:all|everything|me).*|with me|whenever .+|when .+))*)`, func(m match) []draft {
			if !m.lasts() && !strings.Contains(m.c.text, "your ") && !strings.Contains(m.c.text, "for me") {
				return nil
			}
			o := m.g("o")
			return styleRule("rule/use-"+objectKey(o.fold), o, Positive, m.g("all").trim().raw)
		}},
		{"rule-always", `(?:please |pls |you (?:should|must|can) )*(?P<f>always|never) (?P<o>.+)`, func(m match) []draft {
			o := m.g("o").trim()
			if !o.valid(14) || orderNotEN.match(o.fold) {
				return nil
			}
			pol := Positive
			if m.g("f").fold == "never" {
				pol = Negative
			}
			return styleRule("rule/"+objectKey(o.fold), o, pol, m.g("f").raw+" "+theirs(o.raw))
		}},
		{"rule-from-now-on", `(?:please |pls |you (?:should|must) )*(?P<o>(?:start|begin|end|address|treat|ask|tell|show|explain|include|add|check|cite|give|send|use|write|format|list|call|warn|remind|translate|suggest|assume|skip|avoid|answer|reply|respond|speak|greet|round|sign|keep|put|don'?t|do not|stop) .+)`, func(m match) []draft {
			o := m.g("o").trim()
			if !strings.Contains(m.c.v.text[max(0, m.c.at-24):m.c.at]+m.c.text, "from now on") && !futureWord.match(m.c.v.text[max(0, m.c.at-24):m.c.at]+m.c.text) || !o.valid(16) || reactionEN.match(o.fold) {
				return nil
			}
			pol := Positive
			if strings.HasPrefix(o.fold, "don") || strings.HasPrefix(o.fold, "do not") || strings.HasPrefix(o.fold, "stop") {
				pol = Negative
			}
			return styleRule("rule/"+objectKey(o.fold), o, pol, theirs(o.raw))
		}},
	}
}

var futureWord = expr(`\b(?:in (?:the )?future|going forward|from here on|every time|whenever)\b`)

var notAddress = wordSet(`back later now again anymore tomorrow tonight today crazy late at_work`)

var ruleNot = expr(`(?:^| )(?:it|this|that|them|these|anything|to me|yet|now|so|me)$|^(?:apologize for (?:this|that|it)|mention it)`)

var orderNotEN = expr(`^(?:mind|again|a\b|an\b|the\b|been|had|heard|seen|thought|knew|said|ever|in my life|gonna|going|gets?|was|were|is|are|has|have i|did|would|could|happy to|glad|nice|good|fun|on time|worked?|works|fails?|returns?|give up|forget|remember|stop learning|say never|lose hope|happened|happens|too late|better late|look on)\b`)

// gerund turns "using emojis" after "stop" into "use emojis".
func gerund(raw string) string {
	w, rest, _ := strings.Cut(raw, " ")
	base, ok := strings.CutSuffix(strings.ToLower(w), "ing")
	if !ok {
		return raw
	}
	switch base {
	case "us", "includ", "writ", "apologiz", "apologis", "moraliz", "patroniz", "patronis", "jok":
		base += "e"
	case "putt":
		base = "put"
	}
	return strings.TrimSpace(base + " " + rest)
}

// --- corrections without a slot

func correctionRulesEN() []rule {
	return []rule{
		{"correction", `(?:it'?s|it is|it was|that'?s|that is|that should be|it should be|make that|i meant|the correct (?:one|answer|name|date|value|spelling) is|should be)(?: actually| really)? (?P<o>[^,]+?)(?:,| and| -|;)? (?:(?:and )?not|instead of|rather than) (?P<w>.+)`, func(m match) []draft {
			return correction(m.g("o").trim(), m.g("w").trim())
		}},
		{"correction-first", `(?:it'?s|it is|that'?s|that is) not (?P<w>[^,]+?)(?:,| but|;| -)(?: but)? (?:it'?s |it is |rather )?(?P<o>.+)`, func(m match) []draft {
			return correction(m.g("o").trim(), m.g("w").trim())
		}},
	}
}

var notCorrection = expr(`^(?:a\b|the\b|that|this|so|too|very|really|because|just|about|what|how|working|broken|fair|fun|good|bad|hard|easy|like|your|my fault|you|me\b|for|only|possible|important|necessary|true|false|right|wrong|sure|in\b|on\b|at all)`)

func correction(o, wrong part) []draft {
	if !o.valid(5) || !wrong.valid(5) || notCorrection.match(o.fold) || notCorrection.match(wrong.fold) {
		return nil
	}
	content := o.raw + ", not " + wrong.raw
	if hasHan(o.fold) {
		content = "是" + o.raw + "，不是" + wrong.raw
	}
	return one(draft{
		typ: memory.TypeFact, key: "correction/" + objectKey(wrong.fold), title: "Correction", content: sentenceCase(content),
		st: Statement{Value: o.raw}, tags: []string{"correction", "更正"}, importance: importanceCorrection,
		correction: true, corrects: wrong.raw, reason: "the conclusion after a correction",
	})
}
