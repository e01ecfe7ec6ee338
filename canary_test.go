package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"memoria/memory"
	"memoria/memory/manager"
	"memoria/memory/manager/write"
	"memoria/ui/app"
	"memoria/ui/cli"
)

// user is a person with a home, who runs one command after the other in this process.
type user struct {
	t        *testing.T
	home     string
	ahead    time.Duration // how far the program's clock is ahead
	commands []string      // what was run, for a failure
}

func newUser(t *testing.T) *user {
	t.Helper()
	u := &user{t: t, home: t.TempDir()}
	if err := os.MkdirAll(u.out("late"), 0o700); err != nil {
		t.Fatal(err)
	}
	return u
}

func (u *user) data() string   { return filepath.Join(u.home, ".local", "share", "memoria") }
func (u *user) state() string  { return filepath.Join(u.home, ".local", "state", "memoria") }
func (u *user) config() string { return filepath.Join(u.home, ".config", "memoria") }
func (u *user) now() time.Time { return time.Now().Add(u.ahead) }
func (u *user) out(name string) string {
	return filepath.Join(u.home, "out", name)
}

// env keeps the program inside the user's home: HOME alone does not, in this process.
func (u *user) env() []string {
	return []string{
		"HOME=" + u.home, "PATH=" + os.Getenv("PATH"), "XDG_DATA_HOME=" + filepath.Dir(u.data()),
		"XDG_STATE_HOME=" + filepath.Dir(u.state()), "XDG_CONFIG_HOME=" + filepath.Dir(u.config()),
	}
}

// try runs a command with the given standard input.
func (u *user) try(stdin string, args ...string) answer {
	u.t.Helper()
	var out, errs bytes.Buffer
	began := time.Now()
	p := cli.Program{
		Options: app.Options{Env: u.env(), Now: u.now, Version: "test"},
		Args:    args, Stdin: strings.NewReader(stdin), Stdout: &out, Stderr: &errs, Lines: lines,
	}
	code := p.Run(context.Background())
	u.commands = append(u.commands, fmt.Sprintf("%s → %d %.100q %.100q", short(args), code, out.String(), errs.String()))
	return answer{code: code, out: out.String(), err: errs.String(), took: time.Since(began)}
}

func short(args []string) string {
	line := strings.Join(args, " ")
	if len(line) > 200 {
		line = line[:100] + " … " + line[len(line)-100:]
	}
	return line
}

// run runs a command that must succeed.
func (u *user) run(args ...string) string {
	u.t.Helper()
	a := u.try("", args...)
	if a.code != 0 {
		u.t.Fatalf("memoria %s: exit code %d\n%s%s", short(args), a.code, a.out, a.err)
	}
	return a.out
}

// list runs a command with --json and returns the objects in a field of its output.
func (u *user) list(field string, args ...string) []object {
	u.t.Helper()
	all := object{}
	if err := json.Unmarshal([]byte(u.run(append(args, "--json")...)), &all); err != nil {
		u.t.Fatalf("memoria %s: %v", short(args), err)
	}
	return objects(u.t, all[field])
}

// records returns the messages that have the canary, by id: all, or those of the given roles.
func (u *user) records(c canary, roles ...string) map[string]string {
	u.t.Helper()
	out := map[string]string{}
	for _, m := range u.list("messages", "archive", "search", "--limit", "0") {
		r, _ := m["record"].(object)
		if content := text(u.t, r, "content"); c.in(content) &&
			(len(roles) == 0 || slices.Contains(roles, text(u.t, r, "role"))) {
			out[text(u.t, r, "id")] = content
		}
	}
	return out
}

// items returns the ids of the memories that have the canary anywhere.
func (u *user) items(c canary) (ids []string) {
	u.t.Helper()
	for _, it := range u.list("items", "memory", "list", "--all") {
		b, err := json.Marshal(it)
		if err != nil {
			u.t.Fatal(err)
		}
		if c.in(string(b)) {
			ids = append(ids, text(u.t, it, "id"))
		}
	}
	return ids
}

// verdict is the JSON of memoria forget --verify.
type verdict struct {
	Verified     bool
	Words, Files int
	Found        []found
}

type found struct{ File, Part, Agent, ID string }

