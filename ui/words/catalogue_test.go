package words

import (
	"go/ast"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// groups are the beginnings of ids whose ends are constants, nouns or kinds of errors.
var groups = []string{
	"palette.find", "settings.name", "settings.table", "settings.value",
	"state", "theme",
	"layer", "type", "action", "origin", "source", "session.is", "index.is", "backup.kind", "journal.kind", "count", "area", "finding",
	"derived", "owner", "section", "color", "role", "meta", "answer.is",
}

// Every message that is said is in the catalogue, and every message of the catalogue is said.
func TestCatalogue(t *testing.T) {
	panes, err := filepath.Glob("../term/*")
	if err != nil {
		t.Fatal(err)
	}
	said := map[string]bool{}
	saying := []string{
		"Say", "SayTo", "say", "Later", "mended", "note", "refuse", "remark", "confirm", "question", "wrongUsage", "bind", "group",
	}
	for _, dir := range append(panes, ".", "../actions", "../plain", "../cli", "../owner", "../term") {
		inspect(t, dir, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.BasicLit:
				text, _ := strconv.Unquote(n.Value)
				said[text] = true
			case *ast.CallExpr:
				for _, arg := range n.Args {
					lit, ok := arg.(*ast.BasicLit)
					if !ok || !slices.Contains(saying, called(n)) {
						continue
					}
					if id, _ := strconv.Unquote(lit.Value); english[id] == "" && !strings.ContainsAny(id, " %") && id != "" {
						t.Errorf("%s says %q, which is not in the catalogue", dir, id)
					}
					break
				}
			}
			return true
		})
	}
	for id := range english {
		group := slices.ContainsFunc(groups, func(group string) bool { return strings.HasPrefix(id, group+".") })
		of := id
		for _, variant := range []string{".shell", ".long", ".that"} {
			of = strings.TrimSuffix(of, variant)
		}
		if !said[id] && !said[of] && !group {
			t.Errorf("nothing says %q", id)
		}
	}
}

// A message keeps the braces of its arguments; those of the catalogue name actions.
func TestSayTo(t *testing.T) {
	slash := func(action string) string { return "/" + action }
	if got, want := English.SayTo(slash, "undo.turn", "{add} me"), "undone, /undo restores it: {add} me"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if got := English.Say("no.such"); got != "no.such" {
		t.Errorf("%q", got)
	}
}
