package index

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"io/fs"
	"log"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	bluge "github.com/blugelabs/bluge/index"
	"go.uber.org/goleak"
)

// D4: files are readable by their owner alone.
func TestModes(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "index")
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	ix := mustOpen(t, Options{Dir: dir})
	apply(t, ix, 1, Batch{Put: []Document{{ID: "a"}}})
	err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := e.Info()
		if errors.Is(err, fs.ErrNotExist) {
			return nil // removed by a merge meanwhile
		}
		want := fs.FileMode(0o600)
		if e.IsDir() {
			want = 0o700
		}
		if err == nil && info.Mode().Perm() != want {
			t.Errorf("%s has mode %o, want %o", path, info.Mode().Perm(), want)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestOneOwner(t *testing.T) {
	dir := t.TempDir()
	ix := mustOpen(t, Options{Dir: dir})
	if _, err := Open(context.Background(), Options{Dir: dir}); !errors.Is(err, ErrLocked) {
		t.Errorf("second open: %v, want ErrLocked", err)
	}
	if err := Destroy(dir); !errors.Is(err, ErrLocked) {
		t.Errorf("destroying an open index: %v, want ErrLocked", err)
	}
	if err := ix.Close(); err != nil {
		t.Fatal(err)
	}
	mustOpen(t, Options{Dir: dir})
}

func TestVersions(t *testing.T) {
	dir := t.TempDir()
	ix := mustOpen(t, Options{Dir: dir, MappingVersion: 1})
	apply(t, ix, 1, Batch{Put: []Document{{ID: "a"}}})
	if err := ix.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(context.Background(), Options{Dir: dir, MappingVersion: 2}); !errors.Is(err, ErrOld) {
		t.Fatalf("other mapping: %v, want ErrOld", err)
	}
	if err := Destroy(dir); err != nil {
		t.Fatal(err)
	}
	ix = mustOpen(t, Options{Dir: dir, MappingVersion: 2})
	if n, _ := ix.Count(); n != 0 {
		t.Fatalf("%d documents after Destroy", n)
	}
	if err := ix.Close(); err != nil {
		t.Fatal(err)
	}
	// Without documents there is nothing to lose.
	mustOpen(t, Options{Dir: dir, MappingVersion: 3})
}

func TestDestroyKeepsForeignFiles(t *testing.T) {
	dir := t.TempDir()
	foreign := filepath.Join(dir, "notes.txt")
	if err := os.WriteFile(foreign, []byte("mine"), 0o600); err != nil {
		t.Fatal(err)
	}
	ix := mustOpen(t, Options{Dir: dir})
	apply(t, ix, 1, Batch{Put: []Document{{ID: "a"}}})
	if err := ix.Close(); err != nil {
		t.Fatal(err)
	}
	if err := Destroy(dir); err != nil {
		t.Fatal(err)
	}
	if got := fileNames(t, dir); got != "notes.txt" {
		t.Fatalf("left %q", got)
	}
	if err := Destroy(filepath.Join(dir, "never was")); err != nil {
		t.Fatal(err)
	}
}

func fileNames(t *testing.T, dir string) string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return strings.Join(names, " ")
}

