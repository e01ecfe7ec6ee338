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

// noImports resolves no import, so that a package is checked without what it imports.
// Calls inside the package are resolved all the same.
type noImports struct{}

func (noImports) Import(string) (*types.Package, error) { return nil, errors.New("not imported") }

// writers returns the exported methods of Manager in a folder from which an update of the
// store is reached, in order.
func writers(t *testing.T, dir string) (names []string) {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	fset := token.NewFileSet()
	var files []*ast.File
	for _, path := range paths {
		if strings.HasSuffix(path, "_test.go") {
			continue
		}
		f, err := parser.ParseFile(fset, path, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, f)
	}
	info := &types.Info{Uses: map[*ast.Ident]types.Object{}, Defs: map[*ast.Ident]types.Object{}}
	check := types.Config{Importer: noImports{}, Error: func(error) {}}
	_, _ = check.Check("manager", fset, files, info) // of errors there are many
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
		if fn.Recv != nil && fn.Name.IsExported() && types.ExprString(fn.Recv.List[0].Type) == "*Manager" {
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
	if all := writers(t, "."); len(all) < 50 || !slices.Contains(all, "DeleteItems") || slices.Contains(all, "Items") {
		t.Errorf("of the manager: %v", all)
	}
}
