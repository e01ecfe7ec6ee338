package main

import (
	"archive/zip"
	"bufio"
	"bytes"
	"compress/flate"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"hash/crc32"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"memoria/ui/app"
	"memoria/ui/clean/oracle"
	"memoria/ui/cli"
)

func init() {
	scriptCommands["attempt"] = attempt
	scriptCommands["active"] = activeMemories
}

// activeMemories makes the command active N FLAG…: "memoria memory list FLAG…" has N
// memories that are active. It prints their types and contents.
func activeMemories(ts *testscript.TestScript, neg bool, args []string) {
	usage(ts, !neg && len(args) > 0, "active N FLAG…")
	var out bytes.Buffer
	if code := runWithOutput(ts, &out, slices.Concat([]string{"memory", "list", "--json", "--limit", "1000"}, args[1:])); code != 0 {
		ts.Fatalf("exit code %d, want 0", code)
	}
	var list itemList
	ts.Check(json.Unmarshal(out.Bytes(), &list))
	active := list.active()
	for _, it := range active {
		fmt.Fprintf(ts.Stdout(), "%s: %s\n", it.Type, it.Content)
	}
	if fmt.Sprint(len(active)) != args[0] {
		ts.Fatalf("%d memories are active, want %s", len(active), args[0])
	}
}

// runWithOutput is [runInside] with another standard output.
func runWithOutput(ts *testscript.TestScript, out io.Writer, args []string) int {
	env := []string{
		"XDG_DATA_HOME=" + filepath.Dir(ts.Getenv("DATA")), "XDG_STATE_HOME=" + filepath.Dir(ts.Getenv("STATE")),
		"XDG_CONFIG_HOME=" + filepath.Dir(ts.Getenv("CONFIG")),
	}
	for _, name := range variables() {
		env = append(env, name+"="+ts.Getenv(name))
	}
	ahead, err := time.ParseDuration(ts.Getenv(clockVariable))
	ts.Check(err)
	p := cli.Program{
		Options: app.Options{Env: env, Now: func() time.Time { return time.Now().Add(ahead) }, Version: version()},
		Args:    args, Stdin: strings.NewReader(""), Stdout: out, Stderr: ts.Stderr(), Screen: screen, Lines: lines,
	}
	return p.Run(context.Background())
}

// attempt ARG…: runs "memoria ARG…", which may succeed, fail or be wrong usage.
func attempt(ts *testscript.TestScript, neg bool, args []string) {
	usage(ts, !neg && len(args) > 0, "attempt ARG…")
	if got := runInside(ts, args); got < 0 || got > 2 {
		ts.Fatalf("exit code %d, want 0, 1 or 2", got)
	}
}

// transferHome is a user's home folder in which a test runs the program, like [inside].
type transferHome struct {
	t   *testing.T
	dir string
	env []string
}

func newTransferHome(t *testing.T, env ...string) transferHome {
	t.Helper()
	return transferHome{t: t, dir: t.TempDir(), env: env}
}

// file writes a file outside of the data folder and returns its path.
func (h transferHome) file(name string, data []byte) string {
	h.t.Helper()
	path := filepath.Join(h.t.TempDir(), name)
	if err := os.WriteFile(path, data, 0o600); err != nil {
		h.t.Fatal(err)
	}
	return path
}

type programResult struct {
	code        int
	out, errors string
}

// run runs "memoria ARG…" with an empty standard input.
func (h transferHome) run(args ...string) programResult {
	h.t.Helper()
	env := append([]string{
		"HOME=" + h.dir, "PATH=" + os.Getenv("PATH"),
		"XDG_DATA_HOME=" + filepath.Join(h.dir, ".local", "share"),
		"XDG_STATE_HOME=" + filepath.Join(h.dir, ".local", "state"),
		"XDG_CONFIG_HOME=" + filepath.Join(h.dir, ".config"),
	}, h.env...)
	var out, errors bytes.Buffer
	p := cli.Program{
		Options: app.Options{Env: env, Now: time.Now, Version: version()},
		Args:    args, Stdin: strings.NewReader(""), Stdout: &out, Stderr: &errors, Screen: screen, Lines: lines,
	}
	code := p.Run(context.Background())
	return programResult{code, out.String(), errors.String()}
}

// must runs the program, expects exit code 0 and returns its standard output.
func (h transferHome) must(args ...string) string {
	h.t.Helper()
	r := h.run(args...)
	if r.code != 0 {
		h.t.Fatalf("memoria %s: exit code %d\n%s%s", strings.Join(args, " "), r.code, r.out, r.errors)
	}
	return r.out
}

// state is everything a user can see of the default agent's data.
func (h transferHome) state() string {
	h.t.Helper()
	var all strings.Builder
	for _, args := range [][]string{
		{"memory", "list", "--all", "--json"}, {"inbox", "list", "--json"}, {"session", "list", "--json"},
		{"profile", "show"}, {"agent", "list", "--json"}, {"config", "show"},
	} {
		fmt.Fprintf(&all, "== %s\n%s", strings.Join(args, " "), h.must(args...))
	}
	return strings.ReplaceAll(all.String(), h.dir, "$HOME")
}

type listedItem struct {
	ID, Type, Key, Content, State string
}

type itemList struct {
	Items []listedItem
	Total int
}

// active are the items that are active; "memory list" has those in the inbox too.
func (l itemList) active() []listedItem {
	return slices.DeleteFunc(slices.Clone(l.Items), func(it listedItem) bool { return it.State != "active" })
}