// verify runs memoria forget --verify for the words, and expects that its exit code fits
// its JSON and that it prints none of the words.
func (u *user) verify(words ...canary) (v verdict, ok bool) {
	u.t.Helper()
	var stdin strings.Builder
	for _, c := range words {
		stdin.WriteString(c.word + "\n")
	}
	a := u.try(stdin.String(), "forget", "--verify", "--json")
	if err := json.Unmarshal([]byte(a.out), &v); err != nil {
		u.t.Errorf("forget --verify: exit code %d, %v: %s%s", a.code, err, a.out, a.err)
		return v, false
	}
	if want := map[bool]int{true: 0, false: 1}[v.Verified]; a.code != want || v.Verified != (len(v.Found) == 0) {
		u.t.Errorf("forget --verify: exit code %d, verified %v, %d places", a.code, v.Verified, len(v.Found))
	}
	if v.Words != len(words) || v.Files == 0 {
		u.t.Errorf("forget --verify: %d words in %d files, want %d words", v.Words, v.Files, len(words))
	}
	for _, c := range words {
		if c.in(a.out) || c.in(a.err) {
			u.t.Errorf("forget --verify prints %q: %s%s", c.word, a.out, a.err)
		}
	}
	return v, true
}

// doors are commands after which the next start must have erased what is past its undo time.
var doors = [][]string{
	{"memory", "list"}, {"session", "list"}, {"ask", "Good evening."}, {"profile", "show"}, {"journal", "status"}, {"backup", "list"}, {"index", "status"},
}

// erase lets the time to undo pass and the program erase.
func (u *user) erase(next []string) {
	u.t.Helper()
	u.ahead += 11 * time.Minute
	u.run(next...)
	if a := u.try("", "forget", "--now"); a.code != 0 {
		u.t.Errorf("forget --now: exit code %d: %s%s", a.code, a.out, a.err)
	}
}

// saying is a sentence that teaches something, and how it is taken back.
type saying struct {
	say, forget string
	chinese     bool
}

var sayings = []saying{
	{"I like %s tea.", "forget that I like %s tea", false},
	{"I work at %s.", "forget that I work at %s", false},
	{"I live in %s.", "forget that I live in %s", false},
	{"My name is %s.", "forget that my name is %s", false},
	{"Remember that my locker is in room %s.", "forget that my locker is in room %s", false},
	{"My goal is to finish the %s project by next summer", "forget my goal to finish the %s project", false},
	{"My sister is called %s.", "forget that my sister is called %s", false},
	{"I prefer %s to everything else.", "forget that I prefer %s", false},
	{"Please always mention %s.", "forget that you should always mention %s", false},
	{"I was diagnosed with %s syndrome.", "forget that I was diagnosed with %s syndrome", false},
	{"We saw %s on the way home and talked for hours.", "forget everything about %s", false},
	{"我喜欢喝%s茶", "忘记我喜欢喝%s茶", true},
	{"我叫%s", "忘记我叫%s", true},
	{"我住在%s", "别再记得我住在%s", true},
	{"我的猫叫%s", "忘记我的猫叫%s", true},
	{"记住我最喜欢的城市是%s", "忘记我最喜欢的城市是%s", true},
	{"我对%s过敏", "忘记我对%s过敏", true},
	{"今天看到%s，挺有意思的，聊了很久", "忘记%s", true},
	{"我在%s公司上班", "忘记我在%s公司上班", true},
}

// written is a canary with the door through which it came.
type written struct {
	canary
	how     string
	session string // "" unless it was said in one
	saying  saying
}

// life is one random history.
type life struct {
	*user
	r       *rand.Rand
	live    []written // not deleted
	erased  []written // deleted with their messages, or never in one
	kept    []written // deleted as memories: only messages may have them
	figures *lives
}

// lives counts over all histories.
type lives struct{ commands, canaries, erased, kept, live, failed atomic.Int64 }

// pick returns an element.
func pick[T any](r *rand.Rand, of []T) T { return of[r.IntN(len(of))] }

func (l *life) canary(chinese bool) canary {
	l.figures.canaries.Add(1)
	return newCanary(l.r, chinese)
}

// ask says something and returns the session that it went to, or "" if it was refused.
func (l *life) ask(flags []string, message string) string {
	args := append([]string{"ask", "--json"}, flags...)
	if l.r.IntN(4) == 0 {
		args = append([]string{"--debug"}, args...)
	}
	a := l.try("", append(args, message)...)
	var got struct{ Session string }
	if a.code != 0 || json.Unmarshal([]byte(a.out), &got) != nil {
		return ""
	}
	return got.Session
}

