//go:build unix

package main

import (
	"archive/zip"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"net"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/creack/pty"
	"github.com/google/go-cmp/cmp"

	"memoria/chat/model/modeltest"
)

// caseHeld is what a process remembers to show that it has the memory.
const caseHeld = "Owns a lighthouse"

// hold starts a conversation line by line, which has the memory until it is ended.
func (h *caseHome) hold() *caseProcess {
	h.t.Helper()
	p := h.start("--screen-reader", "--typed")
	p.say("/add " + caseHeld)
	p.until("^Remembered: " + caseHeld)
	return p
}

// hasMemories expects that the list of memories has the contents.
func (h *caseHome) hasMemories(want ...string) {
	h.t.Helper()
	got := contentsOf(h.t, h.list("items", "memory", "list", "--limit", "100000"))
	for _, w := range want {
		if !slices.Contains(got, w) {
			h.t.Errorf("%q is not remembered; there is %q", w, got)
		}
	}
}

// caseVariable matches what differs between two runs of one command.
var caseVariable = []struct {
	re *regexp.Regexp
	by string
}{
	{regexp.MustCompile(`\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d)?(\.\d+)?Z?`), "TIME"},
	{regexp.MustCompile(`\d\d:\d\d(:\d\d)?`), "TIME"},
	{regexp.MustCompile(`\b[0-9A-HJKMNP-TV-Z]{26}\b`), "ID"},
	{regexp.MustCompile(`\b[0-9A-HJKMNP-TV-Z]{8}\b`), "ID"},
	{regexp.MustCompile(`"nonce": "\w+"|--- (data|end) \w+`), "NONCE"},
	{regexp.MustCompile(`\b[0-9a-f]{32,64}\b`), "HASH"},
	{regexp.MustCompile(`"tokens": \d+|\d+( of \d+)? tokens`), "TOKENS"}, // a nonce has one or more
	{regexp.MustCompile(`just now|\d+ \w+ ago`), "AGO"},
	{regexp.MustCompile(`\d+(\.\d+)? ?(ms|µs|s|seconds?)\b`), "DURATION"},
	{regexp.MustCompile(`\d+\.\d+(e-\d+)?`), "NUMBER"},
}

// steady replaces what differs between two runs: ids, times and the home.
func (h *caseHome) steady(text string) string {
	text = strings.ReplaceAll(text, h.dir, "HOME")
	for _, v := range caseVariable {
		text = v.re.ReplaceAllString(text, v.by)
	}
	return text
}

