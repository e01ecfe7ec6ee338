package words

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode"

	"memoria/ui/config"
)

// The catalogues have the same messages, each once.
func TestCataloguesAgree(t *testing.T) {
	for name, text := range map[string]string{"english": englishText, "chinese": chineseText, "sentences": sentencesText} {
		seen := map[string]bool{}
		separator := ": "
		if name == "sentences" {
			separator = arrow
		}
		for l := range strings.Lines(text) {
			id, _, ok := strings.Cut(l, separator)
			if l[0] == '#' || l[0] == '\t' || l == "\n" {
				continue
			}
			if !ok || seen[id] {
				t.Errorf("%s: a line that is none, or its message is there twice: %q", name, l)
			}
			seen[id] = true
		}
	}
	for id := range english {
		if _, ok := chinese[id]; !ok {
			t.Errorf("%q is in English alone", id)
		}
	}
	for id := range chinese {
		if _, ok := english[id]; !ok {
			t.Errorf("%q is in Chinese alone", id)
		}
	}
}

var verb = regexp.MustCompile(`%(?:\[(\d+)\])?([-+#0]?[0-9]*(?:\.[0-9]+)?[a-z])`)

// verbs are the verbs of a message by the numbers of their arguments; indexed says that they
// are numbered, and so need not be all.
func verbs(text string) (of map[int]string, indexed bool) {
	of = map[int]string{}
	next := 1
	for _, m := range verb.FindAllStringSubmatch(text, -1) {
		if m[1] != "" {
			next, _ = strconv.Atoi(m[1])
			indexed = true
		}
		of[next] = m[2]
		next++
	}
	return of, indexed
}

// braced are the actions that a message names.
func braced(text string) []string {
	names := action.FindAllString(text, -1)
	slices.Sort(names)
	return slices.Compact(names)
}

// A message takes the same arguments, and names the same actions, in both languages.
func TestChineseArguments(t *testing.T) {
	for id, text := range english {
		want, _ := verbs(text)
		got, indexed := verbs(chinese[id])
		if indexed { // what is left out is grammar, such as a verb
			for n, v := range got {
				if want[n] != v {
					t.Errorf("%s: argument %d is %%%s, in English %%%s", id, n, v, want[n])
				}
			}
		} else if !maps.Equal(got, want) {
			t.Errorf("%s: %q, in English %q", id, chinese[id], text)
		}
		if got, want := braced(chinese[id]), braced(text); !slices.Equal(got, want) {
			t.Errorf("%s names %q, in English %q", id, got, want)
		}
	}
}

var (
	// typed is what a user types, and names: they are the same in every language.
	typed = regexp.MustCompile(`memoria( [a-z|]+)*|\{[a-z-]+\} (all|edit|add|history|undo|run|persona)|--?[a-z-]+|Model Context Protocol|` +
		`LM Studio|[a-z_]+ (true|false)|%(\[\d\])?[a-z0-9.]+|KEY|"3 May"`)
	inEnglish = regexp.MustCompile(`[A-Za-z]{2,}[,;:.]? [A-Za-z]{2,}`)
	halfWidth = regexp.MustCompile(`\p{Han}[,;:?!()]|[,;!?()]\p{Han}`)
	unspaced  = regexp.MustCompile(`\p{Han}[A-Za-z0-9]|[A-Za-z0-9]\p{Han}`)
)

// The Chinese is Chinese: no sentence was left in English, punctuation is of full width, and
// there is a space between Chinese and Latin words.
func TestChineseIsChinese(t *testing.T) {
	all := maps.Clone(chinese)
	for english, said := range sentences.exact {
		all[english] = said
	}
	maps.Copy(all, settingHelp)
	for _, p := range sentences.patterns {
		all[strings.Join(p.fixed, "*")] = p.said
		for _, g := range gap.FindAllString(p.said, -1) {
			if int(g[1]-'0') > len(p.fixed)-1 {
				t.Errorf("%q has a gap that %q has not", p.said, p.fixed)
			}
		}
	}
	for id, text := range all {
		if left := typed.ReplaceAllString(text, "…"); inEnglish.MatchString(left) {
			t.Errorf("%s is in English: %q", id, text)
		}
		if !strings.HasPrefix(id, "time.age.") {
			plain := gap.ReplaceAllString(verb.ReplaceAllString(text, ""), "")
			if m := halfWidth.FindString(plain) + unspaced.FindString(plain); m != "" {
				t.Errorf("%s: %q in %q", id, m, text)
			}
		}
		han := strings.ContainsFunc(text, func(r rune) bool { return unicode.Is(unicode.Han, r) || unicode.IsPunct(r) || r == '%' })
		if !han && text != "ID" && text != "token" {
			t.Errorf("%s has no Chinese: %q", id, text)
		}
	}
}

// Every setting is explained in Chinese, with what it allows.
func TestChineseSettings(t *testing.T) {
	left := maps.Clone(settingHelp)
	for _, s := range config.Settings() {
		if left[s.Key] == "" {
			t.Errorf("%s is not explained", s.Key)
		}
		delete(left, s.Key)
		i := In(config.LanguageChinese).Setting(s)
		if len(s.Choices) == 0 && inEnglish.MatchString(i.Allowed) {
			t.Errorf("%s allows %q", s.Key, i.Allowed)
		}
		if got := (Words{}).Setting(s); got.Help != s.Help || got.Allowed != s.Allowed {
			t.Errorf("%s in English: %q, %q", s.Key, got.Help, got.Allowed)
		}
	}
	for key := range left {
		t.Errorf("%s is no setting", key)
	}
}

