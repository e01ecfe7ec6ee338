package words

import (
	"go/ast"
	"go/parser"
	"go/token"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// unworded are the texts of these packages that are not in the catalogue, with the reason.
var unworded = map[string]string{
	"this is a message, not a command":         "an error for the front end, which no user sees",
	"turn %s of session %s: %w":                "a detail of an error that the front end explains",
	"memory %s does not wait in the inbox: %w": "a detail of an error that the front end explains",
}

// mostUnworded is how many texts ui/cli still has outside the catalogue. It only falls.
const mostUnworded = 1

// The text of line mode and of actions is in the catalogue; of commands, more and more.
func TestLiterals(t *testing.T) {
	for _, text := range slices.Concat(texts(t, "../actions"), texts(t, "../plain")) {
		if unworded[text] == "" {
			t.Errorf("not in the catalogue: %q", text)
		}
	}
	if found := texts(t, "../cli"); len(found) > mostUnworded {
		t.Errorf("ui/cli has %d texts outside the catalogue, more than %d:\n%s", len(found), mostUnworded, strings.Join(found, "\n"))
	}
}

// sentence matches two words in a row.
var sentence = regexp.MustCompile(`[A-Za-z%]{2,}[,;:.]? [A-Za-z]{2,}`)

// texts returns the string literals of a package with two words or more, but for imports,
// tags of fields, keys, nouns that are counted, and what describes an action in the table.
func texts(t *testing.T, dir string) (out []string) {
	t.Helper()
	packages, err := parser.ParseDir(token.NewFileSet(), dir, nil, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range packages {
		for name, file := range p.Files {
			if strings.HasSuffix(name, "_test.go") {
				continue
			}
			ast.Inspect(file, func(n ast.Node) bool {
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
					if f, ok := n.Fun.(*ast.SelectorExpr); ok && f.Sel.Name == "Count" {
						return false
					}
				case *ast.BasicLit:
					if text, err := strconv.Unquote(n.Value); err == nil && sentence.MatchString(text) {
						out = append(out, text)
					}
				}
				return true
			})
		}
	}
	slices.Sort(out)
	return out
}
