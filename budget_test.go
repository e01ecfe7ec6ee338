package main_test

import (
	"fmt"
	"go/ast"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

// Limits of the house: alarms, not targets. A type that is sliced across forty files is still
// one type.
const (
	maxMethods = 60   // of a type
	maxFields  = 40   // of a type
	maxExports = 120  // of a package
	maxLines   = 6000 // of a package, without tests
	maxColumns = 140  // of a line, a tab counts four
)

// exceptions are the counts that are over their limit. A count is a ceiling: it may only
// become lower, and then it is lowered here, so that it does not rise again. Counts of lines
// are rounded up to fifty and have some room below, see lineRoom.
var exceptions = map[string]struct {
	ceiling int
	why     string
}{
	"memory exports":          {254, "the nouns of the program, typed"},
	"memory/store.Tx methods": {212, "every bucket is here"},
	"ui/words exports":        {122, "every noun of the program in both languages"},
	"memory/store lines":      {6350, "exports, quotations and redactions follow the buckets"},
}

// lineRoom is how far a count of lines may be below its ceiling.
const lineRoom = 150

// TestBudget counts what makes a codebase hard to live in.
func TestBudget(t *testing.T) {
	for _, fault := range overBudget(countAll(t), exceptions) {
		t.Error(fault)
	}
}

func overBudget(counts map[string]count, exceptions map[string]struct {
	ceiling int
	why     string
}) (faults []string) {
	for _, what := range slices.Sorted(maps.Keys(counts)) {
		n := counts[what]
		e, excepted := exceptions[what]
		room := 0
		if strings.HasSuffix(what, " lines") && n.limit > 0 {
			room = lineRoom
		}
		switch {
		case !excepted && n.is > n.limit:
			faults = append(faults, fmt.Sprintf("%s: %d, the limit is %d", what, n.is, n.limit))
		case excepted && n.is <= n.limit:
			faults = append(faults, fmt.Sprintf("%s: %d is within the limit of %d: remove the exception", what, n.is, n.limit))
		case excepted && n.is > e.ceiling:
			faults = append(faults, fmt.Sprintf("%s: %d, the ceiling is %d (%s)", what, n.is, e.ceiling, e.why))
		case excepted && n.is < e.ceiling-room:
			faults = append(faults, fmt.Sprintf("%s: %d, lower the ceiling of %d", what, n.is, e.ceiling))
		}
	}
	for _, what := range slices.Sorted(maps.Keys(exceptions)) {
		if _, counted := counts[what]; !counted {
			faults = append(faults, what+" is gone: remove the exception")
		}
	}
	return faults
}

// TestBudgetCanFail checks the check.
func TestBudgetCanFail(t *testing.T) {
	type exception = struct {
		ceiling int
		why     string
	}
	counts := map[string]count{"a.T methods": {61, 60}, "b.T methods": {60, 60}, "c lines": {7000, 6000}}
	for name, tt := range map[string]struct {
		exceptions map[string]exception
		faults     int
	}{
		"none":       {nil, 2},
		"fitting":    {map[string]exception{"a.T methods": {61, ""}, "c lines": {7100, ""}}, 0},
		"too low":    {map[string]exception{"a.T methods": {60, ""}, "c lines": {7000, ""}}, 1},
		"too high":   {map[string]exception{"a.T methods": {62, ""}, "c lines": {7200, ""}}, 2},
		"not needed": {map[string]exception{"a.T methods": {61, ""}, "b.T methods": {60, ""}, "c lines": {7000, ""}}, 1},
		"of nothing": {map[string]exception{"a.T methods": {61, ""}, "d.T methods": {70, ""}, "c lines": {7000, ""}}, 1},
	} {
		if got := overBudget(counts, tt.exceptions); len(got) != tt.faults {
			t.Errorf("%s: %q", name, got)
		}
	}
}

// count is a number and its limit.
type count struct{ is, limit int }

// generated is the first line of a file that a program wrote.
var generated = regexp.MustCompile(`(?m)^// Code generated .* DO NOT EDIT\.$`)

// countAll counts the module's code, without tests and generated files.
func countAll(t *testing.T) map[string]count {
	t.Helper()
	counts := map[string]count{}
	add := func(what string, n, limit int) {
		counts[what] = count{counts[what].is + n, limit}
	}
	for _, f := range readTree(t) {
		if f.isTest() {
			continue
		}
		source, err := os.ReadFile(filepath.FromSlash(f.path()))
		if err != nil {
			t.Fatal(err)
		}
		if generated.Match(source) {
			continue
		}
		add(f.dir+" lines", strings.Count(string(source), "\n"), linesOf(f.dir))
		for line := range strings.Lines(string(source)) {
			if utf8.RuneCountInString(strings.ReplaceAll(strings.TrimRight(line, "\n"), "\t", "    ")) > maxColumns {
				add("long lines", 1, 0)
			}
		}
		for _, d := range f.Decls {
			countDecl(f.dir, d, add)
		}
	}
	return counts
}

// linesOf and exportsOf are the limits of a package.
func linesOf(dir string) int {
	if dir == "memory/manager" {
		return 11_000
	}
	return maxLines
}

func exportsOf(dir string) int {
	if dir == "memory" || dir == "memory/store" {
		return 200
	}
	return maxExports
}

func countDecl(dir string, d ast.Decl, add func(what string, n, limit int)) {
	export := func(name *ast.Ident) {
		if name.IsExported() {
			add(dir+" exports", 1, exportsOf(dir))
		}
	}
	switch d := d.(type) {
	case *ast.FuncDecl:
		export(d.Name)
		if d.Recv != nil {
			add(dir+"."+receiver(d.Recv.List[0].Type)+" methods", 1, maxMethods)
		}
		if d.Name.IsExported() && ignoresContext(d) {
			add("exported functions that ignore their context", 1, 0)
		}
	case *ast.GenDecl:
		for _, s := range d.Specs {
			switch s := s.(type) {
			case *ast.TypeSpec:
				export(s.Name)
				if st, ok := s.Type.(*ast.StructType); ok {
					for _, f := range st.Fields.List {
						add(dir+"."+s.Name.Name+" fields", max(1, len(f.Names)), maxFields)
					}
				}
			case *ast.ValueSpec:
				for _, name := range s.Names {
					export(name)
				}
			}
		}
	}
}

// receiver names the type of a method.
func receiver(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.StarExpr:
		return receiver(e.X)
	case *ast.IndexExpr:
		return receiver(e.X)
	case *ast.IndexListExpr:
		return receiver(e.X)
	case *ast.Ident:
		return e.Name
	}
	return "?"
}

// ignoresContext reports whether a function has a context and never uses it.
func ignoresContext(d *ast.FuncDecl) bool {
	if d.Body == nil {
		return false
	}
	for _, p := range d.Type.Params.List {
		sel, ok := p.Type.(*ast.SelectorExpr)
		if !ok || sel.Sel.Name != "Context" {
			continue
		}
		for _, name := range p.Names {
			if name.Name == "_" || !mentions(d.Body, name.Name) {
				return true
			}
		}
	}
	return false
}

func mentions(body ast.Node, name string) (found bool) {
	ast.Inspect(body, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		found = found || ok && id.Name == name
		return !found
	})
	return found
}