func (l *life) say() {
	s := pick(l.r, sayings)
	c := l.canary(s.chinese)
	var flags []string
	if l.r.IntN(4) == 0 {
		flags = []string{"--new"}
	}
	message := fmt.Sprintf(s.say, c.word)
	switch l.r.IntN(10) {
	case 0: // a value of several pages
		message += "\n" + strings.Repeat("It went on like that, as it does.\n", 300) + "And again " + c.word + "."
	case 1:
		flags = append(flags, "--temp")
	}
	session := l.ask(flags, message)
	w := written{c, "said: " + s.say, session, s}
	switch {
	case slices.Contains(flags, "--temp"): // U5: nothing is kept of it
		w.how = "temporary, " + w.how
		l.erased = append(l.erased, w)
	case session == "":
		l.t.Errorf("%.80q was refused", message)
	default:
		l.live = append(l.live, w)
	}
}

func (l *life) question() {
	l.ask(nil, pick(l.r, []string{
		"What do you know about me?", "你都记得我什么", "Which tea do I like?", "我喜欢喝什么？", "Where do I live, and when did I say so?", "Thank you!", "undo what you just learned",
	}))
	l.kept = slices.DeleteFunc(l.kept, func(w written) bool { // the last change may have been a deletion
		if len(l.items(w.canary)) == 0 {
			return false
		}
		l.live = append(l.live, w)
		return true
	})
}

func (l *life) add() {
	chinese := l.r.IntN(2) == 0
	c := l.canary(chinese)
	body, args := "Owns a boat", []string{"memory", "add", "--type", pick(l.r, []string{"fact", "preference", "goal", "rule", "relationship", "episode"})}
	how := pick(l.r, []string{"content", "title", "tags", "key", "value"})
	switch how {
	case "content":
		body = "Owns a " + c.word + " and a boat"
	case "value":
		args = append(args, "--value", `{"boat": {"named": "`+c.word+`"}}`)
	default:
		args = append(args, "--"+how, c.word)
	}
	l.run(append(args, body+" no. "+strconv.Itoa(l.r.IntN(1_000_000)))...)
	l.live = append(l.live, written{canary: c, how: "added as " + how})
}

// edit puts a canary in the place of another one. The old one is in a version now.
func (l *life) edit() {
	ids := l.itemIDs()
	if len(ids) == 0 {
		return
	}
	c := l.canary(l.r.IntN(2) == 0)
	field := pick(l.r, []string{"content", "title", "tags"})
	value := c.word
	if field == "content" {
		value = "Corrected: owns a " + c.word
	}
	if l.try("", "memory", "edit", pick(l.r, ids), "--"+field, value).code == 0 {
		l.live = append(l.live, written{canary: c, how: "edited, " + field})
	}
}

func (l *life) itemIDs() (ids []string) {
	for _, it := range l.list("items", "memory", "list") {
		ids = append(ids, text(l.t, it, "id"))
	}
	return ids
}

func (l *life) sessionIDs() (ids []string) {
	for _, s := range l.list("sessions", "session", "list") {
		ids = append(ids, text(l.t, s, "id"))
	}
	return ids
}

func (l *life) profile() {
	c := l.canary(l.r.IntN(2) == 0)
	page := l.run("profile", "show")
	a := l.try(page+"\n- Collects "+c.word+" of every kind.\n", "profile", "set", "--file", "-")
	if a.code == 0 {
		l.live = append(l.live, written{canary: c, how: "profile"})
	}
}

func (l *life) rename() {
	ids := l.sessionIDs()
	if len(ids) == 0 {
		return
	}
	c, id := l.canary(l.r.IntN(2) == 0), pick(l.r, ids)
	l.run("session", "rename", id, "About "+c.word)
	l.live = append(l.live, written{canary: c, how: "renamed", session: id})
}

// journal writes the journal, and sometimes the user edits a file of it.
func (l *life) journal() {
	l.run("journal", "run")
	names, err := filepath.Glob(filepath.Join(l.data(), "journal", "*", "memory", "*.md"))
	if err != nil {
		l.t.Fatal(err)
	}
	if len(names) == 0 || l.r.IntN(3) > 0 {
		return
	}
	slices.Sort(names)
	f, err := os.OpenFile(names[l.r.IntN(len(names))], os.O_WRONLY|os.O_APPEND, 0)
	if err != nil {
		l.t.Fatal(err)
	}
	if _, err := f.WriteString("\nA remark of my own.\n"); err != nil {
		l.t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		l.t.Fatal(err)
	}
}

