package main_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
)

const module = "memoria"

// floors say which rooms of ours a room's code may import. The longest name
// that is the package's folder or lies above it decides; a name in may admits
// its sub-folders too, with a dot at its end the folder alone. A room that ends
// in a slash means what lies below it. Arrows point down only.
var floors = []struct {
	room string
	may  []string
}{
	{"", []string{"ui", "chat", "memory", "kv", "index", "prompts"}}, // main.go joins everything
	{"ui", []string{"ui", "chat", "memory", "index/text"}},
	{"chat", []string{"chat", "memory", "prompts", "index/text"}},
	{"memory", nil}, // the nouns
	{"memory/", []string{"memory", "kv", "index", "prompts"}},
	{"memory/bounds", nil},
	{"memory/policy", []string{"memory.", "memory/bounds", "memory/policy", "memory/pattern", "memory/classify", "index/text"}},
	{"memory/classify", []string{"memory/classify", "index/text"}},
	{"memory/pattern", []string{"memory/pattern"}},
	{"memory/retrieve", []string{"memory.", "memory/bounds", "memory/retrieve", "index/text"}},
	{"memory/phrase", []string{"memory/phrase", "memory/pattern", "index/text"}},
	{"memory/frame", []string{"memory.", "memory/frame", "memory/pattern", "memory/phrase", "index/text"}},
	{"memory/quoted", []string{"memory.", "memory/quoted", "memory/frame", "memory/pattern", "memory/phrase", "index/text"}},
	{"kv", []string{"kv"}},
	{"index", []string{"index"}},
	{"index/text", []string{"index/text"}}, // its own sub-folders only
	{"prompts", []string{"prompts"}},
}

// Tests obey the same arrows, but may look past a floor: a test in ui may open
// a store in kv. They never look up.
var testFloors = map[string][]string{
	"ui":   {"ui", "chat", "memory", "kv", "index", "prompts"},
	"chat": {"chat", "memory", "kv", "index", "prompts"},
}

// owners say in which room alone a library is named, tests included, so that
// it could be replaced by changing one room.
var owners = []struct{ library, room string }{
	{"go.etcd.io/bbolt", "kv"},
	{"github.com/blugelabs", "index"},
	{"github.com/blevesearch", "index"},
	{"github.com/openai/openai-go", "chat/model"},
	{"charm.land", "ui"},
	{"github.com/charmbracelet", "ui"},
	{"github.com/modelcontextprotocol", "ui"},
}

// onlyMain are calls that only a package main and tests make: everything else
// is handed its settings and its clock.
var onlyMain = []string{"os.Getenv", "os.LookupEnv", "os.Environ", "os.ExpandEnv", "time.Now"}

// forTests are packages that only tests import, and programs inside them: the scripted
// server and what damages a data folder.
var forTests = []string{"chat/model/modeltest", "kv/damage"}

// rooms are the folders that may lie at the top, beside those with a dot.
var rooms = []string{"ui", "chat", "memory", "kv", "index", "prompts", "testdata"}

// goFile is one parsed file; dir is its folder, "" at the root.
type goFile struct {
	dir, name string
	*ast.File
}

func (f goFile) isTest() bool { return strings.HasSuffix(f.name, "_test.go") }
func (f goFile) path() string { return path.Join(f.dir, f.name) }

// faults lists what breaks the rules above in one file.
func (f goFile) faults() []string {
	var found []string
	for _, spec := range f.Imports {
		imported, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			imported = spec.Path.Value
		}
		if why := f.forbids(imported); why != "" {
			found = append(found, fmt.Sprintf("%s imports %s: %s", f.path(), imported, why))
		}
	}
	if f.isTest() || f.Name.Name == "main" {
		return found
	}
	ast.Inspect(f.File, func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok {
			if name := callee(call); slices.Contains(onlyMain, name) {
				found = append(found, fmt.Sprintf("%s calls %s: only main and tests do", f.path(), name))
			}
		}
		return true
	})
	return found
}