func (h transferHome) items(args ...string) itemList {
	h.t.Helper()
	var list itemList
	out := h.must(append(args, "--json")...)
	if err := json.Unmarshal([]byte(out), &list); err != nil {
		h.t.Fatalf("memoria %s: %v", strings.Join(args, " "), err)
	}
	return list
}

const importedChats = `{"session":"tea","time":"2024-03-03T10:00:00Z","role":"user","text":"Is sencha green?"}
{"session":"tea","time":"2024-03-03T10:00:05Z","role":"assistant","text":"Yes, it is steamed."}
{"session":"club","time":"2024-03-05T10:00:00Z","role":"user","speaker":"周野","text":"周三可以吗？"}
`

// fill gives the home memories, a held one, sessions and a profile; no rules.
func (h transferHome) fill() {
	h.t.Helper()
	h.must("ask", "My name is Bo.")
	h.must("ask", "我喜欢喝乌龙茶。")
	h.must("ask", "My email is bo@example.org")
	h.must("memory", "add", "--type", "goal", "--tags", "run,跑步", "--value", `{"km": 42.195}`, "Wants to run a <marathon>")
	h.must("memory", "add", "Has two brothers "+strings.Repeat("and many cousins ", 20))
	h.must("import", "jsonl", h.file("chats.jsonl", []byte(importedChats)), "--yes")
	h.must("inbox", "list")
}

// archiveEntry is a file of an archive.
type archiveEntry struct {
	name   string
	data   []byte
	header zip.FileHeader
}

func unpackArchive(t *testing.T, archive []byte) []archiveEntry {
	t.Helper()
	r, err := zip.NewReader(bytes.NewReader(archive), int64(len(archive)))
	if err != nil {
		t.Fatal(err)
	}
	var all []archiveEntry
	for _, f := range r.File {
		in, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		data, err := io.ReadAll(in)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, archiveEntry{f.Name, data, f.FileHeader})
	}
	return all
}

// packArchive writes entries in their order; names may be anything.
func packArchive(entries []archiveEntry) []byte {
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	for _, e := range entries {
		header := zip.FileHeader{
			Name: e.name, Method: e.header.Method, Modified: e.header.Modified,
			ExternalAttrs: e.header.ExternalAttrs, CreatorVersion: e.header.CreatorVersion,
		}
		f, err := w.CreateHeader(&header)
		if err != nil {
			panic(err)
		}
		if _, err := f.Write(e.data); err != nil {
			panic(err)
		}
	}
	if err := w.Close(); err != nil {
		panic(err)
	}
	return out.Bytes()
}

// findEntry returns the index of the first entry whose name ends so, or -1.
func findEntry(entries []archiveEntry, suffix string) int {
	return slices.IndexFunc(entries, func(e archiveEntry) bool { return strings.HasSuffix(e.name, suffix) })
}

const manifestName = "manifest.json"

// repackedArchive makes an attack of a change to the entries, with correct ZIP checksums.
func repackedArchive(change func(t *testing.T, entries []archiveEntry) []archiveEntry) func(*testing.T, []byte) []byte {
	return func(t *testing.T, archive []byte) []byte { return packArchive(change(t, unpackArchive(t, archive))) }
}

// withManifest makes an attack of other bytes for the manifest.
func withManifest(change func(t *testing.T, manifest []byte) []byte) func(*testing.T, []byte) []byte {
	return repackedArchive(func(t *testing.T, entries []archiveEntry) []archiveEntry {
		i := findEntry(entries, manifestName)
		if i < 0 {
			t.Fatal("the archive has no manifest.json")
		}
		entries[i].data = change(t, entries[i].data)
		return entries
	})
}

func manifestOf(text string) func(*testing.T, []byte) []byte {
	return withManifest(func(*testing.T, []byte) []byte { return []byte(text) })
}

// addedEntry makes an attack of one more entry.
func addedEntry(name, text string) func(*testing.T, []byte) []byte {
	return repackedArchive(func(_ *testing.T, entries []archiveEntry) []archiveEntry {
		return append(entries, archiveEntry{name: name, data: []byte(text), header: zip.FileHeader{Method: zip.Deflate}})
	})
}

// renamedEntry makes an attack of another name for the first entry with JSON Lines; the
// manifest follows if it is consistent.
func renamedEntry(name string, consistent bool) func(*testing.T, []byte) []byte {
	return repackedArchive(func(t *testing.T, entries []archiveEntry) []archiveEntry {
		i := findEntry(entries, ".jsonl")
		if i < 0 {
			t.Fatal("the archive has no JSON Lines")
		}
		old := entries[i].name
		entries[i].name = name
		if m := findEntry(entries, manifestName); consistent && m >= 0 {
			from, _ := json.Marshal(old)
			to, _ := json.Marshal(name)
			entries[m].data = bytes.ReplaceAll(entries[m].data, from, to)
		}
		return entries
	})
}

var versionField = regexp.MustCompile(`(?i)("[a-z_]*(?:version|format)"\s*:\s*)(\d+)`)

// manifestVersion replaces the number of the archive's version in its manifest.
func manifestVersion(text string) func(*testing.T, []byte) []byte {
	return withManifest(func(t *testing.T, manifest []byte) []byte {
		if !versionField.Match(manifest) {
			t.Fatalf("the manifest has no version number: %.300s", manifest)
		}
		return versionField.ReplaceAll(manifest, []byte("${1}"+text))
	})
}

// cutArchive makes an attack that keeps so many thousandths of the archive.
func cutArchive(thousandths int) func(*testing.T, []byte) []byte {
	return func(_ *testing.T, archive []byte) []byte { return archive[:len(archive)*thousandths/1000] }
}