// imported brings a conversation from elsewhere.
func (l *life) imported() {
	s := pick(l.r, sayings)
	c := l.canary(s.chinese)
	file := l.out(fmt.Sprintf("import-%d.jsonl", len(l.commands)))
	var lines bytes.Buffer
	for i, message := range []string{fmt.Sprintf(s.say, c.word), "I see.", "And so on."} {
		line, err := json.Marshal(map[string]string{
			"session": file, "time": l.now().Add(-100 * time.Hour).UTC().Format(time.RFC3339), "role": []string{"user", "assistant"}[i%2], "text": message,
		})
		if err != nil {
			l.t.Fatal(err)
		}
		lines.Write(append(line, '\n'))
	}
	l.write(file, lines.Bytes())
	l.run("import", "jsonl", file, "--yes")
	l.live = append(l.live, written{canary: c, how: "imported: " + s.say, saying: s})
}

func (l *life) write(file string, b []byte) {
	if err := os.WriteFile(file, b, 0o600); err != nil {
		l.t.Fatal(err)
	}
}

func (l *life) export() {
	if ids := l.sessionIDs(); len(ids) > 0 {
		l.run("session", "export", pick(l.r, ids), "--all-branches", "-o", l.out(fmt.Sprintf("early-%d.md", len(l.commands))))
	}
}

// take takes a canary that meets the condition out of those that live.
func (l *life) take(of func(written) bool) (w written, ok bool) {
	for _, i := range l.r.Perm(len(l.live)) {
		if of(l.live[i]) {
			w = l.live[i]
			l.live = slices.Delete(l.live, i, i+1)
			return w, true
		}
	}
	return w, false
}

func isSaid(w written) bool { return w.saying.say != "" }

// deleteSource deletes what has a canary with the scope source: its messages, and the
// memories, those first or last.
func (l *life) deleteSource() {
	w, ok := l.take(isSaid)
	if !ok {
		return
	}
	held := func() []string {
		return slices.Compact(slices.Sorted(slices.Values(append(l.items(w.canary), l.past(w.canary)...))))
	}
	ids := held()
	forgotten := len(ids) == 0
	if l.r.IntN(2) == 0 && !forgotten {
		l.deleteItems(ids)
	}
	l.deleteRecords(l.records(w.canary, "user"))
	if ids := held(); len(ids) > 0 { // one that rests on another message too, or had the canary before an edit
		l.deleteItems(ids)
	}
	// The program's own answers lose the words with that, but for one that names a memory which
	// was forgotten before.
	if forgotten {
		l.deleteRecords(l.records(w.canary))
	}
	l.erased = append(l.erased, w)
}

func (l *life) deleteRecords(of map[string]string) {
	if ids := slices.Sorted(maps.Keys(of)); len(ids) > 0 {
		l.run(append([]string{"archive", "delete", "--with-memories", "--yes"}, ids...)...)
	}
}

// past returns the ids of the memories that had the canary at some time and are still there.
func (l *life) past(c canary) (ids []string) {
	for _, change := range l.list("changes", "memory", "history", "--limit", "0") {
		b, err := json.Marshal(change)
		if err != nil {
			l.t.Fatal(err)
		}
		it, _ := change["item"].(object)
		if id, ok := it["id"].(string); ok && c.in(string(b)) && l.try("", "memory", "show", id).code == 0 {
			ids = append(ids, id)
		}
	}
	return ids
}

func (l *life) deleteItems(ids []string) {
	l.run(append([]string{"memory", "delete", "--yes"}, ids...)...)
}

// deleteMemory deletes memories that have a canary with the scope memory.
func (l *life) deleteMemory() {
	w, ok := l.take(func(w written) bool { return len(l.items(w.canary)) > 0 })
	if !ok {
		return
	}
	if isSaid(w) && l.r.IntN(2) == 0 {
		l.ask(nil, fmt.Sprintf(w.saying.forget, w.word))
		w.how += ", forgotten by ask"
	}
	if ids := l.items(w.canary); len(ids) > 0 {
		l.deleteItems(ids)
	}
	l.kept = append(l.kept, w)
}

// deleteSession deletes a session with its memories. What was said only there is gone, and
// its title.
func (l *life) deleteSession() {
	w, ok := l.take(func(w written) bool { return w.session != "" })
	if !ok {
		return
	}
	id := w.session
	l.try("", "session", "delete", id, "--with-memories", "--yes") // or it went with its last message
	l.live = slices.DeleteFunc(append(l.live, w), func(w written) bool {
		if w.session != id {
			return false
		}
		if len(l.records(w.canary)) > 0 || len(l.items(w.canary)) > 0 { // quoted elsewhere
			return false
		}
		w.how += ", session deleted"
		l.erased = append(l.erased, w)
		return true
	})
}

// clearProfile deletes what the user wrote into the profile.
func (l *life) clearProfile() {
	l.run("profile", "clear", "--yes")
	for {
		w, ok := l.take(func(w written) bool { return w.how == "profile" })
		if !ok {
			return
		}
		l.erased = append(l.erased, w)
	}
}