// forbids says why the file may not import a package, or "".
func (f goFile) forbids(imported string) string {
	for _, o := range owners {
		if !within(imported, o.library) || within(f.dir, o.room) {
			continue
		}
		if f.dir == "" && f.isTest() && o.room == "ui" {
			continue // the root's tests start the whole program, its screen included
		}
		return "named only in " + o.room
	}
	ours, ok := strings.CutPrefix(imported, module+"/")
	if !ok {
		return ""
	}
	for _, double := range forTests {
		if within(ours, double) && !f.isTest() && !within(f.dir, double) {
			return "for tests only"
		}
	}
	room, may := f.floor()
	for _, m := range may {
		if self, only := strings.CutSuffix(m, "."); only && ours == self || !only && within(ours, m) {
			return ""
		}
	}
	if f.isTest() && ours == f.dir {
		return "" // an external test package
	}
	return fmt.Sprintf("%q may import of ours: %v", room, may)
}

// floor finds the rule for the file's folder.
func (f goFile) floor() (room string, may []string) {
	for _, r := range floors {
		name := strings.TrimSuffix(r.room, "/")
		below := name != r.room && f.dir == name // "memory/" means what lies below, not memory itself
		if within(f.dir, name) && !below && len(r.room) >= len(room) {
			room, may = r.room, r.may
		}
	}
	top, _, _ := strings.Cut(f.dir, "/")
	if wider, ok := testFloors[top]; ok && f.isTest() {
		may = wider
	}
	return room, may
}

// within reports whether name is folder or lies below it; all lies below "".
func within(name, folder string) bool {
	return folder == "" || name == folder || strings.HasPrefix(name, folder+"/")
}

// callee names the function of a call of the form package.Function.
func callee(call *ast.CallExpr) string {
	if sel, ok := call.Fun.(*ast.SelectorExpr); ok {
		if pkg, ok := sel.X.(*ast.Ident); ok {
			return pkg.Name + "." + sel.Sel.Name
		}
	}
	return ""
}

// readTree returns every Go file of the module, whatever its build constraints. Their content does not change
// under the race detector, so they are not read there.
func readTree(t *testing.T) []goFile {
	t.Helper()
	if testing.Short() {
		t.Skip("it reads source text, in which nothing races")
	}
	files, err := tree()
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// tree parses the module once for all tests.
var tree = sync.OnceValues(func() (files []goFile, err error) {
	fset := token.NewFileSet()
	err = filepath.WalkDir(".", func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			if name != "." && (strings.HasPrefix(d.Name(), ".") || d.Name() == "testdata") {
				return filepath.SkipDir
			}
			return nil
		}
		if filepath.Ext(name) != ".go" {
			return nil
		}
		parsed, err := parser.ParseFile(fset, name, nil, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		dir := filepath.ToSlash(filepath.Dir(name))
		if dir == "." {
			dir = ""
		}
		files = append(files, goFile{dir: dir, name: d.Name(), File: parsed})
		return nil
	})
	return files, err
})

// Arrows point down only, libraries stay in their room, only main reads the
// environment and the clock.
func TestImportsPointDown(t *testing.T) {
	for _, f := range readTree(t) {
		for _, fault := range f.faults() {
			t.Error(fault)
		}
	}
}

