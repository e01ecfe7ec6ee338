package policy

import (
	"strings"

	"memoria/memory"
)

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
		{"rule-length-it", leadEN + `(?:keep|make) (?:it|them|everything) (?:as |very |always |really |more |a bit |nice and )*(?P<o>(?:{style})(?: and (?:{style}))?)(?: (?:please|from now on|always|in (?:the )?future|going forward))*`, func(m match) []draft {
			if !m.c.durable {
				return nil // it is what is being talked about
			}
			return styleRule("rule/style", m.g("o"), "", "Keep answers "+m.g("o").raw)
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
		{"rule-not", leadEN + `(?:don'?t|do not|never|stop|quit|avoid|refrain from)(?: ever)? (?P<o>(?:us(?:e|ing)|add(?:ing)?|include|including|put(?:ting)?|send(?:ing)?|writ(?:e|ing)) (?:\w+ )?(?:emojis?|emoticons?|bullet points?|markdown|jargon|exclamation (?:marks|points)|disclaimers?|tables|headings|swear words|my (?:full |last |first )?name|comments|semicolons|slang|abbreviations|acronyms|warnings|em[- ]dashes)|apologi[sz](?:e|ing)|lectur(?:e|ing)|moraliz(?:e|ing)|patroni[sz](?:e|ing)|flatter(?:ing)?|swear(?:ing)?|sugar-?coat(?:ing)?|interrupt(?:ing)?|(?:mention(?:ing)?|bring(?:ing)? up|discuss(?:ing)?|joke|joking about|remind(?:ing)? me (?:about|of)|ask(?:ing)? (?:me )?about|talk(?:ing)? (?:to me )?about|suggest(?:ing)?|recommend(?:ing)?) .+)(?P<t> .*)?`, func(m match) []draft {
			o := m.g("o").trim()
			if !o.valid(10) || ruleNot.Match(o.fold) {
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
			if !o.valid(14) || orderNotEN.Match(o.fold) {
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
			if !strings.Contains(m.c.v.text[max(0, m.c.at-24):m.c.at]+m.c.text, "from now on") && !futureWord.Match(m.c.v.text[max(0, m.c.at-24):m.c.at]+m.c.text) || !o.valid(16) || reactionEN.Match(o.fold) {
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

// gerunds are those that lose more than their ending.
var gerunds = map[string]string{
	"using": "use", "including": "include", "writing": "write", "apologizing": "apologize", "apologising": "apologise",
	"moralizing": "moralize", "patronizing": "patronize", "patronising": "patronise", "joking": "joke", "putting": "put",
}

// gerund turns "using emojis" after "stop" into "use emojis".
func gerund(raw string) string {
	w, rest, _ := strings.Cut(raw, " ")
	l := strings.ToLower(w)
	base, ok := gerunds[l]
	if !ok {
		if base, ok = strings.CutSuffix(l, "ing"); !ok {
			return raw
		}
	}
	return strings.TrimSpace(base + " " + rest)
}

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
	if !o.valid(5) || !wrong.valid(5) || notCorrection.Match(o.fold) || notCorrection.Match(wrong.fold) {
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