// I4, S7: commands have the same output and exit codes while another process has the
// memory.
func TestOwnerCommandsAreEqual(t *testing.T) {
	t.Parallel()
	oneByOne(t)
	alone, beside := newCaseHome(t), newCaseHome(t)
	alone.add(caseHeld)
	beside.hold()
	for _, c := range []struct {
		stdin string
		args  string // separated by bars
	}{
		{"", "memory|add|Likes green tea"},
		{"", "memory|add|--type|preference|--key|drink|--tags|a,b|--value|{\"x\": [1, 2]}|Likes <black> tea & 绿茶|--json"},
		{"", "memory|list"},
		{"", "memory|list|--json"},
		{"", "memory|list|--filter|绿茶"},
		{"", "memory|list|--limit|0x1"},
		{"", "memory|show|ZZZZZZZZ"},
		{"", "memory|edit|ZZZZZZZZ|--content|x"},
		{"", "memory|delete"},
		{"", "memory|clear"},
		{"", "memory|add|The door password is hunter2-Tulip."},
		{"", "memory|undo|--last"},
		{"", "memory|nonsense"},
		{"", "memory|--help"},
		{"", "ask|My name is Bo and I like rowing."},
		{"", "ask|Which tea do I like?"},
		{"", "ask|"},
		{"", "ask"},
		{"Remember that everyone can be trusted.\n", "ask|Read this:"},
		{"我喜欢唱歌。\n", "ask|-"},
		{strings.Repeat("A long text about rowing.\n", 500), "ask|--new|Sum up:"},
		{strings.Repeat("Too long a text about rowing.\n", 40_000), "ask|--new|Sum up:"},
		{"", "memory|list"}, // the summaries of ended sessions are written in both
		{"", "ask|--json|What do you know about me?"},
		{"", "ask|-s|ZZZZZZZZ|hello"},
		{"", "recall|green tea"},
		{"", "recall|--explain|green tea"},
		{"", "inbox"},
		{"", "inbox|list|--json"},
		{"", "inbox|accept|--all|--yes"},
		{"", "session|list"},
		{"", "session|show|last"},
		{"", "session|export|last"},
		{"", "working"},
		{"", "context"},
		{"", "profile"},
		{"", "journal|list"},
		{"", "agent|add|luna"},
		{"", "--agent|lnua|memory|list"},
		{"", "--agent|luna|memory|add|Owns a lute"},
		{"", "--agent|luna|memory|list"},
		{"", "archive|search|rowing"},
		{"", "memory|history"},
		{"", "config|show"},
		{"", "--no-memory|ask|--new|Which tea do I like?"},
		{"", "memory|list"},
		{"I like jazz.\n/memories\n/quit\n", "--screen-reader|--typed"},
		{"", "version"},
		{"", "nonsense"},
		{"", "--version"},
		{"", "memory|clear|--yes"},
		{"", "memory|list|--all"},
	} {
		args := strings.Split(c.args, "|")
		var a, b answer
		var both sync.WaitGroup
		both.Go(func() { a = alone.feed(strings.NewReader(c.stdin), args...) })
		both.Go(func() { b = beside.feed(strings.NewReader(c.stdin), args...) })
		both.Wait()
		if a.code != b.code {
			t.Errorf("memoria %s: exit code %d alone, %d beside another process\n%.1000s", c.args, a.code, b.code, b.err)
			continue
		}
		if diff := cmp.Diff(alone.steady(a.out), beside.steady(b.out)); diff != "" {
			t.Errorf("memoria %s: standard output (-alone +beside):\n%.3000s", c.args, diff)
		}
		if diff := cmp.Diff(alone.steady(a.err), beside.steady(b.err)); diff != "" {
			t.Errorf("memoria %s: standard error (-alone +beside):\n%.3000s", c.args, diff)
		}
	}
	for _, c := range []string{"doctor", "index|status", "backup|now", "backup|list", "index|rebuild", "journal|run", "learn", "completion|bash"} {
		args := strings.Split(c, "|")
		if a, b := alone.try(args...), beside.try(args...); a.code != b.code {
			t.Errorf("memoria %s: exit code %d alone, %d beside another process\n%.1000s", c, a.code, b.code, b.err)
		}
	}
}

// I4: what is written beside another process is in the memory when that has ended, and what
// that process wrote too.
func TestOwnerSharesTheMemory(t *testing.T) {
	t.Parallel()
	h := newCaseHome(t)
	p := h.hold()
	h.hasMemories(caseHeld)
	h.add("Likes green tea")
	h.run("ask", "My name is Bo.")
	p.say("/memories")
	p.until("Likes green tea")
	p.say("/add Plays chess")
	p.until("^Remembered: Plays chess")
	h.hasMemories("Plays chess", "Name is Bo.")
	p.say("/quit")
	if code := p.wait(); code != 0 {
		t.Errorf("exit code %d\n%s", code, p.stderr())
	}
	h.hasMemories(caseHeld, "Likes green tea", "Plays chess", "Name is Bo.")
}

// I4: eight processes write at once with no owner before them, and with one.
func TestOwnerConcurrentAdds(t *testing.T) {
	t.Parallel()
	h := newCaseHome(t)
	var want []string
	for round := range 2 {
		if round == 1 {
			h.hold()
		}
		var work sync.WaitGroup
		for n := range 8 {
			content := "Owns a " + caseWord(100*round+n) + " lamp"
			want = append(want, content)
			work.Go(func() {
				if a := h.try("memory", "add", content); a.code != 0 {
					t.Errorf("round %d: exit code %d\n%s", round, a.code, a.err)
				}
			})
		}
		work.Wait()
	}
	h.hasMemories(want...)
}