func (l *life) step() {
	type weighted struct {
		n  int
		do func()
	}
	steps := []weighted{
		{24, l.say}, {6, l.question}, {6, l.add}, {6, l.edit}, {3, l.profile}, {3, l.rename}, {6, l.journal}, {3, l.imported}, {2, l.export},
		{3, func() { l.run("backup", "now") }}, {2, func() { l.run("index", "compact") }},
		{8, func() { l.ahead += time.Duration(l.r.Int64N(int64(3 * time.Hour))) }},
		{3, func() { l.ahead += time.Duration(l.r.Int64N(int64(40 * 24 * time.Hour))) }},
		{9, l.deleteSource}, {9, l.deleteMemory}, {3, l.deleteSession}, {1, l.clearProfile},
	}
	total := 0
	for _, s := range steps {
		total += s.n
	}
	n := l.r.IntN(total)
	for _, s := range steps {
		if n -= s.n; n < 0 {
			s.do()
			return
		}
	}
}

// check looks for the canaries in every byte, in new exports, and by forget --verify.
func (l *life) check() {
	for _, id := range l.sessionIDs() {
		l.run("session", "export", id, "--all-branches", "-o", l.out("late/"+id+".md"))
	}
	if a := l.try("", "export", "-o", l.out("late/all.zip")); a.code != 0 {
		l.t.Errorf("export: exit code %d: %s", a.code, a.err)
	}
	inside, exports := contents(l.t, l.data(), l.state(), l.config()), contents(l.t, l.out("late"))
	for _, w := range l.erased {
		report(l.t, w, "scope source", append(places(inside, w.canary), places(exports, w.canary)...))
		if found := l.records(w.canary); len(found) > 0 {
			l.t.Errorf("%q (%s), scope source: the archive has it", w.word, w.how)
		}
	}
	for _, w := range l.kept {
		records := l.records(w.canary)
		report(l.t, w, "scope memory", slices.DeleteFunc(places(inside, w.canary), func(p place) bool { return l.isMessage(p, w.canary, records) }))
		l.views(w)
	}
	l.verified()
}

// report fails the test once for all places of a canary.
func report(t *testing.T, w written, scope string, places []place) {
	t.Helper()
	if len(places) == 0 {
		return
	}
	var lines strings.Builder
	for i, p := range places {
		if i == 8 {
			fmt.Fprintf(&lines, "\n  and %d more", len(places)-i)
			break
		}
		fmt.Fprintf(&lines, "\n  %s", p)
	}
	t.Errorf("%q (%s), %s: found in %d places%s", w.word, w.how, scope, len(places), &lines)
}

// isMessage reports whether a place of a canary belongs to a message that has it: it is in
// the index of the archive, in a message's file, or in a store in a message's own words.
func (l *life) isMessage(p place, c canary, records map[string]string) bool {
	name := filepath.ToSlash(p.name)
	if strings.Contains(name, "/index/") && strings.Contains(name, "/archive/") {
		return !strings.HasPrefix(name, "name of ")
	}
	if !strings.HasSuffix(name, ".db") {
		return false
	}
	for id, content := range records {
		if strings.Contains(name, "/"+id+".") { // a long one has a file of its own
			return true
		}
		said := lowerASCII([]byte(content))
		for _, form := range c.forms {
			for i := range starts(said, form) {
				from, to := max(0, i-10), min(len(said), i+len(form)+4)
				at := p.before - (i - from)
				if at >= 0 && at+to-from <= len(p.near) && bytes.Equal(p.near[at:at+to-from], said[from:to]) {
					return true
				}
			}
		}
	}
	return false
}

// views expects that no view of the memory has the canary.
func (l *life) views(w written) {
	for _, view := range [][]string{
		{"memory", "list", "--all", "--json"}, {"memory", "history", "--limit", "0", "--json"}, {"profile", "show", "--json"},
		{"profile", "history", "--json"}, {"inbox", "list", "--json"}, {"session", "list", "--json"}, {"working", "--json"}, {"journal", "list", "--json"},
	} {
		if a := l.try("", view...); w.in(a.out) {
			l.t.Errorf("%q (%s), scope memory: %s shows it", w.word, w.how, short(view))
		}
	}
}