// forgedLines makes an attack of changed words in the JSON Lines with hashes and sizes in the
// manifest that fit.
func forgedLines(old, changed string) func(*testing.T, []byte) []byte {
	return repackedArchive(func(t *testing.T, entries []archiveEntry) []archiveEntry {
		m := findEntry(entries, manifestName)
		if m < 0 {
			t.Fatal("the archive has no manifest.json")
		}
		n := 0
		for i, e := range entries {
			if i == m || !bytes.Contains(e.data, []byte(old)) || !strings.HasSuffix(e.name, ".jsonl") {
				continue
			}
			n++
			before := sha256.Sum256(e.data)
			size := len(e.data)
			entries[i].data = bytes.ReplaceAll(e.data, []byte(old), []byte(changed))
			after := sha256.Sum256(entries[i].data)
			sum := hex.EncodeToString(before[:])
			at := bytes.Index(entries[m].data, []byte(sum))
			if at < 0 {
				t.Skipf("the manifest has no SHA-256 of %s in hex", e.name)
			}
			// The size is beside the hash, in one object.
			from := bytes.LastIndexByte(entries[m].data[:at], '{')
			to := at + bytes.IndexByte(entries[m].data[at:], '}')
			object := string(entries[m].data[from:to])
			object = strings.ReplaceAll(object, sum, hex.EncodeToString(after[:]))
			object = regexp.MustCompile(fmt.Sprintf(`(:\s*)%d\b`, size)).ReplaceAllString(object, fmt.Sprintf("${1}%d", len(entries[i].data)))
			entries[m].data = slices.Concat(entries[m].data[:from], []byte(object), entries[m].data[to:])
		}
		if n == 0 {
			t.Skipf("no JSON Lines have %q", old)
		}
		return entries
	})
}

// bombEntry makes an attack of an entry that unpacks to so many MiB of spaces. It replaces the
// first entry whose name ends so, or is added. The header declares the true size, or one
// of 100 bytes.
func bombEntry(suffix string, mebibytes int, honest bool) func(*testing.T, []byte) []byte {
	return func(t *testing.T, archive []byte) []byte {
		entries := unpackArchive(t, archive)
		name := suffix
		if i := findEntry(entries, suffix); i >= 0 {
			name = entries[i].name
			entries = slices.Delete(entries, i, i+1)
		}
		// A flushed block of one byte's repetitions can follow itself any number of times.
		var packed bytes.Buffer
		w, err := flate.NewWriter(&packed, flate.BestCompression)
		if err != nil {
			t.Fatal(err)
		}
		unit := bytes.Repeat([]byte(" "), 1<<20)
		block := func() []byte {
			packed.Reset()
			_, _ = w.Write(unit)
			_ = w.Flush()
			return bytes.Clone(packed.Bytes())
		}
		first, next := block(), block()
		packed.Reset()
		_ = w.Close()
		data := slices.Concat(first, bytes.Repeat(next, mebibytes-1), packed.Bytes())

		size, sum := uint64(100), uint32(0)
		if honest {
			size = uint64(mebibytes) << 20
			for range mebibytes {
				sum = crc32.Update(sum, crc32.IEEETable, unit)
			}
		}
		var out bytes.Buffer
		z := zip.NewWriter(&out)
		add := func() {
			f, err := z.CreateRaw(&zip.FileHeader{
				Name: name, Method: zip.Deflate, CRC32: sum, CompressedSize64: uint64(len(data)), UncompressedSize64: size,
			})
			if err != nil {
				t.Fatal(err)
			}
			_, _ = f.Write(data)
		}
		for _, e := range entries {
			f, err := z.CreateHeader(&zip.FileHeader{Name: e.name, Method: zip.Deflate})
			if err != nil {
				t.Fatal(err)
			}
			_, _ = f.Write(e.data)
		}
		add()
		if err := z.Close(); err != nil {
			t.Fatal(err)
		}
		return out.Bytes()
	}
}

// flippedData inverts a byte in the middle of the data of the first entry whose name ends
// so.
func flippedData(suffix string) func(*testing.T, []byte) []byte {
	return func(t *testing.T, archive []byte) []byte {
		r, err := zip.NewReader(bytes.NewReader(archive), int64(len(archive)))
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range r.File {
			if strings.HasSuffix(f.Name, suffix) && f.CompressedSize64 > 0 {
				at, err := f.DataOffset()
				if err != nil {
					t.Fatal(err)
				}
				spoilt := bytes.Clone(archive)
				spoilt[at+int64(f.CompressedSize64)/2] ^= 0xff
				return spoilt
			}
		}
		t.Skipf("no entry of the archive ends in %q", suffix)
		return nil
	}
}

var (
	hexSum       = regexp.MustCompile(`\b[0-9a-f]{64}\b`)
	deeplyNested = strings.Repeat("[", 200_000)
)

func otherSum(sum []byte) []byte {
	other := bytes.Clone(sum)
	other[0] = map[bool]byte{true: '1', false: '0'}[sum[0] == '0']
	return other
}

