package vault

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"memoria/index"
	"memoria/kv"
	"memoria/memory/store"
)

// folder examines the data folder and reports whether there is one.
func (r *Report) folder(dir string) bool {
	stat, err := os.Stat(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		r.add(AreaFolder, HealthNote, "", "%s is not there yet; the first start makes it", dir)
		return false
	case err != nil:
		const remedy = "Check the owner and the mode of the folders above it."
		r.add(AreaFolder, HealthBad, remedy, "%s cannot be looked into: %v", dir, err)
		return false
	case !stat.IsDir():
		r.add(AreaFolder, HealthBad, "Move the file away, or give another folder with --data-dir.", "%s is not a folder", dir)
		return false
	}
	if err := writable(dir, 4096); err != nil {
		r.add(AreaFolder, HealthBad, explainWrite(err), "%s cannot be written: %v", dir, err)
	} else if mode := stat.Mode().Perm(); mode&0o077 != 0 && filepath.Separator == '/' {
		r.add(AreaFolder, HealthNote, "chmod 700 "+dir,
			"%s can be entered by others (mode %04o); the files in it are the owner's alone", dir, mode)
	} else {
		r.add(AreaFolder, HealthGood, "", "%s", dir)
	}
	return true
}

// writable reports whether a temporary file of some bytes can be written to a folder.
func writable(dir string, bytes int) error {
	f, err := os.CreateTemp(dir, ".probe-*")
	if err != nil {
		return kv.Refusal(err)
	}
	_, err = f.Write(make([]byte, bytes))
	return kv.Refusal(errors.Join(err, f.Close(), os.Remove(f.Name())))
}

// explainWrite returns the remedy for a folder that cannot be written.
func explainWrite(err error) string {
	if errors.Is(err, ErrFull) {
		return "Make room on the disk."
	}
	return "Check the owner and the mode of the folder, and whether the disk is mounted read-only."
}

// store looks at the store's file.
func (r *Report) store(ctx context.Context, dir string) {
	path := filepath.Join(dir, StoreFile)
	there, err := look(dir)
	if !there && err == nil {
		r.add(AreaStore, HealthNote, "", "nothing was ever remembered here")
		return
	}
	if err == nil {
		var unlock func() error
		if unlock, err = kv.Lock(path, 0); err == nil {
			err = errors.Join(ownAndKnown(ctx, path), unlock())
		} else if errors.Is(kv.Refusal(err), ErrUnwritable) { // it can still be read (K7)
			err = ownAndKnown(ctx, path)
		}
	}
	var locked *LockedError
	var schema *SchemaError
	switch {
	case err == nil:
		r.add(AreaStore, HealthGood, "", "every page is in its place and every record as it was written")
	case errors.As(err, &locked):
		r.add(AreaStore, HealthNote, "Close it to have the store checked.", "%v", err)
	case errors.As(err, &schema):
		r.add(AreaStore, HealthBad, "Install "+schema.Reader()+".",
			"it was written by a newer memoria (layout %d; this one knows layouts up to %d)", schema.Have, schema.Want)
	case errors.Is(err, ErrForeign):
		r.add(AreaStore, HealthBad, "If it was copied here on purpose: memoria adopt", "%s is the memory of another data folder", path)
	case errors.Is(err, ErrUnreadable):
		r.Repair = true
		r.add(AreaStore, HealthBad, RepairCommand+" mends it, record by record.", "%v; all others can be used", err)
	case errors.Is(err, ErrDamaged), errors.Is(err, ErrMissing):
		r.Repair = true
		r.add(AreaStore, HealthBad, RepairCommand+" saves what can be read.", "%v", err)
	default:
		r.add(AreaStore, HealthBad, explainWrite(err), "it cannot be checked: %v", err)
	}
}

// ownAndKnown checks a store file, that it belongs to its folder, and that this program
// knows its layout. These are the reasons for which a command refuses it (K6).
func ownAndKnown(ctx context.Context, path string) error {
	info, err := kv.CheckFile(ctx, path, nil)
	if err = judge(err); err != nil && !errors.Is(err, ErrUnreadable) {
		return err
	}
	if info.Schema > store.Schema {
		return &SchemaError{Path: path, Have: info.Schema, Want: store.Schema, By: info.By}
	}
	if own, oerr := kv.Belongs(path, info); oerr != nil || !own {
		return errors.Join(ErrForeign, oerr)
	}
	return err
}

// messages examines the files of long messages.
func (r *Report) messages(dir string) {
	n, bad := 0, 0
	_ = filepath.WalkDir(filepath.Join(dir, MessageFolder), func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return nil
		}
		n++
		f, err := os.Open(path)
		if err != nil {
			bad++
			return nil
		}
		return f.Close()
	})
	if bad > 0 {
		r.add(AreaMessages, HealthBad, "Check the owner and the mode of the files.", "%d of %d files cannot be opened", bad, n)
	} else if n > 0 {
		r.add(AreaMessages, HealthGood, "", "%d in files of their own", n)
	}
}