// What a killed process left behind goes at the next open.
func TestOrphansAreRemoved(t *testing.T) {
	dir := t.TempDir()
	ix := mustOpen(t, Options{Dir: dir})
	apply(t, ix, 1, Batch{Put: []Document{{ID: "a", Words: []string{"tea"}}}})
	if err := ix.Close(); err != nil {
		t.Fatal(err)
	}
	if err := mustOpen(t, Options{Dir: dir}).Close(); err != nil {
		t.Fatal(err)
	}
	before := fileNames(t, dir)
	for _, name := range []string{"0000000000ff.seg", "000000000000.snp", "0000000000aa.seg.tmp", "version.tmp"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte("left over"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	ix = mustOpen(t, Options{Dir: dir})
	if r := mustSearch(t, ix, Query{Words: []Term{{Text: "tea"}}}); r.Matched != 1 {
		t.Fatalf("found %d", r.Matched)
	}
	if after := fileNames(t, dir); after != before {
		t.Fatalf("files %q, want %q", after, before)
	}
}

// A failed open leaves no goroutine, no lock and no open file behind.
func TestFailedOpenLeavesNothing(t *testing.T) {
	dir := t.TempDir()
	ix := mustOpen(t, Options{Dir: dir})
	for n := range uint64(8) {
		apply(t, ix, n+1, historyBatch(n+1))
	}
	if err := ix.Close(); err != nil {
		t.Fatal(err)
	}
	ignore := goleak.IgnoreCurrent()
	for _, kind := range []string{kindSegment, kindSnapshot} {
		t.Run(kind, func(t *testing.T) {
			ids, err := listFiles(dir, kind)
			if err != nil || len(ids) == 0 {
				t.Fatal(ids, err)
			}
			if kind == kindSnapshot {
				ids = ids[len(ids)-1:]
			} // of the segments any may be one that the snapshot does not name
			good := map[string][]byte{}
			for _, id := range ids {
				path := filepath.Join(dir, fmt.Sprintf("%012x%s", id, kind))
				if good[path], err = os.ReadFile(path); err != nil {
					t.Fatal(err)
				}
				bad := bytes.Clone(good[path])
				bad[len(bad)/2] ^= 4
				if err := os.WriteFile(path, bad, 0o600); err != nil {
					t.Fatal(err)
				}
			}
			for range 10 {
				if _, err := Open(context.Background(), Options{Dir: dir}); !errors.Is(err, ErrBroken) {
					t.Fatalf("%v, want ErrBroken", err)
				}
			}
			for path, b := range good {
				if err := os.WriteFile(path, b, 0o600); err != nil {
					t.Fatal(err)
				}
			}
			ix, err := Open(context.Background(), Options{Dir: dir})
			if err != nil {
				t.Fatal(err)
			}
			if err := ix.Close(); err != nil {
				t.Fatal(err)
			}
		})
	}
	goleak.VerifyNone(t, ignore)
}

// Files that are whole but do not fit together are noticed, too.
func TestMarkerDisagrees(t *testing.T) {
	for name, batch := range map[string]func(*bluge.Batch){
		"no marker": func(b *bluge.Batch) { b.Delete(idTerm(markerID)) },
		"stray":     func(b *bluge.Batch) { b.Insert(segmentDocument{Document{ID: "stray"}}) },
		"short marker": func(b *bluge.Batch) {
			b.Update(idTerm(markerID), segmentMarker("x"))
		},
	} {
		t.Run(name, func(t *testing.T) {
			o := Options{Dir: t.TempDir()}
			ix := mustOpen(t, o)
			apply(t, ix, 1, Batch{Put: []Document{{ID: "a"}}})
			b := bluge.NewBatch()
			batch(b)
			if err := ix.writer.Batch(b); err != nil {
				t.Fatal(err)
			}
			if err := ix.Close(); err != nil {
				t.Fatal(err)
			}
			ignore := goleak.IgnoreCurrent()
			for range 5 {
				if _, err := Open(context.Background(), o); !errors.Is(err, ErrBroken) {
					t.Fatalf("%v, want ErrBroken", err)
				}
			}
			goleak.VerifyNone(t, ignore)
		})
	}
}

// When files cannot be written Apply says so, searches go on, and once they
// can be again so does Apply. Close does not wait.
func TestDiskFails(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "index")
	ix := mustOpen(t, Options{Dir: dir})
	apply(t, ix, 1, Batch{Put: []Document{{ID: "a", Words: []string{"tea"}}}})
	away := dir + ".away"
	if err := os.Rename(dir, away); err != nil {
		t.Fatal(err)
	}
	if err := ix.Apply(Batch{Put: []Document{{ID: "b", Words: []string{"tea"}}}}, 2); err == nil {
		t.Fatal("Apply without a folder succeeded")
	}
	if n, _ := ix.Sequence(); n != 1 {
		t.Fatalf("sequence %d after a failed Apply, want 1", n)
	}
	mustSearch(t, ix, Query{Words: []Term{{Text: "tea"}}})
	if err := os.Rename(away, dir); err != nil {
		t.Fatal(err)
	}
	apply(t, ix, 2, Batch{Put: []Document{{ID: "b", Words: []string{"tea"}}}})
	if n, _ := ix.Sequence(); n != 2 {
		t.Fatalf("sequence %d", n)
	}
	if err := os.Rename(dir, away); err != nil {
		t.Fatal(err)
	}
	if err := ix.Apply(Batch{Put: []Document{{ID: "c"}}}, 3); err == nil {
		t.Fatal("Apply without a folder succeeded")
	}
	if err := ix.Close(); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(away, dir); err != nil {
		t.Fatal(err)
	}
	ix = mustOpen(t, Options{Dir: dir})
	if got := strings.Join(hitIDs(mustSearch(t, ix, Query{Words: []Term{{Text: "tea"}}})), " "); got != "a b" {
		t.Fatalf("found %q", got)
	}
}

// A file that someone cuts short under an open index is an error, not a crash.
func TestFileCutShortWhileOpen(t *testing.T) {
	dir := t.TempDir()
	ix := mustOpen(t, Options{Dir: dir})
	apply(t, ix, 1, Batch{Put: []Document{{ID: "a", Words: []string{"tea"}}}})
	ids, err := listFiles(dir, kindSegment)
	if err != nil {
		t.Fatal(err)
	}
	for _, id := range ids {
		if err := os.Truncate(filepath.Join(dir, fmt.Sprintf("%012x%s", id, kindSegment)), 0); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := ix.Search(context.Background(), Query{Words: []Term{{Text: "tea"}}}); !errors.Is(err, ErrBroken) {
		t.Fatalf("%v, want ErrBroken", err)
	}
}

type writerTo func(io.Writer) (int64, error)

func (f writerTo) WriteTo(w io.Writer, _ chan struct{}) (int64, error) { return f(w) }

// Writing that fails is not tried again and again at full speed, and a
// half-written file is never seen under its name.
func TestPersistBacksOff(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := &directory{written: map[uint64]bool{}, path: t.TempDir(), stopping: make(chan struct{})}
		full := writerTo(func(w io.Writer) (int64, error) {
			_, err := w.Write([]byte("half"))
			return 4, errors.Join(err, errors.New("disk full"))
		})
		start := time.Now()
		for range 12 {
			if err := d.Persist(kindSegment, 1, full, nil); err == nil {
				t.Fatal("no error")
			}
		}
		if took := time.Since(start); took < 10*time.Second || took > 20*time.Second {
			t.Errorf("12 tries took %v", took)
		}
		if names := fileNames(t, d.path); names != "" {
			t.Errorf("left %q", names)
		}
		good := writerTo(func(w io.Writer) (int64, error) { n, err := w.Write([]byte("content")); return int64(n), err })
		if err := d.Persist(kindSegment, 1, good, nil); err != nil {
			t.Fatal(err)
		}
		start = time.Now()
		if err := d.Persist(kindSegment, 2, good, nil); err != nil || time.Since(start) > 0 {
			t.Errorf("after a success: %v, waited %v", err, time.Since(start))
		}
		closing := make(chan struct{})
		close(closing)
		_ = d.Persist(kindSegment, 3, full, nil)
		if err := d.Persist(kindSegment, 3, good, closing); !errors.Is(err, ErrClosed) {
			t.Errorf("while closing: %v, want ErrClosed", err)
		}
	})
}