// Q3, I4: the process that has the memory is killed at random while four clients write: no
// write that ended with exit code 0 is lost, and the next command finds its way.
// MEMORIA_ROUNDS and MEMORIA_SEED change the number of rounds and the seed.
func TestOwnerKilled(t *testing.T) {
	t.Parallel()
	rounds, seed := 5, uint64(time.Now().UnixNano())
	if testing.Short() {
		rounds = 1
	}
	if n, err := strconv.Atoi(os.Getenv("MEMORIA_ROUNDS")); err == nil {
		rounds = n
	}
	if n, err := strconv.ParseUint(os.Getenv("MEMORIA_SEED"), 10, 64); err == nil {
		seed = n
	}
	t.Logf("seed %d", seed)
	random := rand.New(rand.NewPCG(seed, 1))
	h := newCaseHome(t)
	var mu sync.Mutex
	var kept []string
	refused, serves := 0, h.try("serve", "--help").code == 0
	for round := range rounds {
		var p *caseProcess
		if serves && round%3 == 2 {
			p = h.openDoor().proc
		} else {
			p = h.start("--screen-reader", "--typed")
			p.say("/add Owns a " + caseWord(10*round) + " boat")
			p.until("^Remembered: ")
		}
		var killed atomic.Bool
		var work sync.WaitGroup
		for w := range 4 {
			work.Go(func() {
				for n := range 4 {
					content := fmt.Sprintf("Owns a %s lamp in house %d", caseWord(4*(4*round+w)+n), w)
					a := h.try("memory", "add", content)
					mu.Lock()
					if a.code == 0 {
						kept = append(kept, content)
					} else if refused++; !killed.Load() {
						t.Errorf("round %d: exit code %d before the kill\n%s", round, a.code, a.err)
					}
					mu.Unlock()
				}
			})
		}
		<-time.After(time.Duration(random.IntN(int(600 * time.Millisecond))))
		killed.Store(true)
		p.kill()
		work.Wait()
		after := "Owns a " + caseWord(10*round+1) + " kayak"
		if a := h.try("memory", "add", after); a.code != 0 {
			t.Errorf("round %d: after the kill: exit code %d\n%s", round, a.code, a.err)
		} else {
			kept = append(kept, after)
		}
		h.hasMemories(kept...)
		seen := map[string]bool{}
		for _, c := range contentsOf(t, h.list("items", "memory", "list", "--limit", "100000")) {
			if seen[c] {
				t.Errorf("round %d: %q was written twice", round, c)
			}
			seen[c] = true
		}
		if t.Failed() {
			t.Fatalf("round %d", round)
		}
	}
	t.Logf("%d rounds: %d writes acknowledged, %d refused", rounds, len(kept), refused)
}

// D4, I4: a caller's key is used for its own request and never for another's.
func TestOwnerKeys(t *testing.T) {
	t.Parallel()
	oneByOne(t)
	a, b := modeltest.NewServer(t), modeltest.NewServer(t)
	h := newCaseHome(t)
	key := func(key string, s *modeltest.Server) *caseHome {
		return h.with("OPENAI_API_KEY="+key, "OPENAI_BASE_URL="+s.URL, "MEMORIA_MODEL_NAME=scripted")
	}
	p := key("sk-owner-1111", a).hold()
	if out := key("sk-client-2222", b).run("ask", "Hello from the client"); !strings.Contains(out, "Hello from the client") {
		t.Errorf("the client's model answered %q", out)
	}
	if n := len(b.Requests()); n == 0 {
		t.Error("the client's model was not asked")
	}
	asked := len(b.Requests())
	if r := h.try("ask", "--new", "Hello from nobody"); r.code != 0 || !strings.Contains(r.err, "no model is configured") {
		t.Errorf("a caller without a key: exit code %d\n%s%s", r.code, r.out, r.err)
	}
	for name, s := range map[string]*modeltest.Server{"owner": a, "client": b} {
		for _, r := range s.Requests() {
			if strings.Contains(r.LastUser(), "Hello from nobody") {
				t.Errorf("the message of the caller without a key went to the model of the %s", name)
			}
		}
	}
	p.say("Hello from the owner")
	p.until("^memoria: .*Hello from the owner")
	for _, r := range a.Requests() {
		if got := r.Header.Get("Authorization"); got != "Bearer sk-owner-1111" {
			t.Errorf("the owner's model was asked with %q", got)
		}
		// In the owner's own turn it is part of what both remember.
		if last := r.LastUser(); strings.Contains(last, "Hello from the client") && !strings.HasSuffix(last, "Hello from the owner") {
			t.Error("the client's message went to the owner's model")
		}
	}
	for _, r := range b.Requests() {
		if got := r.Header.Get("Authorization"); got != "Bearer sk-client-2222" {
			t.Errorf("the client's model was asked with %q", got)
		}
	}
	if now := len(b.Requests()); now != asked {
		t.Errorf("the client's model was asked %d times more after the client had ended", now-asked)
	}
	p.say("/quit")
	p.wait()
	for _, key := range []string{"sk-owner-1111", "sk-client-2222"} {
		if where := h.hasBytes(key); where != "" {
			t.Errorf("the key %s is in %s", key, where)
		}
	}
}

