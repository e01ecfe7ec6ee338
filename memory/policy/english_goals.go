package policy

import (
	"strings"

	"memoria/memory"
)

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
	if g := splitDateEN.Groups(o.fold); g != nil {
		return o.c.part(o.lo+g[2], o.lo+g[3]).trim(), o.c.part(o.lo+g[4], o.lo+g[5]).trim()
	}
	return o, part{c: o.c}
}

func goalRulesEN() []rule {
	want := func(verb string, needDate bool) func(match) []draft {
		return func(m match) []draft {
			o, when := splitDate(m.g("o"))
			o = o.trim()
			if !o.valid(14) || notGoal.Match(o.fold) || strings.HasPrefix(o.fold, "be called") {
				return nil
			}
			lasting := lastingEN.Match(o.fold)
			switch {
			case soonEN.Match(m.g("o").fold):
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
			if !o.valid(16) || reactionEN.Match(o.fold) || soonEN.Match(o.fold) || goalSlotNot.Match(o.fold) {
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
		{"goal-want", `(?:i|we) {adv}(?:want|plan|intend|hope|aim|wish|aspire|hoping|mean) to (?P<o>.+)|(?:i|we)(?:'m| am|'re| are) {adv}(?:planning|aiming|hoping|trying|determined|saving up|looking|working hard) (?:to|on) (?P<p>.+)|i(?:'ve| have)? decided to (?P<q>.+)|i(?:'d| would) (?:really )?(?:like|love) to (?P<r>.+)|i dream of (?P<s>.+)|i(?:'ve| have)? (?:promised|vowed|swore|sworn|committed)(?: (?:myself|my \w+))? to (?P<t>.+)`, func(m match) []draft {
			for _, n := range []string{"o", "p", "q", "r", "s", "t"} {
				if !m.g(n).empty() {
					return want("Wants to ", false)(renamed(m, n))
				}
			}
			return nil
		}},
		{"goal-learning", `{am} {adv}(?:learning|teaching myself|training for|saving(?: up)? for|preparing for|studying for|practicing for)(?: how to| to)? (?P<o>.+)`, func(m match) []draft {
			o, when := splitDate(m.g("o"))
			o = o.trim()
			if !o.valid(6) || reactionEN.Match(o.fold) || notGoal.Match(o.fold) || strings.HasPrefix(o.fold, "about") || strings.HasPrefix(o.fold, "a lot") || definiteEN.Match(o.fold) && !strings.Contains(m.c.text, " for the ") && !oneOfAKind.Match(o.fold) {
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
				if !o.valid(6) || when.empty() || soonEN.Match(when.fold) || reactionEN.Match(strings.TrimPrefix(o.fold, "to ")) || goingNot.Match(o.fold) {
					return nil
				}
				return one(goal("goal/"+v.fold+"-"+objectKey(o.fold), o, when, "Is "+v.fold+" "+theirs(o.raw)))
			}
			w, p := m.g("w"), m.g("p").trim()
			if !dateStartEN.Match(p.fold) || !p.valid(7) {
				return nil
			}
			return one(goal("goal/"+objectKey(w.fold), w, p, "Is "+theirs(w.raw)))
		}},
		{"goal-event", `(?:my|our) (?P<e>(?:\w+ ){0,2}(?:appointment|meeting|exam|interview|flight|deadline|presentation|wedding|surgery|operation|checkup|conference|trip|vacation|holiday|graduation|defen[cs]e|due date|move|concert|anniversary|rent|visa|passport|contract|lease|train)) (?:is|are|starts|begins|leaves|takes place|expires|ends)(?: due| scheduled| set)? (?P<p>.+)`, func(m match) []draft {
			e, p := m.g("e"), m.g("p").trim()
			if !dateStartEN.Match(p.fold) || !p.valid(8) {
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
	i := m.re.Group("o")
	idx[2*i], idx[2*i+1] = p.lo, p.hi
	return match{c: m.c, re: m.re, idx: idx}
}
