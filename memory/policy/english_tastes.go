package policy

import (
	"strings"

	"memoria/memory"
)

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
		o := firstPart(m, "o", "p").whole()
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
	case whenYou.Match(o.fold):
		return true
	case reactionEN.Match(o.fold):
		return false
	case definiteEN.Match(o.fold):
		return oneOfAKind.Match(o.fold) || properNoun(o)
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
			if !o.valid(4) || !y.valid(4) || reactionEN.Match(o.fold) || reactionEN.Match(y.fold) || definiteEN.Match(o.fold) || strings.Contains(o.fold, "{") {
				return nil
			}
			return one(pairPreference(o, y, "Uses "+o.raw+", not "+y.raw+"."))
		}},
		{"switched", `(?:i|we)(?:'ve| have)?(?: just| recently| finally)* (?:switched|migrated|changed) from (?P<y>.+?) to (?P<o>.+)`, func(m match) []draft {
			o, y := m.g("o").trim(), m.g("y").trim()
			if !o.valid(4) || !y.valid(4) || reactionEN.Match(o.fold) || definiteEN.Match(o.fold) {
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
		{"use-list", `i {adv}(?P<neg>{dont} |no longer )?use (?P<o>.+)`, func(m match) []draft {
			tools := m.g("o").whole().list()
			var out []draft
			for _, o := range tools {
				often := seldomEN.Find(o.fold)
				if often != nil {
					o = o.upTo(often[0])
				}
				if len(tools) < 2 || size(o.fold) > 2 || !techWord.Match(o.fold) {
					return nil
				}
				if often != nil && !m.g("neg").empty() { // "I don't use Windows, Mac only"
					break
				}
				out = append(out, usesEN(o, m.g("neg").empty(), ""))
			}
			return out
		}},
		{"use-plain", `i {adv}(?P<neg>{dont} |no longer )?use (?P<o>\S+(?: \S+)?(?: \d\S*)?)(?P<r>)(?P<f>)`, func(m match) []draft {
			o := m.g("o").trim()
			if !techWord.Match(o.fold) {
				return nil
			}
			return useEN(m)
		}},
	}
}

// seldomEN says of one of several tools how much it is used.
var seldomEN = expr(`\s+(?:only|instead|sometimes|occasionally|rarely|mostly|too|etc\.?|as well)$`)

var techWord = expr(`\b(?:(?:neo)?vim?|emacs|nano|vs ?code|helix|zed|sublime|jetbrains|intellij|pycharm|goland|xcode|arch|debian|ubuntu|fedora|nixos|gentoo|linux|windows|macos|mac|freebsd|android|ios|iphone|pixel|zsh|bash|fish|tmux|kitty|alacritty|wezterm|iterm2?|pnpm|npm|yarn|bun|deno|node|poetry|uv|pip|conda|cargo|go|golang|python|rust|typescript|javascript|java|kotlin|swift|ruby|elixir|haskell|ocaml|scala|clojure|c\+\+|c#|r|julia|lua|zig|react|vue|svelte|angular|django|flask|fastapi|rails|laravel|next\.?js|postgres(?:ql)?|mysql|sqlite|mongodb|redis|docker|podman|kubernetes|k3s|terraform|ansible|nix|git|jj|mercurial|github|gitlab|obsidian|notion|logseq|anki|todoist|firefox|chrome|safari|brave|vivaldi|signal|telegram|whatsapp|slack|discord|dvorak|colemak|qwerty|tabs|spaces|metric(?: units)?|imperial(?: units)?|celsius|fahrenheit|latex|typst|markdown|org-?mode|i3|sway|hyprland|gnome|kde|homebrew|tailwind|bootstrap|figma|sketch|photoshop|illustrator|blender|excel|powerpoint)\b`)

func useEN(m match) []draft {
	o := m.g("o").trim()
	if !o.valid(4) || reactionEN.Match(o.fold) || definiteEN.Match(o.fold) || strings.HasPrefix(o.fold, "a ") || strings.HasPrefix(o.fold, "an ") || strings.HasPrefix(o.fold, "my ") || strings.HasPrefix(o.fold, "to ") {
		return nil
	}
	why := ""
	if r := firstPart(m, "r", "f").trim(); r.valid(4) && !reactionEN.Match(r.fold) {
		if !m.g("r").empty() {
			why = " as their " + r.raw
		} else {
			why = " for " + theirs(r.raw)
		}
	}
	var out []draft
	for _, x := range o.list() {
		out = append(out, usesEN(x, m.g("neg").empty(), why))
	}
	return out
}

// usesEN is that the user works with a tool or, where uses is false, that he does not; why may follow its name.
func usesEN(o part, uses bool, why string) draft {
	pol, verb := Positive, "Uses "
	if !uses {
		pol, verb = Negative, "Does not use "
	}
	return draft{
		typ: memory.TypeFact, key: "use/" + objectKey(o.fold), content: verb + o.raw + why + ".", st: Statement{Value: o.raw, Polarity: pol},
		tags: []string{"tool", "工具"}, importance: importancePreference, reason: "what the user works with",
	}
}

func favouriteEN(m match) []draft {
	x, o := m.g("x").trim(), m.g("o").whole()
	if !x.valid(4) || !o.valid(9) || reactionEN.Match(o.fold) || strings.HasPrefix(x.fold, "part") || strings.HasPrefix(x.fold, "one") || strings.HasPrefix(x.fold, "so far") || strings.Contains(x.fold, "of the") || strings.HasPrefix(o.fold, "when ") || strings.HasPrefix(o.fold, "there") || strings.HasPrefix(o.fold, "he ") {
		return nil
	}
	key := strings.NewReplacer("color", "colour", "flavor", "flavour", "movie", "film", "theater", "theatre").Replace(objectKey(x.fold))
	verb := " is "
	if strings.Contains(m.c.text, " are ") {
		verb = " are "
	}
	d := draft{
		typ: memory.TypePreference, key: "favourite/" + key, title: "Favourite " + x.raw,
		content: "Favourite " + x.raw + verb + theirs(o.raw) + ".", st: Statement{Value: o.raw, Polarity: Positive},
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
	if !tasteEN(o) || !tasteEN(y) || !y.valid(6) || personPronoun.Match(y.fold) {
		return nil
	}
	return one(pairPreference(o, y, "Prefers "+theirs(o.raw)+" over "+theirs(y.raw)+"."))
}

var personPronoun = expr(`^(?:i|he|she|they|we|you|me|him|ever|before|usual)\b`)

func dislikeEN(m match) []draft {
	o := m.g("o").whole()
	if strings.HasPrefix(o.fold, "to ") && !strings.Contains(m.c.text, "n't like to") && !strings.Contains(m.c.text, "not like to") {
		return nil // "I hate to interrupt"
	}
	if !tasteEN(o) || dislikeNot.Match(o.fold) {
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