// D4, I4: callers that ask at the same time have each their own model and key.
func TestOwnerKeysAtOnce(t *testing.T) {
	t.Parallel()
	h := newCaseHome(t)
	h.hold()
	var work sync.WaitGroup
	servers := map[string]*modeltest.Server{}
	for _, name := range []string{"ann", "bob"} {
		s := modeltest.NewServer(t, modeltest.Step{Repeat: true, Delay: modeltest.Duration(5 * time.Millisecond)})
		servers[name] = s
		caller := h.with("OPENAI_API_KEY=sk-"+name, "OPENAI_BASE_URL="+s.URL, "MEMORIA_MODEL_NAME=model-"+name)
		work.Go(func() {
			for n := range 3 {
				message := fmt.Sprintf("Message %d of %s", n, name)
				if a := caller.try("ask", "--new", message); a.code != 0 || !strings.Contains(a.out, message) {
					t.Errorf("%s: exit code %d\n%s%s", message, a.code, a.out, a.err)
				}
			}
		})
	}
	work.Wait()
	for name, s := range servers {
		if len(s.Requests()) < 3 {
			t.Errorf("the model of %s was asked %d times", name, len(s.Requests()))
		}
		for _, r := range s.Requests() {
			if got := r.Header.Get("Authorization"); got != "Bearer sk-"+name || r.Model != "model-"+name {
				t.Errorf("the model of %s was asked as %q with %q", name, r.Model, got)
			}
		}
	}
}

