package damage

import (
	"bytes"
	"errors"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// tries is the number of attempts to find damage that changes something.
const tries = 20

// Kinds returns the names of all kinds of damage.
func Kinds() (names []string) {
	for _, k := range kinds {
		names = append(names, k.name)
	}
	return names
}

// file is a file of a folder, with its relative name.
type file struct {
	name    string
	content []byte
	info    fs.FileInfo
}

// Folder copies the folder from, which must hold a file named store, to the folder to,
// which must not exist. It damages one or two files of the copy: the store in three of
// five cases. It describes the damage as "file: kind", joined by commas. Its errors are
// those of the file system.
func Folder(rng *rand.Rand, from, to, store string) (did string, err error) {
	files, err := read(from)
	if err != nil {
		return "", err
	}
	var done []string
	for range 1 + rng.IntN(2) {
		i := slices.IndexFunc(files, func(f file) bool { return f.name == store })
		if i < 0 || rng.IntN(5) < 2 {
			i = rng.IntN(len(files))
		}
		f := &files[i]
		if what := spoil(rng, f, f.name == store); what != "" {
			done = append(done, f.name+": "+what)
		}
	}
	keepTimes := rng.IntN(2) == 0
	for _, f := range files {
		path := filepath.Join(to, f.name)
		if f.content == nil {
			continue
		}
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, f.content, f.info.Mode())); err != nil {
			return "", err
		}
		if keepTimes {
			if err := os.Chtimes(path, f.info.ModTime(), f.info.ModTime()); err != nil {
				return "", err
			}
		}
	}
	return strings.Join(done, ", "), nil
}

func read(dir string) (files []file, err error) {
	err = filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil || !e.Type().IsRegular() {
			return err
		}
		f := file{}
		if f.name, err = filepath.Rel(dir, path); err == nil {
			f.info, err = e.Info()
		}
		if err == nil {
			f.content, err = os.ReadFile(path)
		}
		files = append(files, f)
		return err
	})
	return files, err
}

// spoil changes a file and names the damage; "" if the file is empty or gone.
func spoil(rng *rand.Rand, f *file, store bool) string {
	if len(f.content) == 0 {
		return ""
	}
	filled := len(f.content)
	if store { // past its last page it has unused room
		filled = min(filled, max(len(bytes.TrimRight(f.content, "\x00"))+pageSize-1, pageSize)/pageSize*pageSize)
	}
	for range tries {
		k := kinds[rng.IntN(len(kinds))]
		if k.store && (!store || filled < 3*pageSize) {
			continue
		}
		out := k.do(rng, bytes.Clone(f.content[:filled]))
		if len(out) == filled {
			out = append(out, f.content[filled:]...)
		}
		if out == nil || !bytes.Equal(out, f.content) {
			f.content = out
			return k.name
		}
	}
	return ""
}
