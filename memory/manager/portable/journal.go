package portable

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"memoria/index/text"
	"memoria/kv"
	"memoria/memory"
	"memoria/memory/store"
	"memoria/memory/transfer"
	"memoria/memory/vault"
)

// maxJournalFile bounds a file of the journal, in bytes.
const maxJournalFile = 64 << 20

// keepsJournal reports whether the files that the program made come along: into an empty
// agent, if no word of them was deleted here. Otherwise they are made from the archive.
func (in *importing) keepsJournal() bool { return in.fresh && len(in.words) == 0 }

// journalFiles writes the files of the journal. A file that is here is kept.
func (in *importing) journalFiles(ctx context.Context) error {
	generated, err := in.generated(ctx)
	if err != nil {
		return err
	}
	prefix := nameOf(in.from, journalFolder) + "/"
	sum := &in.report.Journal
	for name := range in.archive.Names(prefix) {
		path := strings.TrimPrefix(name, prefix)
		if !isJournalPath(path) {
			return fmt.Errorf("%w: the file %q", transfer.ErrDamaged, name)
		}
		sum.Total++
		if generated[path] && !in.keepsJournal() {
			if sum.Known++; len(in.words) > 0 {
				sum.Known, sum.Deleted = sum.Known-1, sum.Deleted+1
			}
			continue
		}
		content, err := in.content(ctx, name)
		if err != nil {
			return err
		}
		if !generated[path] {
			content = in.without(content)
		}
		to := filepath.Join(in.Vault().Dir(), journalFolder, in.to, filepath.FromSlash(path))
		switch have, err := os.ReadFile(to); {
		case err == nil && string(have) == content:
			sum.Known++
			continue
		case err == nil:
			sum.Kept++
			in.report.Conflicts = append(in.report.Conflicts, Conflict{"journal", path})
			continue
		case !errors.Is(err, fs.ErrNotExist):
			return err
		}
		sum.New++
		if in.agent == nil {
			continue
		}
		if err := writeFile(to, filepath.Clean(in.Vault().Dir()), content); err != nil {
			return in.Vault().NoteWrite(fmt.Errorf("writing the journal: %w", kv.Refusal(err)))
		}
	}
	return nil
}

// generated returns the paths of the files that the program wrote.
func (in *importing) generated(ctx context.Context) (map[string]bool, error) {
	out := map[string]bool{}
	for line, err := range in.archive.Lines(ctx, nameOf(in.from, journalFile)) {
		if err != nil {
			return nil, err
		}
		r, err := parseRow(line, in.from, in.to)
		if err != nil {
			return nil, err
		}
		if r.Bucket != "journal_files" {
			continue
		}
		f, err := decode[memory.JournalFile](r)
		if err != nil {
			return nil, err
		}
		if f.Kind != memory.JournalOwn {
			out[f.Path] = true
		}
	}
	return out, nil
}

func (in *importing) content(ctx context.Context, name string) (string, error) {
	f, err := in.archive.Open(ctx, name)
	if err != nil {
		return "", err
	}
	b, err := io.ReadAll(io.LimitReader(f, maxJournalFile+1))
	if err = errors.Join(err, f.Close()); err == nil && len(b) > maxJournalFile {
		err = fmt.Errorf("%w: %s", transfer.ErrLarge, name)
	}
	return string(b), err
}

// without removes the paragraphs of a note that repeat what was deleted here (D2).
func (in *importing) without(content string) string {
	if len(in.words) == 0 {
		return content
	}
	folded := func(s string) string { return strings.Join(strings.Fields(text.Fold(s)), " ") }
	var words []string
	for _, w := range in.words {
		words = append(words, folded(w))
	}
	var kept []string
	for _, line := range strings.SplitAfter(content, "\n") {
		said, out := folded(line), false
		for _, w := range words {
			out = out || strings.Contains(said, w) || len(said) > 20 && strings.Contains(w, said)
		}
		if !out {
			kept = append(kept, line)
		}
	}
	return strings.Join(kept, "")
}

// journalRow applies a row of the journal, which an empty agent takes over.
func (in *importing) journalRow(group []row) error {
	r := group[0]
	if r.Bucket == "passages" {
		words, err := decode[string](r)
		if name := store.TextID(words); err != nil || name != r.Key[1] && (r.Key[1] != "" || store.JournalName(words) != r.id()) {
			return wrong(r, "the words are not those of their hash")
		}
		if len(in.words) > 0 {
			return nil // packages show it as forgotten
		}
		return in.putMissing(r)
	}
	if !in.keepsJournal() {
		return nil
	}
	return in.putMissing(r)
}

// writeFile writes a new file below the folder top, for its owner alone.
func writeFile(name, top, content string) error {
	if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
		return err
	}
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = f.WriteString(content)
	if err = errors.Join(err, f.Sync(), f.Close()); err != nil {
		_ = os.Remove(name)
		return err
	}
	return vault.SyncDirs(filepath.Dir(name), top)
}