// index examines the files of the indexes. A broken one is only noted, because the next
// start rebuilds it from the store.
func (r *Report) index(ctx context.Context, dir string) {
	const rebuilt = "It is rebuilt at the next start."
	dirs, _ := filepath.Glob(filepath.Join(dir, IndexFolder, "*", "*"))
	good, open := 0, 0
	for _, d := range dirs {
		name, _ := filepath.Rel(filepath.Join(dir, IndexFolder), d)
		switch err := index.Check(ctx, d); {
		case err == nil:
			good++
		case errors.Is(err, index.ErrLocked):
			open++
		case !errors.Is(err, index.ErrBroken):
			r.add(AreaIndex, HealthNote, "", "%s cannot be checked: %v", strings.ReplaceAll(name, string(filepath.Separator), " "), err)
		default:
			r.add(AreaIndex, HealthNote, rebuilt, "%s: %v", strings.ReplaceAll(name, string(filepath.Separator), " "), err)
		}
	}
	if good > 0 {
		r.add(AreaIndex, HealthGood, "", "%d as they were written", good)
	}
	if open > 0 {
		r.add(AreaIndex, HealthNote, "", "%d in use", open)
	}
}

// backups lists the backups. If the store is damaged, it finds the one to restore.
func (r *Report) backups(ctx context.Context, dir string) {
	var err error
	if r.Backups, err = Backups(dir); err != nil {
		r.add(AreaBackups, HealthBad, "", "%v", err)
		return
	}
	if r.Repair {
		r.Good = newestGood(ctx, r.Backups)
	} else {
		r.partial(ctx)
	}
	switch {
	case r.Repair && r.Good == nil && len(r.Backups) > 0:
		r.add(AreaBackups, HealthBad, "", "none of %d is whole", len(r.Backups))
	case r.Repair && r.Good == nil:
		r.add(AreaBackups, HealthNote, "", "none")
	case r.Repair:
		but := ""
		if r.Good.Partial {
			but = "; some of its records cannot be read"
		}
		r.add(AreaBackups, HealthGood, "", "%d; the newest good one is of %s%s", len(r.Backups),
			r.Good.Time.Format("2006-01-02 15:04 MST"), but)
	case len(r.Backups) == 0:
		r.add(AreaBackups, HealthNote, "", "none yet; they are made while memoria runs")
	default:
		r.add(AreaBackups, HealthGood, "", "%d; the newest is of %s", len(r.Backups), r.Backups[0].Time.Format("2006-01-02 15:04 MST"))
	}
}

// partial finds damaged backups. They restore less, and may keep deleted data because they
// cannot be rewritten.
func (r *Report) partial(ctx context.Context) {
	for i := range r.Backups {
		b := &r.Backups[i]
		err := Verify(ctx, b.Path)
		name := filepath.Base(b.Path)
		if b.Partial = errors.Is(err, ErrUnreadable); b.Partial {
			r.add(AreaBackups, HealthNote, "", "%s: %v", name, err)
		} else if errors.Is(err, ErrDamaged) || errors.Is(err, ErrMissing) {
			r.add(AreaBackups, HealthNote, "It is of no use and may hold what was deleted since: remove "+b.Path, "%s is damaged", name)
		}
	}
}

// replaced lists the stores that a restore has set aside.
func (r *Report) replaced(ctx context.Context, dir string) {
	var err error
	if r.Replaced, err = ReplacedIn(dir); err != nil {
		r.add(AreaReplaced, HealthNote, "", "%v", err)
	}
	for _, old := range r.Replaced {
		later := "what is deleted later is removed from it, too"
		if err := Verify(ctx, filepath.Join(old.Path, StoreFile)); errors.Is(err, ErrDamaged) || errors.Is(err, ErrMissing) {
			later = "it keeps what is deleted later"
		}
		r.add(AreaReplaced, HealthNote, RepairCommand+" offers to remove it.",
			"%s (%s) was set aside by a restore; %s", old.Path, megabytes(old.Bytes), later)
	}
}

// erasing tells whether deleted data may still be in the files.
func (r *Report) erasing(dir string) {
	e := ErasingIn(dir)
	if e.Pending() || !e.Finished.IsZero() {
		r.Erasing = &e
	}
	for _, f := range e.Failed {
		if f.Part == PartReplaced { // told with the old copies, which may be removed by now
			continue
		}
		r.add(AreaErasing, HealthNote, f.Do, "what was deleted may still be in the %s: %s", f.Part, f.Text)
	}
	if e.Pending() && len(e.Failed) == 0 {
		r.add(AreaErasing, HealthNote, "It goes on while memoria runs; at once: memoria forget --now",
			"what was deleted since %s is not yet removed from every file", e.Since.Format("2006-01-02 15:04 MST"))
	}
	if !e.Pending() && !e.Finished.IsZero() {
		r.add(AreaErasing, HealthGood, "", "what was deleted is removed from every file; last %s",
			e.Finished.Format("2006-01-02 15:04 MST"))
	}
}

func megabytes(n int64) string { return fmt.Sprintf("%.1f MB", float64(n)/1e6) }
