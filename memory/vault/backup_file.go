package vault

import (
	"archive/zip"
	"compress/flate"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"time"

	"memoria/kv"
	"memoria/memory"
	"memoria/memory/store"
)

// The names in a backup file.
const (
	manifestName = "manifest.json"
	backupFormat = "memoria backup"
	// backupVersion is the newest version of the format that this program reads.
	backupVersion = 1
)

// manifest describes a backup file. It is the archive's last member, because the checksums
// are known only then.
type manifest struct {
	Format  string            `json:"format"`
	Version int               `json:"version"`
	Time    time.Time         `json:"time"`
	Files   map[string]sealed `json:"files"`
}

// sealed is a file of a backup.
type sealed struct {
	Bytes  int64  `json:"bytes"`
	SHA256 string `json:"sha256"`
}

// WriteBackup writes a backup to w: a ZIP archive with a compact and checked copy of the
// store, the files of long messages, and a manifest. Reads and writes go on meanwhile.
// progress counts bytes of the store and may be nil. The result has no path.
func (v *Vault) WriteBackup(ctx context.Context, w io.Writer, progress func(done, total int64)) (b Backup, err error) {
	if !v.begin() {
		return b, errClosed
	}
	defer v.tasks.Done()
	v.keeper.making.Lock()
	defer v.keeper.making.Unlock()
	b = Backup{Time: v.now().UTC().Truncate(time.Millisecond), Kind: BackupManual}
	if err := os.MkdirAll(backupDir(v.dir), 0o700); err != nil {
		return b, fmt.Errorf("making a backup: %w", kv.Refusal(err))
	}
	// The next start removes the copy if this process dies.
	temp := filepath.Join(backupDir(v.dir), StoreFile+unchecked)
	if err := removed(temp); err != nil {
		return b, fmt.Errorf("making a backup: %w", kv.Refusal(err))
	}
	if b.Partial, err = v.checkedCopy(ctx, temp, progress); err != nil {
		return b, err
	}
	defer func() { err = errors.Join(err, os.Remove(temp)) }()
	if err := v.withoutTrash(ctx, temp); err != nil {
		return b, fmt.Errorf("making a backup: %w", err)
	}
	z := backupWriter{ctx: ctx, zip: zip.NewWriter(w), m: manifest{
		Format: backupFormat, Version: backupVersion, Time: b.Time, Files: map[string]sealed{},
	}}
	if err := z.add(StoreFile, temp); err != nil {
		return b, fmt.Errorf("writing a backup: %w", err)
	}
	names, err := fs.Glob(os.DirFS(v.dir), MessageFolder+"/*/*.txt")
	if err == nil {
		err = store.ViewFile(temp, v.log, func(tx *store.Tx) error {
			for _, name := range names {
				there, err := tx.HasRecord(path.Base(path.Dir(name)), strings.TrimSuffix(path.Base(name), ".txt"))
				if there && err == nil {
					err = z.add(name, filepath.Join(v.dir, filepath.FromSlash(name)))
				}
				if err != nil && !errors.Is(err, fs.ErrNotExist) { // it was deleted meanwhile
					return err
				}
			}
			return nil
		})
	}
	if err == nil {
		err = z.end()
	}
	if err != nil {
		return b, fmt.Errorf("writing a backup: %w", err)
	}
	b.Bytes = z.bytes
	return b, nil
}

// withoutTrash rewrites a copy of the store without deletions that can still be undone:
// nothing removes them from a file that is out of reach.
func (v *Vault) withoutTrash(ctx context.Context, copied string) error {
	var oldest time.Time
	err := store.ViewFile(copied, v.log, func(tx *store.Tx) (err error) {
		oldest, err = tx.OldestTrash()
		return err
	})
	if err != nil || oldest.IsZero() {
		return err
	}
	temp, _, err := v.rewritten(ctx, copied, []leftover{{}})
	if err != nil {
		return err
	}
	return kv.Refusal(os.Rename(temp, copied))
}

// backupWriter writes the members of a backup file.
type backupWriter struct {
	ctx   context.Context
	zip   *zip.Writer
	m     manifest
	bytes int64
}

func (z *backupWriter) add(name, file string) error {
	f, err := os.Open(file)
	if err != nil {
		return err
	}
	defer func() { _ = f.Close() }()
	w, err := z.zip.CreateHeader(&zip.FileHeader{Name: name, Method: zip.Deflate, Modified: z.m.Time})
	if err != nil {
		return err
	}
	sum := sha256.New()
	n, err := copyWhile(z.ctx, io.MultiWriter(w, sum), f)
	z.m.Files[name] = sealed{n, hex.EncodeToString(sum.Sum(nil))}
	z.bytes += n
	return err
}

func (z *backupWriter) end() error {
	w, err := z.zip.CreateHeader(&zip.FileHeader{Name: manifestName, Method: zip.Deflate, Modified: z.m.Time})
	if err != nil {
		return err
	}
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	return errors.Join(e.Encode(z.m), z.zip.Close())
}

