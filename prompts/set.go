package prompts

import (
	"bytes"
	"embed"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"text/template"
	"unicode/utf8"
)

//go:embed chat/*.txt learn/*.txt memory/*.md memory/*.txt mcp/*.txt
var embedded embed.FS

// MaxOverride is the maximum size of an override in bytes. A longer file is refused: it
// would fill the context of most models.
const MaxOverride = 64 << 10

// ErrUnknown is returned for unknown prompt names. Names that would leave the prompt
// folder ("../x", "/x") are unknown too.
var ErrUnknown = errors.New("unknown prompt")

// OverrideError says that a user's override is unusable and the embedded text is used.
type OverrideError struct {
	Name string // the prompt's name, "chat/system.txt"
	File string // the override's path as the user knows it
	Err  error  // the fault; template errors name the line
}

// Error names the file, the fault and the fallback.
func (e *OverrideError) Error() string {
	return fmt.Sprintf("prompt override %s: %v (using the built-in text)", e.File, e.Err)
}

// Unwrap returns the fault.
func (e *OverrideError) Unwrap() error { return e.Err }

// Set holds every prompt, with the user's overrides. It never changes after New and is
// safe for concurrent use.
type Set struct {
	builtin map[string]prompt
	used    map[string]prompt // builtin, or a valid override
	names   []string
}

type prompt struct {
	text string
	tmpl *template.Template
	file string // path of an override; "" for an embedded text
}

// New reads the embedded prompts and their overrides from overrideDir (usually
// <config>/prompts). An empty or missing folder means no overrides. Later changes to
// the folder need a new Set.
//
// The Set is always usable. The error, if not nil, joins one *OverrideError for each
// refused file in overrideDir: it does not parse, uses a missing field, lacks required
// content, is not UTF-8, not a regular file, over MaxOverride, or has an unknown name.
// The embedded text is used for those.
func New(overrideDir string) (*Set, error) {
	if overrideDir == "" {
		return embeddedSet(), nil
	}
	s := &Set{builtin: embeddedSet().builtin, used: maps.Clone(embeddedSet().builtin), names: embeddedSet().names}
	return s, s.override(overrideDir)
}

// embeddedSet parses the embedded files once; Sets share them.
var embeddedSet = sync.OnceValue(func() *Set {
	texts := map[string]prompt{}
	names := embeddedNames()
	for _, name := range names {
		text, err := embedded.ReadFile(name)
		if err != nil {
			panic("prompts: embedded file vanished: " + name) // the binary is broken
		}
		p, err := parse(name, string(text))
		if err != nil {
			panic("prompts: embedded " + err.Error()) // a test parses every file
		}
		texts[name] = p
	}
	return &Set{builtin: texts, used: texts, names: names}
})

// Names lists every prompt, sorted. The caller owns the slice.
func (s *Set) Names() []string { return slices.Clone(s.names) }

// Overridden returns the path of the named prompt's override, or "".
func (s *Set) Overridden(name string) string { return s.used[name].file }

// Get returns the text of a prompt's file, with template actions, without the last line
// break. The only error is ErrUnknown.
func (s *Set) Get(name string) (string, error) {
	p, ok := s.used[name]
	if !ok {
		return "", fmt.Errorf("getting prompt %q: %w", name, ErrUnknown)
	}
	return p.text, nil
}

// Render fills a prompt's template with data; a key missing from data is an error. If
// an override fails with this data, Render returns the embedded text's rendering and an
// *OverrideError, so that a caller may warn and continue. With any other error the text
// is empty.
func (s *Set) Render(name string, data any) (string, error) {
	p, ok := s.used[name]
	if !ok {
		return "", fmt.Errorf("rendering prompt %q: %w", name, ErrUnknown)
	}
	text, err := p.render(data)
	if err == nil {
		return text, nil
	}
	if p.file == "" {
		return "", fmt.Errorf("rendering prompt: %w", err)
	}
	text, fallbackErr := s.builtin[name].render(data)
	if fallbackErr != nil {
		return "", fmt.Errorf("rendering prompt: %w", fallbackErr)
	}
	return text, &OverrideError{Name: name, File: p.file, Err: err}
}

