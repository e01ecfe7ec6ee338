package pattern

import (
	"fmt"
	"regexp"
	"strings"
	"sync"
)

// Book holds the lists and forms of one language, by name. It is filled once and then safe for concurrent use.
type Book struct {
	lists map[string][]string
	forms map[string]form
	also  map[string]func() *Book

	mu       sync.Mutex
	compiled map[string]Pattern
	expanded sync.Map // the expressions of the forms used so far, by name
}

// form is a named pattern with its alternatives.
type form struct {
	lines []string
	where string // file and line, for errors
}

// NewBook returns an empty book.
func NewBook() *Book {
	return &Book{lists: map[string][]string{}, forms: map[string]form{}, also: map[string]func() *Book{}, compiled: map[string]Pattern{}}
}

// Add takes the blocks "words NAME" and "form NAME" of a file; it returns the others. An error names file and line.
func (b *Book) Add(blocks []Block) (rest []Block, err error) {
	for _, bl := range blocks {
		switch bl.Kind {
		case "words":
			if b.Has(bl.Name) {
				return nil, fmt.Errorf("%s: %q is defined twice", bl.Where, bl.Name)
			}
			var all []string
			for _, l := range bl.Lines {
				all = append(all, l.Text)
			}
			for _, w := range strings.Split(strings.Join(all, " "), ",") {
				if w = strings.TrimSpace(w); w != "" {
					b.lists[bl.Name] = append(b.lists[bl.Name], w)
				}
			}
		case "form":
			if b.Has(bl.Name) {
				return nil, fmt.Errorf("%s: %q is defined twice", bl.Where, bl.Name)
			}
			f := form{where: bl.Where}
			for _, l := range bl.Lines {
				f.lines = append(f.lines, l.Text)
			}
			b.forms[bl.Name] = f
		default:
			rest = append(rest, bl)
		}
	}
	return rest, nil
}

// Has reports whether there is a list or form of that name.
func (b *Book) Has(name string) bool { return b.lists[name] != nil || b.forms[name].where != "" }

// Also lets the patterns use the lists and forms of another book, as {prefix:name}; get is called when one does.
func (b *Book) Also(prefix string, get func() *Book) { b.also[prefix] = get }

// Words returns a list; nil when there is none of that name. The caller must not change it.
func (b *Book) Words(name string) []string { return b.lists[name] }

// Set returns a list as a set.
func (b *Book) Set(name string) map[string]bool {
	set := make(map[string]bool, len(b.lists[name]))
	for _, w := range b.lists[name] {
		set[w] = true
	}
	return set
}

// Expression returns the expression, in the syntax of package regexp, of a notation.
func (b *Book) Expression(notation string) (string, error) {
	return b.expression(notation, 0)
}

func (b *Book) expression(notation string, depth int) (string, error) {
	if depth > maxDepth {
		return "", fmt.Errorf("forms name each other without end in %q", notation)
	}
	var inner error
	out, err := translate(notation, func(name string) (string, bool) {
		s, ok, err := b.named(name, depth+1)
		if err != nil && inner == nil {
			inner = err
		}
		return s, ok
	})
	if inner != nil {
		return "", inner
	}
	return out, err
}

// named is the expression of a list or form.
func (b *Book) named(name string, depth int) (string, bool, error) {
	if words, ok := b.lists[name]; ok {
		quoted := make([]string, len(words))
		for i, w := range words {
			quoted[i] = regexp.QuoteMeta(w)
		}
		return "(?:" + strings.Join(quoted, "|") + ")", true, nil
	}
	f, ok := b.forms[name]
	if !ok {
		prefix, rest, _ := strings.Cut(name, ":")
		if get := b.also[prefix]; get != nil {
			return get().named(rest, depth)
		}
		return "", false, nil
	}
	if e, ok := b.expanded.Load(name); ok {
		return e.(string), true, nil
	}
	all := make([]string, len(f.lines))
	for i, l := range f.lines {
		e, err := b.expression(l, depth)
		if err != nil {
			return "", true, fmt.Errorf("%s: form %s: %w", f.where, name, err)
		}
		all[i] = e
	}
	e := "(?:" + strings.Join(all, "|") + ")"
	b.expanded.Store(name, e)
	return e, true, nil
}

// Pattern returns the pattern of notation, compiled when it is first used. An invalid notation panics then; [Book.Check]
// finds it before.
func (b *Book) Pattern(notation string) Pattern { return b.anchored("", notation, "") }

// Whole is [Book.Pattern] for a text from its beginning to its end.
func (b *Book) Whole(notation string) Pattern { return b.anchored("^(?:", notation, ")$") }

// Start is [Book.Pattern] for the beginning of a text.
func (b *Book) Start(notation string) Pattern { return b.anchored("^(?:", notation, ")") }

// End is [Book.Pattern] for the end of a text.
func (b *Book) End(notation string) Pattern { return b.anchored("(?:", notation, ")$") }

func (b *Book) anchored(before, notation, after string) Pattern {
	b.mu.Lock()
	defer b.mu.Unlock()
	key := before + notation + after
	p, ok := b.compiled[key]
	if !ok {
		p = Lazy(func() string {
			e, err := b.Expression(notation)
			if err != nil {
				panic("pattern: " + err.Error())
			}
			return before + e + after
		})
		b.compiled[key] = p
	}
	return p
}

// Check compiles every form, and returns the first error; then every pattern made so far, and panics for a bad one.
func (b *Book) Check() error {
	for name := range b.forms {
		e, _, err := b.named(name, 0)
		if err != nil {
			return err
		}
		if _, err := regexp.Compile(e); err != nil {
			return fmt.Errorf("%s: form %s: %w", b.forms[name].where, name, err)
		}
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, p := range b.compiled {
		p.Regexp()
	}
	return nil
}