// copyWhile copies until ctx ends.
func copyWhile(ctx context.Context, to io.Writer, from io.Reader) (n int64, err error) {
	for {
		if ctx.Err() != nil {
			return n, context.Cause(ctx)
		}
		m, err := io.CopyN(to, from, 4<<20)
		if n += m; errors.Is(err, io.EOF) {
			return n, nil
		} else if err != nil {
			return n, err
		}
	}
}

// ErrNoBackup says that a file is no backup, or one that was changed after it was made.
var ErrNoBackup = errors.New("it is no whole backup of memoria")

// ErrNewer says that a newer program wrote the file.
var ErrNewer = errors.New("it was written by a newer memoria")

// unpack writes the store of a backup to path and its long messages below dir, and returns
// the time of the backup. from is a backup file, or a store such as those in the folder of
// backups, whose time is that of its last write. The errors are [ErrNoBackup], [ErrNewer],
// the cause of ctx, and those of the system.
func unpack(ctx context.Context, from io.ReaderAt, size int64, path, dir string) (at time.Time, err error) {
	z, err := zip.NewReader(from, size)
	if errors.Is(err, zip.ErrFormat) { // Verify judges whether it is a store
		return at, writeTo(ctx, path, io.NewSectionReader(from, 0, size), nil)
	}
	if err != nil {
		return at, fmt.Errorf("%w: %w", ErrNoBackup, err)
	}
	m, err := readManifest(z)
	if err != nil {
		return at, err
	}
	left := len(m.Files)
	for _, f := range z.File {
		if f.Name == manifestName {
			continue
		}
		want, known := m.Files[f.Name]
		if !known || !ofBackup(f.Name) || f.UncompressedSize64 != uint64(want.Bytes) {
			return at, fmt.Errorf("%w: it has other files than it says", ErrNoBackup)
		}
		left--
		to := path
		if f.Name != StoreFile {
			to = filepath.Join(dir, filepath.FromSlash(f.Name))
		}
		content, err := f.Open()
		if err == nil {
			err = errors.Join(writeTo(ctx, to, content, &want), content.Close())
		}
		switch {
		case ctx.Err() != nil:
			return at, context.Cause(ctx)
		case errors.Is(err, zip.ErrChecksum), errors.Is(err, zip.ErrFormat), errors.Is(err, zip.ErrAlgorithm),
			errors.Is(err, io.ErrUnexpectedEOF),
			errors.As(err, new(flate.CorruptInputError)):
			return at, fmt.Errorf("%w: %w", ErrNoBackup, err)
		case err != nil:
			return at, err
		}
	}
	if left != 0 {
		return at, fmt.Errorf("%w: files are missing", ErrNoBackup)
	}
	return m.Time, nil
}

// ofBackup reports whether a backup may have a file of that name.
func ofBackup(name string) bool {
	if name == StoreFile {
		return true
	}
	parts := strings.Split(name, "/")
	return len(parts) == 3 && parts[0] == MessageFolder && memory.ValidAgentID(parts[1]) && path.Ext(parts[2]) == ".txt" &&
		memory.ValidAgentID(strings.ToLower(strings.TrimSuffix(parts[2], ".txt")))
}

// maxManifest bounds the manifest, in bytes.
const maxManifest = 64 << 20

func readManifest(z *zip.Reader) (m manifest, err error) {
	f, err := z.Open(manifestName)
	if err != nil {
		return m, fmt.Errorf("%w: it has no %s", ErrNoBackup, manifestName)
	}
	defer func() { _ = f.Close() }()
	var of struct{ Format string }
	text, err := io.ReadAll(io.LimitReader(f, maxManifest))
	if err == nil {
		err = errors.Join(json.Unmarshal(text, &of), json.Unmarshal(text, &m))
	}
	switch {
	case of.Format != "" && of.Format != backupFormat:
		return m, fmt.Errorf("%w; an export comes in with memoria import", ErrNoBackup)
	case err != nil:
		return m, fmt.Errorf("%w: its %s cannot be read", ErrNoBackup, manifestName)
	case m.Format == "":
		return m, fmt.Errorf("%w: it holds something else", ErrNoBackup)
	case m.Version > backupVersion:
		return m, ErrNewer
	case m.Files[StoreFile].Bytes == 0:
		return m, fmt.Errorf("%w: it has no %s", ErrNoBackup, StoreFile)
	}
	return m, nil
}

// writeTo writes a new file durably, for its owner alone. If want is given, the content must
// be that.
func writeTo(ctx context.Context, name string, from io.Reader, want *sealed) error {
	if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
		return kv.Refusal(err)
	}
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return kv.Refusal(err)
	}
	sum := sha256.New()
	if want != nil {
		from = io.LimitReader(from, want.Bytes+1)
	}
	n, err := copyWhile(ctx, io.MultiWriter(f, sum), from)
	if err = errors.Join(err, f.Sync(), f.Close()); err != nil {
		return kv.Refusal(err)
	}
	if want != nil && (n != want.Bytes || hex.EncodeToString(sum.Sum(nil)) != want.SHA256) {
		return fmt.Errorf("%w: a file in it was changed", ErrNoBackup)
	}
	return nil
}