func (p prompt) render(data any) (string, error) {
	var b strings.Builder
	if err := p.tmpl.Execute(&b, data); err != nil {
		return "", err
	}
	return strings.TrimRight(b.String(), "\n"), nil
}

func parse(name, text string) (prompt, error) {
	text = strings.TrimRight(strings.ReplaceAll(text, "\r\n", "\n"), "\n")
	t, err := template.New(name).
		Option("missingkey=error").
		Funcs(template.FuncMap{"json": quote, "line": func(nonce, source, text string) string {
			return Line(nonce, FenceLine{Source: source, Text: text})
		}}).
		Parse(text)
	if err != nil {
		return prompt{}, err
	}
	return prompt{text: text, tmpl: t}, nil
}

func embeddedNames() []string {
	var names []string
	err := fs.WalkDir(embedded, ".", func(name string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			names = append(names, name)
		}
		return err
	})
	if err != nil {
		panic("prompts: reading embedded files: " + err.Error())
	}
	return names // WalkDir walks in lexical order
}

// override installs the valid files below dir and returns the faults of the others,
// joined.
func (s *Set) override(dir string) error {
	var faults []error
	fault := func(name, file string, err error) {
		faults = append(faults, &OverrideError{Name: name, File: file, Err: err})
	}
	for _, name := range s.names {
		file := filepath.Join(dir, filepath.FromSlash(name))
		p, err := load(name, file)
		switch {
		case errors.Is(err, fs.ErrNotExist):
		case err != nil:
			fault(name, file, err)
		default:
			s.used[name] = p
		}
	}
	for _, name := range s.strangers(dir) {
		fault(name, filepath.Join(dir, filepath.FromSlash(name)),
			fmt.Errorf("%w; known are %s", ErrUnknown, strings.Join(s.names, ", ")))
	}
	return errors.Join(faults...)
}

// load reads and tries one override. fs.ErrNotExist means there is none.
func load(name, file string) (prompt, error) {
	text, err := readOverride(file)
	if err != nil {
		return prompt{}, err
	}
	p, err := parse(name, text)
	if err != nil {
		return prompt{}, err
	}
	p.file = file
	if err := p.try(name); err != nil {
		return prompt{}, err
	}
	return p, nil
}

// readOverride reads a user's file. It checks the kind before opening, since opening a
// pipe would block.
func readOverride(file string) (string, error) {
	info, err := os.Stat(file)
	if err != nil {
		return "", err
	}
	if !info.Mode().IsRegular() {
		return "", errors.New("not a regular file")
	}
	f, err := os.Open(file)
	if err != nil {
		return "", err
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, MaxOverride+1))
	if err != nil {
		return "", err
	}
	if len(text) > MaxOverride {
		return "", fmt.Errorf("longer than %d bytes", MaxOverride)
	}
	text = bytes.TrimPrefix(text, []byte("\ufeff"))
	if !utf8.Valid(text) {
		return "", errors.New("not valid UTF-8")
	}
	return string(text), nil
}

// strangers lists the text and Markdown files in the prompt folders that are not prompts:
// probably misspelt names that would otherwise be ignored silently.
func (s *Set) strangers(dir string) []string {
	var folders, found []string
	for _, name := range s.names {
		if f := path.Dir(name); !slices.Contains(folders, f) {
			folders = append(folders, f)
		}
	}
	for _, folder := range append(folders, ".") {
		entries, err := os.ReadDir(filepath.Join(dir, filepath.FromSlash(folder)))
		if err != nil {
			continue // no folder, no overrides; load reports unreadable files
		}
		for _, e := range entries {
			name := path.Join(folder, e.Name())
			if _, known := s.builtin[name]; !known && slices.Contains([]string{".txt", ".md"}, path.Ext(name)) && name != "README.md" {
				found = append(found, name)
			}
		}
	}
	return found
}