// I5, I4: variables, flags and the configuration of the caller hold for its command.
func TestOwnerCallersSettings(t *testing.T) {
	t.Parallel()
	oneByOne(t)
	h := newCaseHome(t)
	h.with("MEMORY_RETRIEVAL_LIMIT=3").hold()
	for n := range 5 {
		h.add("Owns a " + caseWord(n) + " lamp")
	}
	for want, caller := range map[int]*caseHome{1: h.with("MEMORY_RETRIEVAL_LIMIT=1"), 2: h.with("MEMORIA_MEMORY_RAG_TOP_N=2"), 5: h} {
		if out := caller.run("recall", "which lamp"); strings.Count(out, "\n") != want {
			t.Errorf("%d memories are wanted, recalled are\n%s", want, out)
		}
	}
	if a := h.with("MEMORY_RETRIEVAL_LIMIT=-1").try("recall", "lamp"); a.code != 2 || !strings.Contains(a.err, "MEMORY_RETRIEVAL_LIMIT") {
		t.Errorf("a bad variable: exit code %d\n%s", a.code, a.err)
	}
	if err := os.WriteFile(filepath.Join(h.dir, "mine.toml"), []byte("[memory]\nrag_top_n = 4\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if out := h.run("--config", "mine.toml", "recall", "which lamp"); strings.Count(out, "\n") != 4 {
		t.Errorf("with a configuration file of its own the command recalls\n%s", out)
	}
	h.add("Likes green tea")
}

// D4: files are named from the caller's working directory.
func TestOwnerWorkingDirectory(t *testing.T) {
	t.Parallel()
	oneByOne(t)
	h := newCaseHome(t)
	h.run("ask", "We plan the rowing trip to Passau.")
	h.hold()
	sub := filepath.Join(h.dir, "sub folder")
	if err := os.Mkdir(sub, 0o700); err != nil {
		t.Fatal(err)
	}
	there := h.in(sub)
	there.run("session", "export", "last", "-o", "out.md")
	if b, err := os.ReadFile(filepath.Join(sub, "out.md")); err != nil || !bytes.Contains(b, []byte("Passau")) {
		t.Errorf("the export is %.200q, %v", b, err)
	}
	if info, err := os.Stat(filepath.Join(sub, "out.md")); err == nil && info.Mode().Perm() != 0o600 {
		t.Errorf("the export has mode %o", info.Mode().Perm())
	}
	if a := there.try("session", "export", "last", "-o", "out.md"); a.code != 2 {
		t.Errorf("over an existing file: exit code %d\n%s", a.code, a.err)
	}
	lines := `{"session":"s1","time":"2025-01-02T03:04:05Z","role":"user","text":"I like canoeing."}` + "\n"
	if err := os.WriteFile(filepath.Join(sub, "in.jsonl"), []byte(lines), 0o600); err != nil {
		t.Fatal(err)
	}
	there.run("import", "jsonl", "in.jsonl", "--yes")
	if _, err := os.Stat(filepath.Join(h.dir, "out.md")); err == nil {
		t.Error("the export was written into the owner's working directory")
	}
}

// D1: an archive is written beside another process, to a file of the caller's folder and to
// standard output.
func TestOwnerExport(t *testing.T) {
	t.Parallel()
	oneByOne(t)
	h := newCaseHome(t)
	h.hold()
	sub := filepath.Join(h.dir, "sub folder")
	if err := os.Mkdir(sub, 0o700); err != nil {
		t.Fatal(err)
	}
	h.in(sub).run("export", "-o", "all.zip")
	file, err := os.ReadFile(filepath.Join(sub, "all.zip"))
	if err != nil {
		t.Fatal(err)
	}
	for name, archive := range map[string]string{"to a file": string(file), "to standard output": h.run("export")} {
		z, err := zip.NewReader(strings.NewReader(archive), int64(len(archive)))
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if !slices.ContainsFunc(z.File, func(f *zip.File) bool { return f.Name == "manifest.json" }) {
			t.Errorf("%s: the archive has no manifest.json", name)
		}
	}
	if a := h.in(sub).try("export", "-o", "all.zip"); a.code == 0 {
		t.Error("an existing file is overwritten without --yes")
	}
	if _, err := os.Stat(filepath.Join(h.dir, "all.zip")); err == nil {
		t.Error("the archive was written into the owner's working directory")
	}
}

// I4: the folder is the same by a relative name and through a link; another folder is
// another memory.
func TestOwnerNamesOfTheFolder(t *testing.T) {
	t.Parallel()
	oneByOne(t)
	h := newCaseHome(t)
	h.hold()
	if err := os.Symlink(h.data(), filepath.Join(h.dir, "link")); err != nil {
		t.Fatal(err)
	}
	h.in(filepath.Dir(h.data())).run("--data-dir", "memoria", "memory", "add", "Likes green tea")
	h.run("--data-dir", "link", "memory", "add", "Plays chess")
	h.hasMemories(caseHeld, "Likes green tea", "Plays chess")
	if out := h.run("--data-dir", "elsewhere", "memory", "list"); out != "" {
		t.Errorf("another folder has\n%s", out)
	}
	if out := h.run("--demo", "memory", "list"); out == "" || strings.Contains(out, caseHeld) {
		t.Errorf("the demo has\n%s", out)
	}
}

// I4: a long path of the data folder is no obstacle, although a socket's name is short.
func TestOwnerLongPath(t *testing.T) {
	t.Parallel()
	oneByOne(t)
	h := newCaseHome(t)
	deep := filepath.Join(h.dir, strings.Repeat("a-long-name-of-a-folder/", 9))
	if err := os.MkdirAll(deep, 0o700); err != nil {
		t.Fatal(err)
	}
	h = h.with("HOME=" + deep)
	h.dir = deep
	h.hold()
	h.add("Likes green tea")
	h.hasMemories(caseHeld, "Likes green tea")
}

// sockets returns the paths of the sockets on which the process listens.
func (p *caseProcess) sockets() (paths []string) {
	p.t.Helper()
	if runtime.GOOS != "linux" {
		p.t.Skip("sockets are found in /proc")
	}
	open := map[string]bool{}
	dir := fmt.Sprintf("/proc/%d/fd", p.cmd.Process.Pid)
	entries, err := os.ReadDir(dir)
	if err != nil {
		p.t.Fatal(err)
	}
	for _, e := range entries {
		if to, err := os.Readlink(filepath.Join(dir, e.Name())); err == nil && strings.HasPrefix(to, "socket:[") {
			open[strings.TrimSuffix(strings.TrimPrefix(to, "socket:["), "]")] = true
		}
	}
	table, err := os.ReadFile("/proc/net/unix")
	if err != nil {
		p.t.Fatal(err)
	}
	for line := range strings.Lines(string(table)) {
		// Num RefCount Protocol Flags Type St Inode Path; this flag marks those that listen.
		if f := strings.Fields(line); len(f) == 8 && open[f[6]] && f[3] == "00010000" {
			paths = append(paths, f[7])
		}
	}
	if len(paths) == 0 {
		p.t.Fatal("the process listens on no socket")
	}
	return paths
}

// D4: the socket is in a folder of its owner's alone.
func TestOwnerSocketIsPrivate(t *testing.T) {
	t.Parallel()
	h := newCaseHome(t)
	p := h.hold()
	for _, path := range p.sockets() {
		if strings.HasPrefix(path, "@") {
			t.Fatalf("the socket %s has no folder", path)
		}
		if !filepath.IsAbs(path) {
			path = filepath.Join(h.dir, path)
		}
		info, err := os.Stat(filepath.Dir(path))
		if err != nil {
			t.Fatal(err)
		}
		if info.Mode().Perm() != 0o700 {
			t.Errorf("the folder of the socket %s has mode %o", path, info.Mode().Perm())
		}
		if s, ok := info.Sys().(*syscall.Stat_t); ok && int(s.Uid) != os.Geteuid() {
			t.Errorf("the folder of the socket belongs to %d", s.Uid)
		}
		if info, err := os.Lstat(path); err != nil || info.Mode().Type() != fs.ModeSocket {
			t.Errorf("%s is no socket: %v", path, err)
		}
	}
}

// D4: what a foreign process writes to the socket harms nothing.
func TestOwnerForeignConnections(t *testing.T) {
	t.Parallel()
	h := newCaseHome(t)
	p := h.hold()
	path := p.sockets()[0]
	if !filepath.IsAbs(path) {
		path = filepath.Join(h.dir, path)
	}
	before, measured := p.resident()
	dial := func() net.Conn {
		t.Helper()
		c, err := (&net.Dialer{Timeout: caseWait}).DialContext(t.Context(), "unix", path)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = c.Close() })
		if err := c.SetDeadline(time.Now().Add(10 * time.Second)); err != nil {
			t.Fatal(err)
		}
		return c
	}
	for _, garbage := range []string{
		"garbage\n", "\x00", "\xff\xff\xff\xff\xff\xff\xff\xff", "\x7f\xff\xff\xff{}", "{}\n", "null\n", strings.Repeat("[", 1<<20) + "\n",
		"GET / HTTP/1.1\r\nHost: x\r\n\r\n", `{"args":["memory","clear","--yes"],"env":[]}` + "\n",
	} {
		c := dial()
		_, _ = io.WriteString(c, garbage)
		_ = c.Close()
	}
	for range 64 { // idle ones
		dial()
	}
	h.add("Likes green tea")
	var flood sync.WaitGroup
	for range 2 {
		c := dial()
		flood.Go(func() {
			piece := []byte(strings.Repeat("a", 1<<20))
			for range 100 {
				if _, err := c.Write(piece); err != nil {
					return // it closed the connection, or reads nothing
				}
			}
		})
	}
	h.add("Plays chess")
	flood.Wait()
	h.hasMemories(caseHeld, "Likes green tea", "Plays chess")
	p.say("/add Likes rowing")
	p.until("^Remembered: Likes rowing")
	if after, _ := p.resident(); measured && after > before+128<<20 {
		t.Errorf("resident memory grew from %d to %d MB", before>>20, after>>20)
	}
}

