package words

import (
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// unworded are the texts of these packages that are not in the catalogue, by the reason.
var unworded = map[string][]string{
	"what the user types": {"memoria config show", "memoria doctor --repair"},
	"a unit":              {"%d ms"},
	"a name":              {"Go HTML Template", "memoria version ", `.TH MEMORIA 1 "" %s "User Commands"`},
	"a name in the code":  {"add agent", "add group", "delete session", "edit working"},
	"what finds it":       {"new add 新建"},
	"the log":             {"draft was not saved", "the first minute would be shown again", "terminal program panicked"},
	"no user sees it":     {"this is a message, not a command", "the input is too long"},
	"the front end explains this": {
		"turn %s of session %s: %w", "memory %s does not wait in the inbox: %w", "%s: %w; nothing was changed",
		"deleting the agent %s: %w", "it takes longer than %s", "reading standard input: %w", "writing JSON: %w",
		"ui settings: %w", "running the terminal: %w", "%w: TERM is dumb",
	},
}

// What commands, actions, line mode and the screen say is in the catalogue.
func TestLiterals(t *testing.T) {
	allowed := slices.Concat(slices.Collect(maps.Values(unworded))...)
	dirs := []string{".", "../actions", "../cli", "../plain", "../term"}
	rooms, err := filepath.Glob("../term/*/doc.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, doc := range rooms {
		dirs = append(dirs, filepath.Dir(doc))
	}
	for _, dir := range dirs {
		if name := filepath.Base(dir); name == "panetest" || name == "picture" { // they say nothing to users
			continue
		}
		for _, text := range texts(t, dir) {
			if !slices.Contains(allowed, text) {
				t.Errorf("%s says what is not in the catalogue: %q", dir, text)
			}
		}
	}
}

// sentence matches two words in a row.
var sentence = regexp.MustCompile(`[A-Za-z%]{2,}[,;:.]? [A-Za-z]{2,}`)

// texts returns the string literals of a package with two words or more, but for imports,
// tags of fields, keys, nouns that are counted, and what describes an action in the table.
func texts(t *testing.T, dir string) (out []string) {
	inspect(t, dir, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.ImportSpec:
			return false
		case *ast.Field:
			n.Tag = nil
		case *ast.KeyValueExpr:
			if key, ok := n.Key.(*ast.Ident); ok && slices.Contains([]string{"Help", "Arg", "Command", "What"}, key.Name) {
				return false
			}
			n.Key = ast.NewIdent("key")
		case *ast.CallExpr:
			return called(n) != "Count"
		case *ast.BasicLit:
			if text, err := strconv.Unquote(n.Value); err == nil && sentence.MatchString(text) {
				out = append(out, text)
			}
		}
		return true
	})
	return out
}

// inspect visits the syntax of a package without its tests.
func inspect(t *testing.T, dir string, visit func(ast.Node) bool) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		t.Fatal(dir, err)
	}
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(file, visit)
	}
}

// called is the name of the function or method that is called.
func called(c *ast.CallExpr) string {
	switch f := c.Fun.(type) {
	case *ast.SelectorExpr:
		return f.Sel.Name
	case *ast.Ident:
		return f.Name
	}
	return ""
}

// Each noun that is counted on the screen has a Chinese one.
func TestCountsInChinese(t *testing.T) {
	counted := 0
	for _, dir := range []string{".", "../actions", "../cli", "../plain", "../term", "../term/*"} {
		files, err := filepath.Glob(dir + "/*.go")
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range files {
			if strings.HasSuffix(name, "_test.go") {
				continue
			}
			f, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
			if err != nil {
				t.Fatal(err)
			}
			ast.Inspect(f, func(n ast.Node) bool {
				call, ok := n.(*ast.CallExpr)
				if !ok || len(call.Args) < 2 {
					return true
				}
				sel, ok := call.Fun.(*ast.SelectorExpr)
				lit, isLit := call.Args[len(call.Args)-1].(*ast.BasicLit)
				if !ok || sel.Sel.Name != "Count" || !isLit || lit.Kind != token.STRING {
					return true
				}
				noun, err := strconv.Unquote(lit.Value)
				if err != nil {
					t.Fatal(err)
				}
				if pkg, ok := sel.X.(*ast.Ident); ok && (pkg.Name == "strings" || pkg.Name == "bytes") {
					return true
				}
				if counted++; strings.Contains(Chinese.Count(2, noun), noun) && noun != "token" {
					t.Errorf("%s: %q has no Chinese", name, noun)
				}
				return true
			})
		}
	}
	if counted < 20 {
		t.Errorf("only %d counts were found", counted)
	}
}