// The checker finds what it is there to find, and nothing else.
func TestImportsCheckerCanFail(t *testing.T) {
	for _, c := range []struct {
		file, imported string
		bad            bool
	}{
		{"main.go", "memoria/kv", false},
		{"main.go", "go.etcd.io/bbolt", true},
		{"main.go", "charm.land/fang/v2", true},
		{"main_test.go", "charm.land/bubbletea/v2", false},
		{"ui/cli/cli.go", "charm.land/fang/v2", false},
		{"ui/term/term.go", "memoria/chat", false},
		{"ui/term/term.go", "memoria/memory/manager", false},
		{"ui/term/term.go", "memoria/kv", true},
		{"ui/term/term_test.go", "memoria/kv", false},
		{"ui/term/term.go", "memoria/chat/model/modeltest", true},
		{"ui/term/term_test.go", "memoria/chat/model/modeltest", false},
		{"ui/term/term.go", "github.com/openai/openai-go/v3", true},
		{"ui/term/term_test.go", "go.etcd.io/bbolt", true},
		{"chat/turn.go", "memoria/prompts", false},
		{"chat/turn.go", "memoria/ui/clean", true},
		{"chat/turn_test.go", "memoria/ui/clean", true},
		{"chat/turn.go", "memoria/kv", true},
		{"chat/turn.go", "github.com/openai/openai-go/v3", true},
		{"chat/model/openai.go", "github.com/openai/openai-go/v3/option", false},
		{"chat/turn.go", "github.com/charmbracelet/x/ansi", true},
		{"memory/item.go", "memoria/index/text", true},
		{"memory/item.go", "memoria/memory/store", true},
		{"memory/item_test.go", "memoria/memory", false},
		{"memory/item_test.go", "memoria/memory/store", true},
		{"memory/manager/turn.go", "memoria/memory/store", false},
		{"memory/manager/turn.go", "memoria/kv", false},
		{"memory/manager/turn.go", "memoria/chat", true},
		{"memory/manager/turn_test.go", "memoria/chat", true},
		{"memory/policy/rules.go", "memoria/index/text", false},
		{"memory/policy/rules.go", "memoria/memory", false},
		{"memory/policy/rules.go", "memoria/memory/store", true},
		{"memory/policy/rules_test.go", "memoria/memory/store", true},
		{"memory/retrieve/score.go", "memoria/index", true},
		{"memory/retrieve/score.go", "memoria/kv", true},
		{"memory/store/items.go", "go.etcd.io/bbolt", true},
		{"kv/open.go", "go.etcd.io/bbolt", false},
		{"kv/open.go", "memoria/index", true},
		{"kv/open_test.go", "memoria/memory", true},
		{"kvx/open.go", "go.etcd.io/bbolt", true},
		{"index/search.go", "memoria/index/text", false},
		{"index/search.go", "github.com/blugelabs/bluge", false},
		{"index/search.go", "memoria/prompts", true},
		{"index/text/fold.go", "memoria/index", true},
		{"index/text/internal/gendict/main.go", "memoria/index/text", false},
		{"prompts/set.go", "memoria/index/text", true},
		{"prompts/set_test.go", "memoria/prompts", false},
	} {
		f := fakeFile(t, c.file, "package p\nimport _ \""+c.imported+"\"\n")
		if got := f.faults(); (len(got) > 0) != c.bad {
			t.Errorf("%s importing %s: %v", c.file, c.imported, got)
		}
	}
}

func TestCallsCheckerCanFail(t *testing.T) {
	const body = "\nimport (\"os\"; \"time\")\nvar now, key = time.Now(), os.Getenv(\"KEY\")\n"
	for file, want := range map[string]int{"chat/turn.go": 2, "chat/turn_test.go": 0} {
		if got := fakeFile(t, file, "package chat"+body).faults(); len(got) != want {
			t.Errorf("%s: %v", file, got)
		}
	}
	if got := fakeFile(t, "main.go", "package main"+body).faults(); len(got) != 0 {
		t.Error(got)
	}
	handed := "package chat\nimport \"time\"\nvar clock = time.Now\n"
	if got := fakeFile(t, "chat/turn.go", handed).faults(); len(got) != 0 {
		t.Errorf("handing the clock on is no reading of it: %v", got)
	}
}

func fakeFile(t *testing.T, name, text string) goFile {
	t.Helper()
	parsed, err := parser.ParseFile(token.NewFileSet(), name, text, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	dir := path.Dir(name)
	if dir == "." {
		dir = ""
	}
	return goFile{dir: dir, name: path.Base(name), File: parsed}
}

// Every package tells a newcomer what it is for. A command may do so in any
// of its files.
func TestEveryPackageHasADoc(t *testing.T) {
	packages := map[string]string{} // folder → package name
	documented := map[string]bool{}
	for _, f := range readTree(t) {
		if f.isTest() {
			continue
		}
		packages[f.dir] = f.Name.Name
		if f.Doc == nil || f.name != "doc.go" && f.Name.Name != "main" {
			continue
		}
		first := f.Doc.Text()
		documented[f.dir] = f.Name.Name == "main" || strings.HasPrefix(first, "Package "+f.Name.Name+" ")
	}
	for dir, name := range packages {
		if !documented[dir] {
			t.Errorf("package %s in %q has no doc.go that begins with \"Package %s \"", name, dir, name)
		}
	}
}

func TestOnlyKnownRoomsAtTheTop(t *testing.T) {
	entries, err := os.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if e.IsDir() && !strings.HasPrefix(e.Name(), ".") && !slices.Contains(rooms, e.Name()) {
			t.Errorf("folder %s is no room of the house: %v", e.Name(), rooms)
		}
	}
}