// verified expects that forget --verify finds no erased canary, names the messages of those
// deleted as memories, and sees those that were not deleted.
func (l *life) verified() {
	var erased []canary
	for _, w := range l.erased {
		erased = append(erased, w.canary)
	}
	if len(erased) > 0 {
		if v, ok := l.verify(erased...); !ok {
			return
		} else if !v.Verified {
			for _, w := range l.erased {
				if v, _ := l.verify(w.canary); !v.Verified {
					l.t.Errorf("%q (%s), scope source: forget --verify finds it: %+v", w.word, w.how, v.Found)
				}
			}
		}
	}
	for _, w := range l.kept {
		records := l.records(w.canary)
		v, ok := l.verify(w.canary)
		if !ok {
			return
		}
		named := map[string]bool{}
		for _, f := range v.Found {
			file := filepath.ToSlash(f.File)
			inIndex := f.ID == "" && strings.Contains(file, "index/") && strings.Contains(file, "/archive/")
			if _, message := records[f.ID]; !message && !inIndex {
				l.t.Errorf("%q (%s), scope memory: forget --verify finds it beside the messages: %+v", w.word, w.how, f)
			}
			named[f.ID] = true
		}
		for id := range records {
			if !named[id] {
				l.t.Errorf("%q (%s), scope memory: forget --verify does not name message %s: %+v", w.word, w.how, id, v.Found)
			}
		}
	}
	for _, i := range l.r.Perm(len(l.live))[:min(3, len(l.live))] {
		w := l.live[i]
		if len(l.records(w.canary)) == 0 && len(l.items(w.canary)) == 0 {
			continue // such as a memory that was forgotten by itself, or a replaced title
		}
		if v, ok := l.verify(w.canary); ok && v.Verified {
			l.t.Errorf("%q (%s) was not deleted, and forget --verify does not find it", w.word, w.how)
		}
	}
}

// D2: words that a user writes through any door and deletes are gone from every byte below
// the folders of the program; with the scope memory only the messages keep them, and
// forget --verify names these. The number of histories is MEMORIA_HISTORIES, of which one
// takes some seconds (see go test -timeout); MEMORIA_SEED and -run TestCanaries/all/N repeat
// history N. Without a seed the histories are always the same.
func TestCanaries(t *testing.T) {
	t.Parallel()
	n, seed := 6, uint64(1795635388382403670)
	oneByOne(t)
	if set, err := strconv.Atoi(os.Getenv("MEMORIA_HISTORIES")); err == nil {
		n = set
	}
	if set, err := strconv.ParseUint(os.Getenv("MEMORIA_SEED"), 10, 64); err == nil {
		seed = set
	}
	t.Logf("MEMORIA_SEED=%d", seed)
	figures := &lives{}
	t.Run("all", func(t *testing.T) {
		for i := range n {
			t.Run(strconv.Itoa(i), func(t *testing.T) {
				t.Parallel()
				l := &life{user: newUser(t), r: rand.New(rand.NewPCG(seed, uint64(i))), figures: figures}
				t.Cleanup(func() {
					if t.Failed() {
						figures.failed.Add(1)
						t.Logf("MEMORIA_SEED=%d, history %d:\n%s", seed, i, strings.Join(l.commands, "\n"))
					}
				})
				l.say()
				for range 15 + l.r.IntN(25) {
					l.step()
				}
				l.deleteSource()
				l.deleteMemory()
				l.erase(pick(l.r, doors))
				l.check()
				figures.commands.Add(int64(len(l.commands)))
				figures.erased.Add(int64(len(l.erased)))
				figures.kept.Add(int64(len(l.kept)))
				figures.live.Add(int64(len(l.live)))
			})
		}
	})
	t.Logf("%d histories, %d failed: %d commands, %d canaries: %d deleted with their source, %d as memories, %d not deleted",
		n, figures.failed.Load(), figures.commands.Load(), figures.canaries.Load(), figures.erased.Load(), figures.kept.Load(), figures.live.Load())
}