// transferAttacks are archives that an import refuses as a whole.
var transferAttacks = []struct {
	name  string
	spoil func(*testing.T, []byte) []byte
}{
	{"empty file", cutArchive(0)},
	{"cut after a tenth", cutArchive(100)},
	{"cut in half", cutArchive(500)},
	{"cut after nine tenths", cutArchive(900)},
	{"last byte missing", func(_ *testing.T, a []byte) []byte { return a[:len(a)-1] }},
	{"first byte flipped", func(_ *testing.T, a []byte) []byte { a[0] ^= 0xff; return a }},
	{"zeros", func(_ *testing.T, a []byte) []byte { return make([]byte, len(a)) }},
	{"text", func(*testing.T, []byte) []byte { return []byte("Dear diary,\n") }},
	{"empty zip", func(*testing.T, []byte) []byte { return packArchive(nil) }},
	{"flipped byte in the manifest", flippedData(manifestName)},
	{"flipped byte in JSON Lines", flippedData(".jsonl")},
	{"flipped byte in Markdown", flippedData(".md")},

	{"manifest missing", repackedArchive(func(_ *testing.T, entries []archiveEntry) []archiveEntry {
		return slices.DeleteFunc(entries, func(e archiveEntry) bool { return e.name == manifestName })
	})},
	{"manifest empty", manifestOf("")},
	{"manifest null", manifestOf("null")},
	{"manifest an empty object", manifestOf("{}")},
	{"manifest a list", manifestOf("[]")},
	{"manifest cut", withManifest(func(_ *testing.T, m []byte) []byte { return m[:len(m)/2] })},
	{"manifest deeply nested", manifestOf(deeplyNested)},
	{"manifest with more behind it", withManifest(func(_ *testing.T, m []byte) []byte { return append(m, []byte(`{"more":1}`)...) })},
	{"manifest in a folder", repackedArchive(func(t *testing.T, entries []archiveEntry) []archiveEntry {
		for i := range entries {
			entries[i].name = "folder/" + entries[i].name
		}
		return entries
	})},
	{"newer version", manifestVersion("1000")},
	{"enormous version", manifestVersion("99999999999999999999999")},
	{"version zero", manifestVersion("0")},
	{"negative version", manifestVersion("-1")},
	{"version a text", manifestVersion(`"1"`)},
	{"version null", manifestVersion("null")},

	{"first checksum wrong", withManifest(func(t *testing.T, m []byte) []byte {
		at := hexSum.FindIndex(m)
		if at == nil {
			t.Fatal("the manifest has no SHA-256 in hex")
		}
		copy(m[at[0]:at[1]], otherSum(m[at[0]:at[1]]))
		return m
	})},
	{"last checksum wrong", withManifest(func(t *testing.T, m []byte) []byte {
		all := hexSum.FindAllIndex(m, -1)
		if all == nil {
			t.Fatal("the manifest has no SHA-256 in hex")
		}
		at := all[len(all)-1]
		copy(m[at[0]:at[1]], otherSum(m[at[0]:at[1]]))
		return m
	})},
	{"checksums missing", withManifest(func(_ *testing.T, m []byte) []byte { return hexSum.ReplaceAll(m, nil) })},
	{"changed words", repackedArchive(func(t *testing.T, entries []archiveEntry) []archiveEntry {
		n := 0
		for i, e := range entries {
			if e.name != manifestName && bytes.Contains(e.data, []byte("marathon")) {
				n++
				entries[i].data = bytes.ReplaceAll(e.data, []byte("marathon"), []byte("sprinter"))
			}
		}
		if n == 0 {
			t.Fatal("the archive has no marathon")
		}
		return entries
	})},
	{"a line more", repackedArchive(func(_ *testing.T, entries []archiveEntry) []archiveEntry {
		i := findEntry(entries, ".jsonl")
		entries[i].data = append(entries[i].data, bytes.SplitAfter(entries[i].data, []byte("\n"))[0]...)
		return entries
	})},
	{"an entry missing", repackedArchive(func(_ *testing.T, entries []archiveEntry) []archiveEntry {
		i := findEntry(entries, ".jsonl")
		return slices.Delete(entries, i, i+1)
	})},

	{"manifest twice", repackedArchive(func(_ *testing.T, entries []archiveEntry) []archiveEntry {
		return append(entries, entries[findEntry(entries, manifestName)])
	})},
	{"JSON Lines twice", repackedArchive(func(_ *testing.T, entries []archiveEntry) []archiveEntry {
		return append(entries, entries[findEntry(entries, ".jsonl")])
	})},
	{"JSON Lines twice, different", repackedArchive(func(_ *testing.T, entries []archiveEntry) []archiveEntry {
		twin := entries[findEntry(entries, ".jsonl")]
		twin.data = nil
		return append(entries, twin)
	})},
	{"name in other case", repackedArchive(func(_ *testing.T, entries []archiveEntry) []archiveEntry {
		twin := entries[findEntry(entries, ".jsonl")]
		twin.name = strings.ToUpper(twin.name)
		return append(entries, twin)
	})},

	{"parent folder", addedEntry("../evil.txt", "evil")},
	{"many parent folders", addedEntry(strings.Repeat("../", 20)+"tmp/evil.txt", "evil")},
	{"parent folder inside", addedEntry("journal/../../evil.txt", "evil")},
	{"absolute path", addedEntry("/tmp/memoria-evil.txt", "evil")},
	{"backslashes", addedEntry(`..\..\evil.txt`, "evil")},
	{"drive", addedEntry(`C:\evil.txt`, "evil")},
	{"NUL in a name", addedEntry("evil\x00.md", "evil")},
	{"empty name", addedEntry("", "evil")},
	{"line break in a name", addedEntry("evil\nmanifest.json", "evil")},
	{"name that is not UTF-8", addedEntry("evil\xff.md", "evil")},
	{"symbolic link", repackedArchive(func(_ *testing.T, entries []archiveEntry) []archiveEntry {
		link := archiveEntry{name: "link.md", data: []byte("/etc/passwd")}
		link.header.SetMode(fs.ModeSymlink | 0o777)
		return append(entries, link)
	})},
	{"renamed, manifest not", renamedEntry("other.jsonl", false)},
	{"renamed to a parent folder", renamedEntry("../evil.jsonl", true)},
	{"renamed to an absolute path", renamedEntry("/tmp/memoria-evil.jsonl", true)},

	{"bomb in JSON Lines", bombEntry(".jsonl", 3072, true)},
	{"bomb in JSON Lines that lies", bombEntry(".jsonl", 3072, false)},
	{"bomb as manifest", bombEntry(manifestName, 3072, true)},
	{"bomb as manifest that lies", bombEntry(manifestName, 3072, false)},
	{"bomb beside the rest", bombEntry("more.jsonl", 3072, true)},
	{"many entries", repackedArchive(func(_ *testing.T, entries []archiveEntry) []archiveEntry {
		for i := range 100_000 {
			entries = append(entries, archiveEntry{name: fmt.Sprintf("journal/%06d.md", i)})
		}
		return entries
	})},

	{"forged: a broken line", forgedLines("\n", "\n{\"broken\n")},
	{"forged: an agent that is a path", forgedLines(`"agent_id":"memoria"`, `"agent_id":"../../evil"`)},
	{"forged: two agents", forgedLines(`"key":"name"`, `"key":"name","agent_id":"luna"`)},
	{"forged: an unknown type", forgedLines(`"type":"goal"`, `"type":"superuser"`)},
	{"forged: an unknown state", forgedLines(`"state":"active"`, `"state":"blessed"`)},
	{"forged: an unknown role", forgedLines(`"role":"user"`, `"role":"root"`)},
	{"forged: confidence over 1", forgedLines(`"confidence":0.9`, `"confidence":9e99`)},
}