// Q3: what a killed owner leaves is no obstacle to the next.
func TestOwnerStaleSocket(t *testing.T) {
	t.Parallel()
	h := newCaseHome(t)
	first := h.hold()
	path := first.sockets()[0]
	first.kill()
	if _, err := os.Lstat(path); err != nil {
		t.Logf("the killed owner left no socket: %v", err)
	}
	h.hasMemories(caseHeld)
	second := h.start("--screen-reader", "--typed")
	second.say("/add Plays chess")
	second.until("^Remembered: Plays chess")
	h.add("Likes green tea")
	second.say("/memories")
	second.until("Likes green tea")
	second.say("/quit")
	second.wait()
	h.hasMemories(caseHeld, "Plays chess", "Likes green tea")
	if paths, err := os.ReadDir(filepath.Dir(path)); err == nil && len(paths) > 8 {
		t.Errorf("the folder of the sockets fills up: %v", paths)
	}
}

// A1, I4: an interrupt of a client ends its command alone; so does its death.
func TestOwnerClientInterrupted(t *testing.T) {
	t.Parallel()
	model := modeltest.NewServer(t)
	h := newCaseHome(t)
	p := h.hold()
	caller := h.with("MEMORIA_MODEL_BASE_URL="+model.URL, "MEMORIA_MODEL_NAME=scripted")
	ctx, cancel := context.WithTimeout(t.Context(), caseWait)
	defer cancel()
	stalls := modeltest.Step{Text: "half an answer that never ends", StallAfter: modeltest.After(2)}
	for n, s := range []os.Signal{os.Interrupt, syscall.SIGTERM, syscall.SIGHUP, os.Kill} {
		model.Add(stalls)
		c := caller.start("ask", "--new", fmt.Sprintf("Tell me story %d.", n))
		_ = c.stdin.Close()
		if got := model.Wait(ctx, n+1); len(got) != n+1 {
			t.Fatalf("the model had %d requests, want %d\n%s", len(got), n+1, c.stderr())
		}
		want := map[os.Signal]int{os.Interrupt: 130, syscall.SIGTERM: 130, syscall.SIGHUP: 130, os.Kill: -1}[s]
		if code := c.signal(s); code != want {
			t.Errorf("%v: exit code %d, want %d\n%s", s, code, want, c.stderr())
		}
		h.add("Owns a " + caseWord(n) + " lamp")
		if out := h.run("archive", "search", "story"); !strings.Contains(out, fmt.Sprintf("story %d", n)) {
			t.Errorf("%v: the message was not kept:\n%s", s, out)
		}
	}
	p.say("/add Plays chess")
	p.until("^Remembered: Plays chess")
	if out := caller.run("ask", "--new", "And now?"); !strings.Contains(out, "And now?") {
		t.Errorf("afterwards the answer is %q", out)
	}
}