// D2: forget --verify sees what is there: in the store, the index, the journal, a backup and
// the log, also where the program keeps nothing.
func TestVerifyIsNotBlind(t *testing.T) {
	t.Parallel()
	oneByOne(t)
	r := rand.New(rand.NewPCG(3, 4))
	for name, chinese := range map[string]bool{"Latin": false, "Chinese": true} {
		t.Run(name, func(t *testing.T) {
			u, c := newUser(t), newCanary(r, chinese)
			for n := range 5 { // names the journal's file
				u.run("ask", "The kiln was cold again, number "+strconv.Itoa(n))
			}
			u.run("ask", "Remember that my locker is in room "+c.word)
			u.long(c, 10<<10)  // may be compressed
			u.long(c, 300<<10) // a file of its own (A1)
			u.run("journal", "run")
			u.run("backup", "now")
			v, ok := u.verify(c)
			if !ok {
				return
			}
			for _, part := range []string{"memoria.db", "backups/", "journal/", "index/"} {
				if !slices.ContainsFunc(v.Found, func(f found) bool { return strings.Contains(filepath.ToSlash(f.File), part) }) {
					t.Errorf("nothing is found in %s: %+v", part, v.Found)
				}
			}
			for id := range u.records(c) {
				if !slices.ContainsFunc(v.Found, func(f found) bool { return f.ID == id }) {
					t.Errorf("message %s is not named: %+v", id, v.Found)
				}
			}
			for _, id := range u.items(c) {
				if !slices.ContainsFunc(v.Found, func(f found) bool { return f.ID == id }) {
					t.Errorf("memory %s is not named: %+v", id, v.Found)
				}
			}
			if v, ok := u.verify(newCanary(r, chinese)); ok && !v.Verified {
				t.Errorf("another word is found: %+v", v.Found)
			}
		})
	}
}

// long imports a message of about n bytes that has the canary in its middle.
func (u *user) long(c canary, n int) {
	u.t.Helper()
	half := strings.Repeat("It went on like that, as it does. ", n/68)
	line, err := json.Marshal(map[string]string{"session": strconv.Itoa(n), "role": "user", "text": "A long story. " + half + "Then came " + c.word + ". " + half})
	if err != nil {
		u.t.Fatal(err)
	}
	file := u.out("long-" + strconv.Itoa(n) + ".jsonl")
	if err := os.WriteFile(file, append(line, '\n'), 0o600); err != nil {
		u.t.Fatal(err)
	}
	u.run("import", "jsonl", file, "--yes")
}

// gone expects that the canary is in no byte below the folders of the program.
func (u *user) gone(c canary, how string) {
	u.t.Helper()
	report(u.t, written{canary: c, how: how}, "scope source", places(contents(u.t, u.data(), u.state(), u.config()), c))
	if v, ok := u.verify(c); ok && !v.Verified {
		u.t.Errorf("%q (%s): forget --verify finds it: %+v", c.word, how, v.Found)
	}
}

// D2, A1: a long message is gone too, also one that is kept in a file of its own.
func TestLongMessagesAreErased(t *testing.T) {
	t.Parallel()
	oneByOne(t)
	r := rand.New(rand.NewPCG(9, 10))
	for _, n := range []int{10 << 10, 300 << 10} {
		t.Run(strconv.Itoa(n), func(t *testing.T) {
			u, c := newUser(t), newCanary(r, n > 20<<10)
			u.run("memory", "add", "Likes green tea")
			u.long(c, n)
			u.run("journal", "run")
			u.run("backup", "now")
			ids := u.records(c)
			if len(ids) != 1 {
				t.Fatalf("%d messages have it", len(ids))
			}
			if len(places(contents(t, u.data()), c)) == 0 {
				t.Fatal("the test does not see it")
			}
			for id := range ids {
				u.run("archive", "delete", "--with-memories", "--yes", id)
			}
			u.erase([]string{"memory", "list"})
			u.gone(c, "a long message")
		})
	}
}

// D2: a deleted agent is gone with its name, its persona and everything it has; another
// agent keeps what it has.
func TestDeletedAgentIsErased(t *testing.T) {
	t.Parallel()
	oneByOne(t)
	r := rand.New(rand.NewPCG(11, 12))
	u, persona, said, added, written, kept := newUser(t), newCanary(r, false), newCanary(r, false), newCanary(r, true), newCanary(r, true), newCanary(r, false)
	name := "vuzidokaqx"
	u.run("agent", "add", name, "--id", name, "--persona", "You are fond of "+persona.word)
	u.run("ask", "I like "+kept.word+" tea.")
	of := func(args ...string) []string { return append([]string{"--agent", name}, args...) }
	u.run(of("ask", "I like "+said.word+" tea.")...)
	u.run(of("memory", "add", "Owns a "+added.word)...)
	if a := u.try("## Background\n- Collects "+written.word+"\n", of("profile", "set", "--file", "-")...); a.code != 0 {
		t.Fatal(a.err)
	}
	u.run(of("journal", "run")...)
	u.run("backup", "now")
	u.run("agent", "delete", name, "--yes")
	u.erase([]string{"memory", "list"})
	for how, c := range map[string]canary{
		"name": {name, []string{name}}, "persona": persona, "said": said, "added": added, "profile": written,
	} {
		u.gone(c, how+" of a deleted agent")
	}
	if len(u.records(kept)) == 0 || len(u.items(kept)) == 0 {
		t.Error("what another agent has is lost")
	}
}