// filesOutside lists the files of a folder, without those of the data and state folders.
func filesOutside(t *testing.T, dir string) (names []string) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if d != nil && d.IsDir() && (strings.HasSuffix(path, "/share/memoria") || strings.HasSuffix(path, "/state/memoria")) {
			return fs.SkipDir
		}
		if err == nil && !d.IsDir() {
			names = append(names, path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return names
}

// D1: an archive that is damaged, forged, newer or hostile is refused: exit code 1, a
// reason, and nothing changes, in the folder that wrote it and in another one.
func TestTransferAttacks(t *testing.T) {
	t.Parallel()
	oneByOne(t)
	from := newTransferHome(t)
	from.fill()
	path := filepath.Join(t.TempDir(), "mine.zip")
	from.must("export", "-o", path)
	intact, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	to := newTransferHome(t)
	to.must("memory", "add", "Plays chess")
	before, own := to.state(), from.state()
	for _, a := range transferAttacks {
		t.Run(a.name, func(t *testing.T) {
			to, from := to, from
			to.t, from.t = t, t
			spoilt := a.spoil(t, bytes.Clone(intact))
			if bytes.Equal(spoilt, intact) {
				t.Skip("the attack changes nothing")
			}
			file := to.file("spoilt.zip", spoilt)
			files := filesOutside(t, to.dir)
			for _, flag := range []string{"--dry-run", "--yes"} {
				var start, end runtime.MemStats
				runtime.ReadMemStats(&start)
				began := time.Now()
				r := to.run("import", file, flag)
				runtime.ReadMemStats(&end)
				if r.code != 1 {
					t.Errorf("%s: exit code %d, want 1\n%s%s", flag, r.code, r.out, r.errors)
				}
				if r.errors == "" {
					t.Errorf("%s: no reason on standard error", flag)
				}
				for name, text := range map[string]string{"stdout": r.out, "stderr": r.errors} {
					if faults := oracle.Faults(oracle.Plain, text); len(faults) > 0 {
						t.Errorf("%s: %s has %v: %+.300q", flag, name, faults, text)
					}
				}
				if took := time.Since(began); took > 30*time.Second {
					t.Errorf("%s took %v", flag, took)
				}
				if got := (end.TotalAlloc - start.TotalAlloc) >> 20; got > 2048 {
					t.Errorf("%s allocated %d MiB", flag, got)
				}
			}
			if after := to.state(); after != before {
				t.Errorf("the refused archive changed something:\n%s\nwant\n%s", after, before)
			}
			if r := from.run("import", file, "--yes"); r.code != 1 || from.state() != own {
				t.Errorf("its own folder: exit code %d, want 1 and no change\n%s%s", r.code, r.out, r.errors)
			}
			if got := filesOutside(t, to.dir); !slices.Equal(got, files) {
				t.Errorf("files outside of the data folder: %q, want %q", got, files)
			}
			for _, name := range []string{"/tmp/evil.txt", "/tmp/memoria-evil.txt", "/tmp/memoria-evil.jsonl", filepath.Join(filepath.Dir(file), "evil.txt")} {
				if _, err := os.Lstat(name); err == nil {
					t.Errorf("%s was written", name)
				}
			}
			if strings.HasPrefix(a.name, "newer") {
				if r := to.run("import", file, "--yes"); !strings.Contains(r.errors, "newer") {
					t.Errorf("the error does not say that the archive is newer: %s", r.errors)
				}
			}
		})
	}
	// The intact archive is accepted, so it was the attack that was refused.
	to.must("import", path, "--yes")
	if got := to.items("memory", "list", "--filter", "marathon").Total; got != 1 {
		t.Errorf("the intact archive brought %d memories about the marathon, want 1", got)
	}
}

// D1: whatever byte of an archive is flipped, the import brings the intact state or
// nothing.
func TestTransferFlips(t *testing.T) {
	t.Parallel()
	oneByOne(t)
	from := newTransferHome(t)
	from.fill()
	path := filepath.Join(t.TempDir(), "mine.zip")
	from.must("export", "-o", path)
	intact, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	whole := newTransferHome(t)
	none := whole.state()
	whole.must("import", path, "--yes")
	all := whole.state()
	const flips = 40
	refused := 0
	for i := range flips {
		at := i * (len(intact) - 1) / (flips - 1)
		to := newTransferHome(t)
		spoilt := bytes.Clone(intact)
		spoilt[at] ^= 1 << (i % 8)
		r := to.run("import", to.file("spoilt.zip", spoilt), "--yes")
		switch got := to.state(); {
		case r.code == 1 && got == none:
			refused++
		case r.code == 0 && got == all:
		default:
			t.Errorf("byte %d of %d flipped: exit code %d and state\n%s\n%s", at, len(intact), r.code, got, r.errors)
		}
	}
	t.Logf("%d of %d refused", refused, flips)
	if refused < flips/2 {
		t.Errorf("%d of %d flips were refused", refused, flips)
	}
}

var exportTime = regexp.MustCompile(`(?i)("[a-z_]*(?:exported|created|written|time)[a-z_]*"\s*:\s*)"\d{4}-\d\d-\d\dT[^"]*"`)

// withoutExportTime is an archive without its export time: names and contents of its entries.
func withoutExportTime(t *testing.T, archive []byte) map[string]string {
	t.Helper()
	all := map[string]string{}
	for _, e := range unpackArchive(t, archive) {
		data := e.data
		if e.name == manifestName {
			data = exportTime.ReplaceAll(data, []byte(`${1}""`))
		}
		all[e.name] = string(data)
	}
	return all
}

func (h transferHome) export(args ...string) []byte {
	h.t.Helper()
	path := filepath.Join(h.t.TempDir(), "export.zip")
	h.must(append([]string{"export", "-o", path}, args...)...)
	info, err := os.Stat(path)
	if err != nil {
		h.t.Fatal(err)
	}
	if info.Mode().Perm() != 0o600 { // D4
		h.t.Errorf("the archive has mode %o", info.Mode().Perm())
	}
	data, err := os.ReadFile(path)
	if err != nil {
		h.t.Fatal(err)
	}
	return data
}

// D1: two exports of one state, and export → import → export, differ in nothing but the
// time of the export.
func TestTransferRoundTrip(t *testing.T) {
	t.Parallel()
	oneByOne(t)
	from := newTransferHome(t)
	from.fill()
	from.must("agent", "add", "Luna", "--persona", "You answer in one sentence.")
	from.must("--agent", "luna", "ask", "我住在里昂。")
	from.must("journal", "run")
	for _, agent := range []string{"memoria", "luna"} {
		t.Run(agent, func(t *testing.T) {
			from := from
			from.t = t
			first := from.export("--agent", agent)
			same := func(what string, got []byte) {
				t.Helper()
				want, have := withoutExportTime(t, first), withoutExportTime(t, got)
				for name, text := range want {
					switch other, ok := have[name]; {
					case !ok:
						t.Errorf("%s: %s is missing", what, name)
					case other != text:
						t.Errorf("%s: %s is different:\n%.2000s\nwant\n%.2000s", what, name, other, text)
					}
				}
				for name := range have {
					if _, ok := want[name]; !ok {
						t.Errorf("%s: %s is new", what, name)
					}
				}
			}
			same("second export", from.export("--agent", agent))

			to := newTransferHome(t)
			to.must("import", to.file("first.zip", first), "--yes")
			same("export of the import", to.export("--agent", agent))
			to.must("import", to.file("first.zip", first), "--yes")
			same("export after a second import", to.export("--agent", agent))

			// Back to where it came from.
			before := from.state()
			from.must("import", from.file("back.zip", to.export("--agent", agent)), "--yes")
			if after := from.state(); after != before {
				t.Errorf("state after the way back:\n%s\nwant\n%s", after, before)
			}
			same("export after the way back", from.export("--agent", agent))
		})
	}
}

// D1: the archive is what the manual says: a ZIP of a manifest, JSON Lines and Markdown,
// with one agent's data and without keys.
func TestTransferArchive(t *testing.T) {
	t.Parallel()
	oneByOne(t)
	const key = "sk-proj-AbCdEfGhIjKlMnOpQrStUvWxYz0123456789abcd"
	h := newTransferHome(t, "OPENAI_API_KEY="+key)
	h.env = nil // the messages below are for no model
	h.fill()
	h.must("agent", "add", "Luna", "--persona", "Keeper of lighthouses.")
	h.must("--agent", "luna", "memory", "add", "Plays chess")
	h.env = []string{"OPENAI_API_KEY=" + key}
	archive := h.export()
	kinds := map[string]int{}
	for _, e := range unpackArchive(t, archive) {
		kinds[filepath.Ext(e.name)]++
		for _, foreign := range []string{key, "chess", "lighthouses", h.dir} {
			if strings.Contains(string(e.data), foreign) {
				t.Errorf("%s has %q", e.name, foreign)
			}
		}
		if strings.HasSuffix(e.name, ".jsonl") {
			for i, line := range strings.Split(strings.TrimSuffix(string(e.data), "\n"), "\n") {
				if line != "" && !json.Valid([]byte(line)) {
					t.Errorf("%s:%d is no JSON: %.200s", e.name, i+1, line)
				}
			}
		}
		if e.name == manifestName && !json.Valid(e.data) {
			t.Errorf("the manifest is no JSON")
		}
	}
	for _, kind := range []string{".json", ".jsonl", ".md"} {
		if kinds[kind] == 0 {
			t.Errorf("the archive has no %s: %v", kind, kinds)
		}
	}
	words := string(slices.Concat(func() (all [][]byte) {
		for _, e := range unpackArchive(t, archive) {
			all = append(all, e.data)
		}
		return all
	}()...))
	for _, own := range []string{"marathon", "乌龙茶", "steamed", "周野", "bo@example.org"} {
		if !strings.Contains(words, own) {
			t.Errorf("the archive lacks %q", own)
		}
	}
}

// D1: the configuration in somebody else's archive changes no setting by itself: no
// address of a model, no key's variable.
func TestTransferConfiguration(t *testing.T) {
	t.Parallel()
	oneByOne(t)
	from := newTransferHome(t)
	config := filepath.Join(from.dir, ".config", "memoria")
	if err := os.MkdirAll(config, 0o700); err != nil {
		t.Fatal(err)
	}
	text := "[model]\nbase_url = \"http://evil.invalid/v1\"\nname = \"evil\"\napi_key_env = \"AWS_SECRET_ACCESS_KEY\"\n\n[memory]\npii_policy = \"keep\"\n"
	if err := os.WriteFile(filepath.Join(config, "config.toml"), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	from.must("memory", "add", "Has two brothers")
	archive := from.export()

	to := newTransferHome(t)
	to.must("memory", "add", "Plays chess")
	before := to.must("config", "show")
	to.must("import", to.file("theirs.zip", archive), "--yes")
	after := to.must("config", "show")
	if after != before {
		t.Errorf("the import changed settings:\n%s\nwant\n%s", after, before)
	}
}

// C6, D1: characters that hide or reverse text are shown safely in the preview of rules,
// personas and profiles.
func TestTransferHidden(t *testing.T) {
	t.Parallel()
	oneByOne(t)
	from := newTransferHome(t)
	from.must("memory", "add", "--type", "rule", "Answer \u202esdrawkcab\u202c in \u2066secret\u2069 \u200b\U000e0041")
	from.must("memory", "add", "--type", "rule", "Clear \x1b[2J\x1b]0;title\x07 the screen")
	from.must("profile", "set", "--file", from.file("me.md", []byte("## Reply style\n\n- Never \u202eask\u202c \x1b[31mbefore\n\n## Language habits\n\n## Background\n")))
	archive := from.export()
	to := newTransferHome(t)
	file := to.file("theirs.zip", archive)
	for _, flag := range []string{"--dry-run", "--yes"} {
		r := to.run("import", file, flag)
		if r.code != 0 {
			t.Fatalf("%s: exit code %d: %s", flag, r.code, r.errors)
		}
		for name, text := range map[string]string{"stdout": r.out, "stderr": r.errors} {
			if faults := oracle.Faults(oracle.Plain, text); len(faults) > 0 {
				t.Errorf("%s: %s has %v: %+q", flag, name, faults, text)
			}
		}
	}
}

// D1: encrypted archives fail as a whole too.
func TestTransferEncryptedAttacks(t *testing.T) {
	t.Parallel()
	oneByOne(t)
	from := newTransferHome(t)
	from.must("memory", "add", "Likes pottery")
	pass := from.file("pass.txt", []byte("correct horse 电池\n"))
	intact := from.export("--encrypt", "--passphrase-file", pass)
	if bytes.Contains(intact, []byte("PK\x03\x04")) || bytes.Contains(intact, []byte("pottery")) {
		t.Error("the archive is not encrypted")
	}
	if again := from.export("--encrypt", "--passphrase-file", pass); bytes.Equal(again, intact) {
		t.Error("two encrypted archives are equal")
	}
	to := newTransferHome(t)
	to.must("memory", "add", "Plays chess")
	before := to.state()
	flip := func(at int) []byte {
		spoilt := bytes.Clone(intact)
		spoilt[at] ^= 1
		return spoilt
	}
	for name, spoilt := range map[string][]byte{
		"header":      flip(30),
		"middle":      flip(len(intact) / 2),
		"end":         flip(len(intact) - 1),
		"cut":         intact[:len(intact)-1],
		"header only": intact[:100],
		"appended":    append(bytes.Clone(intact), 0),
		"twice":       append(bytes.Clone(intact), intact...),
	} {
		t.Run(name, func(t *testing.T) {
			to := to
			to.t = t
			r := to.run("import", to.file("spoilt.age", spoilt), "--yes", "--passphrase-file", pass)
			if r.code != 1 {
				t.Errorf("exit code %d, want 1: %s", r.code, r.errors)
			}
			if strings.Contains(r.out+r.errors, "correct horse") {
				t.Error("the passphrase was printed")
			}
			if to.state() != before {
				t.Error("something changed")
			}
		})
	}
	to.must("import", to.file("intact.age", intact), "--yes", "--passphrase-file", pass)
	if got := to.items("memory", "list"); got.Total != 2 {
		t.Errorf("%d memories after the import of the intact archive, want 2", got.Total)
	}
}

// D1: an import makes at most 200 proposals of any number of statements.
func TestProposalsAtMost200(t *testing.T) {
	t.Parallel()
	oneByOne(t)
	var chats strings.Builder
	syllables := []string{"ba", "de", "fi", "go", "lu", "ma", "ne", "ri", "so", "tu"}
	for i := range 1000 {
		word := syllables[i%10] + syllables[i/10%10] + syllables[i/100] + "n"
		text := fmt.Sprintf("I like %s cheese.", word)
		if i%2 == 1 {
			text = fmt.Sprintf("I want to visit %s.", strings.ToUpper(word[:1])+word[1:])
		}
		fmt.Fprintf(&chats, `{"session":"s%d","time":"2024-03-%02dT10:00:00Z","role":"user","text":%q}`+"\n", i/10, 1+i/40, text)
	}
	h := newTransferHome(t)
	file := h.file("chats.jsonl", []byte(chats.String()))
	h.must("import", "jsonl", file, "--yes")
	first := h.items("inbox", "list")
	t.Logf("%d proposals of 1000 statements", first.Total)
	if first.Total < 50 || first.Total > 200 {
		t.Errorf("%d proposals, want at most 200 and no fewer than 50", first.Total)
	}
	if got := len(h.items("memory", "list", "--limit", "1000").active()); got != 0 {
		t.Errorf("%d memories are active", got)
	}
	h.must("import", "jsonl", file, "--yes")
	if again := h.items("inbox", "list").Total; again != first.Total {
		t.Errorf("%d proposals after the same import, want %d", again, first.Total)
	}
	goals := 0
	for _, it := range h.items("inbox", "list", "--limit", "1000").Items {
		if it.Type == "goal" {
			goals++
		}
	}
	h.must("inbox", "accept", "--type", "goal", "--yes")
	if got := len(h.items("memory", "list", "--type", "goal", "--limit", "1000").active()); got != goals {
		t.Errorf("%d goals accepted, want %d", got, goals)
	}
	if got := h.items("inbox", "list").Total; got != first.Total-goals {
		t.Errorf("%d go on waiting, want %d", got, first.Total-goals)
	}
}

// The floors of TestImportedSentences: raise them when the rules get better.
const (
	importedPrecisionFloor = 0.0
	importedRecallFloor    = 0.0
)

// D1, P2, P3: of a stranger's sentences, those that tell something lasting are proposed
// with the right type, and the others are not. Every sentence is a session of its own.
func TestImportedSentences(t *testing.T) {
	t.Parallel()
	oneByOne(t)
	type sentence struct{ Text, Lang, Expect string }
	in, err := os.Open("testdata/imported_sentences.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	var sentences []sentence
	for lines := bufio.NewScanner(in); lines.Scan(); {
		var s sentence
		if err := json.Unmarshal(lines.Bytes(), &s); err != nil {
			t.Fatal(err)
		}
		sentences = append(sentences, s)
	}
	var chats bytes.Buffer
	start := time.Now().UTC().AddDate(0, 0, -40).Truncate(time.Hour)
	for i, s := range sentences {
		line, err := json.Marshal(map[string]string{
			"session": fmt.Sprintf("s%02d", i), "time": start.Add(time.Duration(i) * 3 * time.Hour).Format(time.RFC3339),
			"role": "user", "text": s.Text,
		})
		if err != nil {
			t.Fatal(err)
		}
		chats.Write(append(line, '\n'))
	}
	h := newTransferHome(t)
	h.must("import", "jsonl", h.file("chats.jsonl", chats.Bytes()), "--yes")
	if got := len(h.items("memory", "list", "--limit", "1000").active()); got != 0 {
		t.Errorf("%d memories are active before they were accepted", got)
	}

	// A proposal belongs to the sentences that are its sources.
	proposed := map[string][]string{}
	list := h.items("inbox", "list", "--limit", "200")
	for _, it := range list.Items {
		var why struct{ Sources []struct{ Text string } }
		if err := json.Unmarshal([]byte(h.must("archive", "why", it.ID, "--json")), &why); err != nil {
			t.Fatal(err)
		}
		t.Logf("proposed: %s: %s", it.Type, it.Content)
		found := false
		for _, s := range sentences {
			if slices.ContainsFunc(why.Sources, func(q struct{ Text string }) bool {
				return q.Text != "" && (strings.Contains(s.Text, q.Text) || strings.Contains(q.Text, s.Text))
			}) {
				proposed[s.Text] = append(proposed[s.Text], it.Type)
				found = true
			}
		}
		if !found {
			t.Errorf("the proposal %q (%s) has no sentence as its source", it.Content, it.Type)
		}
	}

	for _, lang := range []string{"en", "zh", ""} {
		made, hit, positive, kind := 0, 0, 0, 0
		for _, s := range sentences {
			if lang != "" && s.Lang != lang {
				continue
			}
			types := proposed[s.Text]
			if len(types) > 0 {
				made++
			}
			if s.Expect == "none" {
				if len(types) > 0 && lang != "" {
					t.Logf("should teach nothing, proposed as %v: %s", types, s.Text)
				}
				continue
			}
			positive++
			switch {
			case len(types) == 0:
				if lang != "" {
					t.Logf("not proposed, want %s: %s", s.Expect, s.Text)
				}
			default:
				hit++
				if slices.Contains(types, s.Expect) {
					kind++
				} else if lang != "" {
					t.Logf("proposed as %v, want %s: %s", types, s.Expect, s.Text)
				}
			}
		}
		precision, recall := 1.0, 1.0
		if made > 0 {
			precision = float64(hit) / float64(made)
		}
		if positive > 0 {
			recall = float64(hit) / float64(positive)
		}
		name := map[string]string{"": "all"}[lang] + lang
		t.Logf("%s: precision %d/%d = %.2f, recall %d/%d = %.2f, right type %d/%d", name, hit, made, precision, hit, positive, recall, kind, hit)
		if lang == "" && (precision < importedPrecisionFloor || recall < importedRecallFloor) {
			t.Errorf("precision %.2f and recall %.2f, want %.2f and %.2f", precision, recall, importedPrecisionFloor, importedRecallFloor)
		}
	}
}