func TestRedirectLog(t *testing.T) {
	var terminal, file bytes.Buffer
	before := log.Writer()
	log.SetOutput(&terminal)
	defer log.SetOutput(before)
	restore := RedirectLog(slog.New(slog.NewTextHandler(&file, nil)))
	log.Printf("error loading snapshot")
	restore()
	if terminal.Len() > 0 || !strings.Contains(file.String(), "level=WARN msg=\"error loading snapshot\"") {
		t.Errorf("terminal %q, file %q", terminal.String(), file.String())
	}
	log.Printf("back")
	if !strings.Contains(terminal.String(), "back") {
		t.Error("restore did not put the output back")
	}
}

// A file is taken for what it is and nothing else.
func FuzzCheckTrailer(f *testing.F) {
	whole := func(content []byte, kind string, id uint64) []byte {
		sum := crc32.New(castagnoli)
		sum.Write(content)
		return append(bytes.Clone(content), appendTrailer(sum, kind, id)...)
	}
	f.Add([]byte{})
	f.Add(whole([]byte("content"), kindSegment, 7))
	f.Fuzz(func(t *testing.T, file []byte) {
		content, err := checkTrailer(file, kindSegment, 7)
		if err == nil && !bytes.Equal(whole(content, kindSegment, 7), file) {
			t.Fatalf("took %x", file)
		}
		for _, other := range [][]byte{whole(file, kindSnapshot, 7), whole(file, kindSegment, 8)} {
			if _, err := checkTrailer(other, kindSegment, 7); !errors.Is(err, ErrBroken) {
				t.Fatalf("took %x: %v", other, err)
			}
		}
	})
}

func FuzzVersionLine(f *testing.F) {
	f.Add(versionLine(1, 2))
	f.Add("memoria index layout 1 mapping 2\n")
	f.Fuzz(func(t *testing.T, line string) {
		if !wholeVersion(line) {
			return
		}
		var layout, mapping uint32
		if _, err := fmt.Sscanf(line, "memoria index layout %d mapping %d", &layout, &mapping); err != nil || versionLine(layout, mapping) != line {
			t.Fatalf("took %q", line)
		}
	})
}
