package manager_test

import (
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// importPath is the path of the manager. The packages of the writers are below it.
const importPath = "memoria/memory/manager"

// sources resolves the imports of the manager and of the packages below it from their
// files, and no others. Calls between these packages are resolved all the same.
type sources struct {
	dir   string
	fset  *token.FileSet
	files []*ast.File // of all packages
	info  types.Info
	known map[string]*types.Package
}

func (s *sources) Import(path string) (*types.Package, error) {
	below, ok := strings.CutPrefix(path, importPath)
	if !ok {
		return nil, errors.New("not imported")
	}
	if s.known[path] != nil {
		return s.known[path], nil
	}
	paths, err := filepath.Glob(filepath.Join(s.dir, below, "*.go"))
	if err != nil {
		return nil, err
	}
	var files []*ast.File
	for _, path := range paths {
		if strings.HasSuffix(path, "_test.go") {
			continue
		}
		f, err := parser.ParseFile(s.fset, path, nil, parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		files = append(files, f)
	}
	check := types.Config{Importer: s, Error: func(error) {}}
	s.known[path], _ = check.Check(path, s.fset, files, &s.info) // of errors there are many
	s.files = append(s.files, files...)
	return s.known[path], nil
}

// writers returns the exported methods of the manager in a folder and of the writers below
// it from which an update of the store is reached, in order.
func writers(t *testing.T, dir string) (names []string) {
	t.Helper()
	s := &sources{
		dir: dir, fset: token.NewFileSet(), known: map[string]*types.Package{},
		info: types.Info{Uses: map[*ast.Ident]types.Object{}, Defs: map[*ast.Ident]types.Object{}},
	}
	if _, err := s.Import(importPath); err != nil {
		t.Fatal(err)
	}
	files, info := s.files, s.info
	callers := map[types.Object][]*ast.FuncDecl{}
	var writing []*ast.FuncDecl
	for _, f := range files {
		for _, d := range f.Decls {
			fn, ok := d.(*ast.FuncDecl)
			if !ok || fn.Body == nil {
				continue
			}
			ast.Inspect(fn.Body, func(n ast.Node) bool {
				switch n := n.(type) {
				case *ast.SelectorExpr:
					if n.Sel.Name == "Update" && isStore(n.X) {
						writing = append(writing, fn)
					}
				case *ast.Ident:
					if o, ok := info.Uses[n].(*types.Func); ok {
						callers[o] = append(callers[o], fn)
					}
				}
				return true
			})
		}
	}
	seen := map[*ast.FuncDecl]bool{}
	for len(writing) > 0 {
		fn := writing[0]
		writing = writing[1:]
		if seen[fn] {
			continue
		}
		seen[fn] = true
		writing = append(writing, callers[info.Defs[fn.Name]]...)
		if fn.Recv != nil && fn.Name.IsExported() && slices.Contains([]string{"*Manager", "*Writer"}, types.ExprString(fn.Recv.List[0].Type)) {
			names = append(names, fn.Name.Name)
		}
	}
	slices.Sort(names)
	return names
}

// isStore reports whether an expression is the store or the vault.
func isStore(x ast.Expr) bool {
	switch x := x.(type) {
	case *ast.SelectorExpr:
		return x.Sel.Name == "store" || x.Sel.Name == "vault"
	case *ast.CallExpr:
		f, ok := x.Fun.(*ast.SelectorExpr)
		return ok && (f.Sel.Name == "Store" || f.Sel.Name == "Vault")
	}
	return false
}

// TestWriters checks that a new writing method is found, also one that writes by others.
func TestWriters(t *testing.T) {
	const source = `package manager
import "memoria/memory/vault"
type Manager struct{ vault *vault.Vault }
func (m *Manager) change(fn func()) error { return m.Vault().Update(fn) }
func (m *Manager) Rename() error { return m.change(func() {}) }
func (m *Manager) Later() { go func() { m.other() }() }
func (m *Manager) Read() error { return m.Vault().View(nil) }
func (m *Manager) update() {}
func (m *Manager) other() { each(m.again) }
func (m *Manager) again() { _ = m.Vault().Store().Update(nil) }
func each(fn func()) { fn() }
`
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "manager.go"), []byte(source), 0o600); err != nil {
		t.Fatal(err)
	}
	if got := writers(t, dir); !slices.Equal(got, []string{"Later", "Rename"}) {
		t.Errorf("writers: %v", got)
	}
	if all := writers(t, "."); len(all) < 50 || !slices.Contains(all, "DeleteItems") || !slices.Contains(all, "AddItem") || slices.Contains(all, "Overview") {
		t.Errorf("of the manager: %v", all)
	}
}