// D2: what someone puts into the folders by hand is found too.
func TestVerifyFindsForeignBytes(t *testing.T) {
	t.Parallel()
	oneByOne(t)
	r := rand.New(rand.NewPCG(5, 6))
	place := func(u *user, file string, add []byte) {
		f, err := os.OpenFile(file, os.O_WRONLY|os.O_APPEND|os.O_CREATE, 0o600)
		if err != nil {
			u.t.Fatal(err)
		}
		if _, err := f.Write(add); err != nil {
			u.t.Fatal(err)
		}
		if err := f.Close(); err != nil {
			u.t.Fatal(err)
		}
	}
	newest := func(u *user, pattern string) string {
		names, err := filepath.Glob(filepath.Join(u.data(), pattern))
		if err != nil || len(names) == 0 {
			u.t.Fatalf("nothing is like %s: %v", pattern, err)
		}
		return slices.Max(names)
	}
	for name, put := range map[string]func(u *user, c canary) (file string){
		"log": func(u *user, c canary) string {
			place(u, filepath.Join(u.state(), "memoria.log"), []byte("level=INFO msg="+c.word+"\n"))
			return "memoria.log"
		},
		"loose file": func(u *user, c canary) string {
			place(u, filepath.Join(u.data(), "notes.txt"), []byte("see "+c.word))
			return "notes.txt"
		},
		"loose file deep below": func(u *user, c canary) string {
			dir := filepath.Join(u.data(), "index", "memoria", "recall", "old")
			if err := os.MkdirAll(dir, 0o700); err != nil {
				u.t.Fatal(err)
			}
			place(u, filepath.Join(dir, "x.bin"), []byte("\x00\x01"+c.word+"\x00"))
			return "x.bin"
		},
		"across the end of a block": func(u *user, c canary) string {
			for _, size := range []int{4 << 10, 32 << 10, 64 << 10, 1 << 20} {
				place(u, filepath.Join(u.data(), "blocks.bin"), append(bytes.Repeat([]byte("."), size-len(c.word)/2), c.word...))
			}
			return "blocks.bin"
		},
		"configuration": func(u *user, c canary) string {
			if err := os.MkdirAll(u.config(), 0o700); err != nil {
				u.t.Fatal(err)
			}
			place(u, filepath.Join(u.config(), "config.toml"), []byte("# "+c.word+"\n"))
			return "config.toml"
		},
		"end of a backup": func(u *user, c canary) string {
			u.run("backup", "now")
			file := newest(u, "backups/*.db")
			place(u, file, []byte(c.word))
			return filepath.Base(file)
		},
		"old backup": func(u *user, c canary) string {
			id := strings.TrimSpace(u.run("memory", "add", "Owns a "+c.word))
			u.run("backup", "now")
			old, err := os.ReadFile(newest(u, "backups/*.db"))
			if err != nil {
				u.t.Fatal(err)
			}
			u.run("memory", "delete", "--yes", id)
			u.erase([]string{"memory", "list"})
			if v, ok := u.verify(c); ok && !v.Verified {
				u.t.Errorf("it is found before: %+v", v.Found)
			}
			place(u, filepath.Join(u.data(), "old-copy.db"), old)
			return "old-copy.db"
		},
		"draft": func(u *user, c canary) string {
			ctx := context.Background()
			m, err := manager.Open(ctx, manager.Options{Dir: u.data(), Config: write.DefaultConfig(), Now: u.now})
			if err != nil {
				u.t.Fatal(err)
			}
			if err := m.SaveDraft(ctx, "memoria", memory.Draft{Text: "I wonder whether " + c.word}); err != nil {
				u.t.Error(err)
			}
			if err := m.Close(); err != nil {
				u.t.Fatal(err)
			}
			return "memoria.db"
		},
	} {
		t.Run(name, func(t *testing.T) {
			u, c := newUser(t), newCanary(r, name == "draft")
			u.run("memory", "add", "Likes green tea")
			file := put(u, c)
			v, ok := u.verify(c)
			if ok && !slices.ContainsFunc(v.Found, func(f found) bool { return strings.HasSuffix(filepath.ToSlash(f.File), file) }) {
				t.Errorf("it is not found in %s: %+v", file, v.Found)
			}
			// Verifying writes the words nowhere.
			if other := newCanary(r, true); ok {
				u.verify(other)
				if v, _ := u.verify(other); !v.Verified {
					t.Errorf("verifying left the word behind: %+v", v.Found)
				}
			}
		})
	}
}