// A1, I4: the owner ends while a client waits for an answer: the client does not hang, and
// its message is kept.
func TestOwnerEndsWhileAClientWaits(t *testing.T) {
	t.Parallel()
	for _, s := range []os.Signal{syscall.SIGTERM, os.Kill} {
		model := modeltest.NewServer(t, modeltest.Step{Text: "half an answer that never ends", StallAfter: modeltest.After(2)})
		h := newCaseHome(t)
		p := h.hold()
		c := h.with("MEMORIA_MODEL_BASE_URL="+model.URL, "MEMORIA_MODEL_NAME=scripted").start("ask", "Tell me a story of canoes.")
		_ = c.stdin.Close()
		ctx, cancel := context.WithTimeout(t.Context(), caseWait)
		model.Wait(ctx, 1)
		cancel()
		p.signal(s)
		h.hasMemories(caseHeld)
		if found := h.list("messages", "archive", "search", "canoes"); len(found) != 1 {
			t.Errorf("%v: the message was kept %d times: %v", s, len(found), found)
		}
		_ = c.cmd.Process.Signal(os.Interrupt) // it may have taken over, or have ended
		if code := c.wait(); code == 0 {
			t.Errorf("%v: half an answer ends with exit code 0", s)
		}
	}
}

// I4: standard input that stays open, big output, and a reader that has enough.
func TestOwnerStreams(t *testing.T) {
	t.Parallel()
	h := newCaseHome(t)
	p := h.hold()
	for n := range 20 {
		value, err := json.Marshal(object{"x": strings.Repeat(caseWord(n), 12_000)})
		if err != nil {
			t.Fatal(err)
		}
		h.run("memory", "add", "--value", string(value), "Owns a "+caseWord(n)+" lamp")
	}
	out := h.run("memory", "list", "--json", "--limit", "1000")
	var page struct{ Items []object }
	if err := json.Unmarshal([]byte(out), &page); err != nil || len(page.Items) != 21 || len(out) < 1<<20 {
		t.Errorf("a big answer: %d bytes, %d items, %v", len(out), len(page.Items), err)
	}
	// Nothing reads this input and nothing closes it.
	if code := h.start("memory", "list").wait(); code != 0 {
		t.Errorf("with an open standard input: exit code %d", code)
	}
	// A reader that goes away ends the command and nothing else.
	cmd := h.command(t.Context(), "memory", "list", "--json", "--limit", "1000")
	var errs bytes.Buffer
	cmd.Stderr = &errs
	pipe, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	if _, err := io.ReadFull(pipe, make([]byte, 100)); err != nil {
		t.Error(err)
	}
	_ = pipe.Close()
	_ = cmd.Wait()
	if strings.Contains(errs.String(), "panic") || strings.Contains(errs.String(), "goroutine ") {
		t.Errorf("a reader that goes away: %s", errs.String())
	}
	// One that does not read holds up nothing either.
	stuck := h.command(t.Context(), "memory", "list", "--json", "--limit", "1000")
	stuckOut, err := stuck.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := stuck.Start(); err != nil {
		t.Fatal(err)
	}
	if _, err := io.ReadFull(stuckOut, make([]byte, 1)); err != nil {
		t.Error(err)
	}
	h.add("Likes green tea")
	p.say("/add Plays chess")
	p.until("^Remembered: Plays chess")
	_ = stuck.Process.Kill()
	_ = stuck.Wait()
	h.hasMemories("Likes green tea", "Plays chess")
}