// A count is a number with the classifier of its noun, times and spans read as one says them.
func TestChineseCounts(t *testing.T) {
	for _, what := range []string{"memory", "session", "message", "turn", "token"} {
		if got := Chinese.Count(2, what); strings.Contains(got, what+"s") {
			t.Errorf("%q", got)
		}
	}
	if got := Chinese.Count(3, "memory"); got != "3 条记忆" {
		t.Errorf("%q", got)
	}
}

// What packages below say is translated as a whole, with its gaps, and in its parts; what is
// not known stays.
func TestTranslate(t *testing.T) {
	for sentence, want := range map[string]string{
		"Not found":                     "没有找到",
		"memory zzzz: not found.":       "没有记忆 zzzz。",
		"proposed by a friend":          "由 a friend 提议",
		"its words match, recent":       "词语匹配，新近",
		"said again; it is over":        "再次说到；已经结束",
		"recent, and something else":    "recent, and something else",
		"nobody knows this.":            "nobody knows this.",
		"":                              "",
		"reading /x: permission denied": "读取 /x：没有权限",
		"x is 9; allowed are 1m to 2h":  "x 的值 9 不行，可用的是 1m 到 2h",
		"from here to there":            "from here to there",
	} {
		if got := Chinese.Translate(sentence); got != want {
			t.Errorf("%q: %q, want %q", sentence, got, want)
		}
		if got := English.Translate(sentence); got != sentence {
			t.Errorf("%q became %q", sentence, got)
		}
	}
}

// joinedReasons are what memories of the user's words on no topic, and of rules, were kept or dropped for, as the
// changes join them.
var joinedReasons = []string{
	"said about other", "asked to remember it", "who is close to you", "your health", "something you plan or want", "inferred by the model",
	"the conclusion after a correction", "it is over", "something is over",
}

// P6: a reason that is joined of two is read in Chinese, not its half in English.
func TestJoinedReasonsInChinese(t *testing.T) {
	for _, why := range joinedReasons {
		for _, what := range []string{"nothing like it is known", "said again", "follows from what is known"} {
			got := Chinese.Translate(why + "; " + what)
			if strings.ContainsFunc(got, func(r rune) bool { return r < unicode.MaxASCII && unicode.IsLetter(r) }) {
				t.Errorf("%s; %s: %q", why, what, got)
			}
			if want := Chinese.Translate(why) + "；" + Chinese.Translate(what); got != want {
				t.Errorf("%s; %s: %q, want %q", why, what, got, want)
			}
		}
	}
	if got := Chinese.Translate("said about other"); strings.Contains(got, "other") {
		t.Errorf("%q", got)
	}
	for _, as := range []string{"decayed: unimportant and long unused", "imported, said 3 times"} {
		if got := Chinese.Translate(as); got == as {
			t.Errorf("%q has no Chinese", as)
		}
	}
}

// P6: the rules' reasons for what they learn and end are Chinese in a Chinese interface.
func TestReasonsInChinese(t *testing.T) {
	const rules = "../../memory/policy/lang/data"
	reason := regexp.MustCompile(`(?m)^ +(?:how|why) +(.*)$`)
	n := 0
	err := filepath.WalkDir(rules, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		b, err := os.ReadFile(path)
		for _, m := range reason.FindAllSubmatch(b, -1) {
			n++
			if said := strings.TrimSpace(string(m[1])); Chinese.Translate(said) == said && !strings.ContainsFunc(said, func(r rune) bool { return unicode.Is(unicode.Han, r) }) {
				t.Errorf("%s: %q has no Chinese", filepath.Base(path), said)
			}
		}
		return err
	})
	if err != nil || n < 50 {
		t.Errorf("%d reasons, %v", n, err)
	}
	inCode := regexp.MustCompile(`(?:Reason: +|Reason = (?:"[^"]*", )?|supersede\([^"\n]*)"([^"]+)"`)
	n = 0
	for _, dir := range []string{"policy", "learn", "manager", "manager/learning", "ledger"} {
		files, err := filepath.Glob("../../memory/" + dir + "/*.go")
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range files {
			b, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			for _, m := range inCode.FindAllSubmatch(b, -1) {
				if n++; !strings.HasSuffix(name, "_test.go") && Chinese.Translate(string(m[1])) == string(m[1]) {
					t.Errorf("%s: %q has no Chinese", name, m[1])
				}
			}
		}
	}
	if n < 15 {
		t.Errorf("only %d reasons in the code", n)
	}
}

// No sentence makes the translation run on.
func FuzzTranslate(f *testing.F) {
	f.Add("a, b; c. d")
	f.Fuzz(func(_ *testing.T, sentence string) { Chinese.Translate(sentence) })
}

// Every problem that chat explains, and every remedy of a model's error, is told in Chinese.
func TestProblemsInChinese(t *testing.T) {
	fields := []string{"title", "text", "hint", "Title", "Text", "Hint"}
	for _, name := range []string{"../../chat/explain.go", "../../chat/model/errors.go"} {
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		check := func(e ast.Expr) {
			lit, ok := e.(*ast.BasicLit)
			if !ok || lit.Kind != token.STRING {
				return
			}
			text, _ := strconv.Unquote(lit.Value)
			if sentence.MatchString(text) && !strings.Contains(text, "%") && Chinese.Translate(text) == text {
				t.Errorf("%s says in English: %q", name, text)
			}
		}
		ast.Inspect(file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.KeyValueExpr:
				key, ok := n.Key.(*ast.Ident)
				if ok && (slices.Contains(fields, key.Name) || strings.HasPrefix(key.Name, "Kind")) {
					check(n.Value)
				}
			case *ast.ReturnStmt:
				for _, e := range n.Results {
					check(e)
				}
			}
			return true
		})
	}
}