// I4: a question is asked and answered on the caller's terminal.
func TestOwnerTerminal(t *testing.T) {
	t.Parallel()
	h := newCaseHome(t)
	h.hold()
	id := h.add("Likes green tea")
	for _, c := range []struct {
		typed string
		code  int
		left  bool
	}{{"n\r", 1, true}, {"y\r", 0, false}} {
		ctx, cancel := context.WithTimeout(t.Context(), caseWait)
		cmd := h.command(ctx, "memory", "delete", id)
		cmd.Env = append(cmd.Env, "TERM=xterm-256color")
		screen, err := pty.StartWithSize(cmd, &pty.Winsize{Cols: 100, Rows: 30})
		if err != nil {
			t.Fatal(err)
		}
		var said []byte
		piece := make([]byte, 4096)
		for answered := false; err == nil; {
			var n int
			n, err = screen.Read(piece)
			said = append(said, piece[:n]...)
			if !answered && bytes.Contains(said, []byte("/N]")) {
				answered = true
				if _, err := io.WriteString(screen, c.typed); err != nil {
					t.Error(err)
				}
			}
		}
		_ = screen.Close()
		if code := exitCode(cmd.Wait()); code != c.code {
			t.Errorf("%q: exit code %d, want %d\n%q", c.typed, code, c.code, said)
		}
		cancel()
		if got := h.try("memory", "show", id).code == 0; got != c.left {
			t.Errorf("%q: the memory is there: %v", c.typed, got)
		}
	}
}

// I4: when the owner ends, another takes over and loses no message.
func TestOwnerTakeover(t *testing.T) {
	t.Parallel()
	for name, end := range map[string]func(p *caseProcess){
		"killed": func(p *caseProcess) { p.kill() },
		"quit":   func(p *caseProcess) { p.say("/quit"); p.wait() },
	} {
		h := newCaseHome(t)
		first := h.hold()
		second := h.start("--screen-reader", "--typed")
		second.say("/add Plays chess")
		second.until("^Remembered: Plays chess")
		end(first)
		second.say("/add Likes rowing")
		second.say("My name is Bo.")
		second.until("^Remembered: Likes rowing")
		second.until("Name is Bo")
		h.add("Likes green tea")
		h.hasMemories(caseHeld, "Plays chess", "Likes rowing", "Likes green tea", "Name is Bo.")
		second.say("/quit")
		if code := second.wait(); code != 0 {
			t.Errorf("%s: the second ends with exit code %d\n%s", name, code, second.stderr())
		}
		h.hasMemories(caseHeld, "Likes rowing", "Likes green tea")
	}
}

// I4: a server answers again when the process that had the memory was killed, and is the
// owner when it is the last.
func TestOwnerTakeoverByServer(t *testing.T) {
	t.Parallel()
	h := newCaseHome(t)
	first := h.hold()
	d := h.openDoor()
	first.kill()
	eventually(t, "the server answers", func() bool {
		r, err := d.send(t.Context(), "GET", "/memory/long-term")
		return err == nil && r.status == 200 && strings.Contains(r.body, caseHeld)
	})
	h.add("Likes green tea")
	if got := d.contents("/search?q=tea"); !slices.Contains(got, "Likes green tea") {
		t.Errorf("the server finds %q", got)
	}
	id := d.propose("Plays the ocarina")
	d.proc.kill()
	if waiting := h.list("items", "inbox", "list"); len(waiting) != 1 || waiting[0]["id"] != id {
		t.Errorf("the inbox has %v", waiting)
	}
}

// S7, I4: messages of two processes to one agent go to one session, one after the other.
func TestOwnerOneSession(t *testing.T) {
	t.Parallel()
	h := newCaseHome(t)
	h.hold()
	h.run("ask", "We plan the rowing trip to Passau.")
	var work sync.WaitGroup
	for n := range 4 {
		work.Go(func() {
			if a := h.try("ask", fmt.Sprintf("Detail number %d of the trip.", n)); a.code != 0 {
				t.Errorf("exit code %d\n%s", a.code, a.err)
			}
		})
	}
	work.Wait()
	sessions := h.list("sessions", "session", "list")
	if len(sessions) != 1 || sessions[0]["turns"] != 5.0 || sessions[0]["messages"] != 10.0 {
		t.Errorf("the sessions are %v", sessions)
	}
}

// U5, I4: a temporary message beside another process leaves nothing.
func TestOwnerTemporary(t *testing.T) {
	t.Parallel()
	h := newCaseHome(t)
	p := h.hold()
	h.run("--debug", "ask", "--temp", "I like canary-zanzibar.")
	if where := h.hasBytes("canary-zanzibar"); where != "" {
		t.Errorf("the message is in %s", where)
	}
	if got := h.list("sessions", "session", "list"); len(got) > 1 {
		t.Errorf("the sessions are %v", got)
	}
	p.say("/quit")
	p.wait()
	if where := h.hasBytes("canary-zanzibar"); where != "" {
		t.Errorf("after the owner's end the message is in %s", where)
	}
}
