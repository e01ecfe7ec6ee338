package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
)

// caseMCP is a running "memoria mcp" and a client that speaks JSON-RPC by hand.
type caseMCP struct {
	t     *testing.T
	proc  *caseProcess
	next  int
	asked map[string]object // answers that came before they were waited for
}

// openMCP starts "memoria mcp" without any message.
func (h *caseHome) openMCP(args ...string) *caseMCP {
	h.t.Helper()
	return &caseMCP{t: h.t, proc: h.start(append([]string{"mcp"}, args...)...), asked: map[string]object{}}
}

// connectMCP starts "memoria mcp" and initializes it as the named client.
func (h *caseHome) connectMCP(client string, args ...string) *caseMCP {
	h.t.Helper()
	c := h.openMCP(args...)
	c.initialize(client)
	return c
}

func (c *caseMCP) initialize(client string) object {
	c.t.Helper()
	got := c.result("initialize", object{
		"protocolVersion": "2025-06-18", "capabilities": object{}, "clientInfo": object{"name": client, "version": "1"},
	})
	c.write(object{"jsonrpc": "2.0", "method": "notifications/initialized"})
	return got
}

func (c *caseMCP) write(v object) {
	c.t.Helper()
	b, err := json.Marshal(v)
	if err != nil {
		c.t.Fatal(err)
	}
	c.proc.say(string(b))
}

// ask sends a request and returns its answer. Every line of standard output must be one
// message of the protocol.
func (c *caseMCP) ask(method string, params any) object {
	c.t.Helper()
	id := c.send(method, params)
	for {
		if m, ok := c.asked[id]; ok {
			delete(c.asked, id)
			return m
		}
		m := c.message()
		if m["method"] == nil {
			c.asked[fmt.Sprint(m["id"])] = m
		}
	}
}

// send sends a request and returns its id.
func (c *caseMCP) send(method string, params any) string {
	c.t.Helper()
	c.next++
	req := object{"jsonrpc": "2.0", "id": c.next, "method": method}
	if params != nil {
		req["params"] = params
	}
	c.write(req)
	return fmt.Sprint(c.next)
}

// message returns the next message of the server.
func (c *caseMCP) message() object {
	c.t.Helper()
	line := c.proc.line()
	m := object{}
	if err := json.Unmarshal([]byte(line), &m); err != nil || m["jsonrpc"] != "2.0" {
		c.t.Fatalf("standard output has something beside the protocol: %.300q", line)
	}
	return m
}

// result returns the result of a request that must succeed.
func (c *caseMCP) result(method string, params any) object {
	c.t.Helper()
	m := c.ask(method, params)
	r, ok := m["result"].(object)
	if !ok {
		c.t.Fatalf("%s %v: %v", method, params, m)
	}
	return r
}

// call calls a tool and returns the text of its answer. ok is false if the call failed, as
// a result or as an error of the protocol.
func (c *caseMCP) call(tool string, arguments any) (said string, ok bool) {
	c.t.Helper()
	m := c.ask("tools/call", object{"name": tool, "arguments": arguments})
	r, ok := m["result"].(object)
	if !ok {
		return fmt.Sprint(m["error"]), false
	}
	list, _ := r["content"].([]any)
	for _, v := range list {
		said += fmt.Sprint(caseAt(v, "text")) + "\n"
	}
	if s, there := r["structuredContent"]; there {
		b, _ := json.Marshal(s)
		said += string(b)
	}
	return said, r["isError"] != true
}

// finds expects that a call succeeds and that its answer has the words, and not those that
// begin with "!".
func (c *caseMCP) finds(tool string, arguments any, words ...string) string {
	c.t.Helper()
	said, ok := c.call(tool, arguments)
	if !ok {
		c.t.Errorf("%s %v failed: %s", tool, arguments, said)
	}
	for _, w := range words {
		if not, absent := strings.CutPrefix(w, "!"); absent && strings.Contains(said, not) {
			c.t.Errorf("%s %v serves %q:\n%s", tool, arguments, not, said)
		} else if !absent && !strings.Contains(said, w) {
			c.t.Errorf("%s %v lacks %q:\n%s", tool, arguments, w, said)
		}
	}
	return said
}

// fails expects that a call fails with words about it.
func (c *caseMCP) fails(tool string, arguments any) {
	c.t.Helper()
	if said, ok := c.call(tool, arguments); ok {
		c.t.Errorf("%s %.200s succeeded: %.500s", tool, fmt.Sprint(arguments), said)
	} else if strings.TrimSpace(said) == "" || strings.Contains(said, "goroutine ") {
		c.t.Errorf("%s %.200s failed with %.500q", tool, fmt.Sprint(arguments), said)
	}
}

// I2: the server introduces itself, with the tools and resources of the contract and none
// that deletes.
func TestMCPTools(t *testing.T) {
	t.Parallel()
	oneByOne(t)
	h := newCaseHome(t)
	c := h.openMCP()
	hello := c.initialize("hand")
	if caseAt(hello, "serverInfo", "name") != "memoria" || caseAt(hello, "capabilities", "tools") == nil || caseAt(hello, "capabilities", "resources") == nil {
		t.Errorf("initialize: %v", hello)
	}
	var names []string
	for _, tool := range objects(t, c.result("tools/list", object{})["tools"]) {
		names = append(names, text(t, tool, "name"))
		if tool["description"] == "" || caseAt(tool, "inputSchema", "type") != "object" {
			t.Errorf("the tool %v has no description or schema: %v", tool["name"], tool)
		}
		for property, v := range map[string][]string{
			"search_memories": {"keyword", "time_range", "limit"}, "get_memory": {"id"}, "add_memory": {"content", "type", "tags"}, "list_recent_sessions": {"limit"},
		} {
			for _, p := range v {
				if property == tool["name"] && caseAt(tool, "inputSchema", "properties", p) == nil {
					t.Errorf("%s has no parameter %s", property, p)
				}
			}
		}
	}
	slices.Sort(names)
	if want := []string{"add_memory", "get_memory", "list_recent_sessions", "search_memories"}; !slices.Equal(names, want) {
		t.Errorf("the tools are %v, want %v", names, want)
	}
	var uris []string
	for _, r := range objects(t, c.result("resources/list", object{})["resources"]) {
		uris = append(uris, text(t, r, "uri"))
	}
	slices.Sort(uris)
	if want := []string{"memoria://memory.md", "memoria://profile"}; !slices.Equal(uris, want) {
		t.Errorf("the resources are %v, want %v", uris, want)
	}
	c.result("ping", nil)
	if err := c.proc.stdin.Close(); err != nil {
		t.Fatal(err)
	}
	if code := c.proc.wait(); code != 0 {
		t.Errorf("at the end of its input: exit code %d\n%s", code, c.proc.stderr())
	}
}

// I2: memories are searched by a word and a time, and read by their id.
func TestMCPSearch(t *testing.T) {
	t.Parallel()
	oneByOne(t)
	h := newCaseHome(t)
	tea := h.add("Likes green tea")
	h.add("Plays chess on Sundays")
	h.add("喜欢晚上喝乌龙茶")
	c := h.connectMCP("hand")
	at := func(d time.Duration) string { return time.Now().Add(d).UTC().Format(time.RFC3339) }
	c.finds("search_memories", object{"keyword": "green tea"}, "Likes green tea", tea)
	c.finds("search_memories", object{"keyword": "乌龙茶"}, "喜欢晚上喝乌龙茶")
	c.finds("search_memories", object{"keyword": "green tea", "time_range": object{"from": at(-time.Hour), "to": at(time.Hour)}}, "Likes green tea")
	c.finds("search_memories", object{"keyword": "green tea", "time_range": object{"from": at(-time.Hour)}}, "Likes green tea")
	c.finds("search_memories", object{"keyword": "green tea", "time_range": object{"to": at(-time.Hour)}}, "!Likes green tea")
	c.finds("search_memories", object{"keyword": "green tea", "time_range": object{"from": at(time.Hour)}}, "!Likes green tea")
	c.finds("search_memories", object{"keyword": "hovercraft"}, "!Likes", "!Plays")
	c.finds("get_memory", object{"id": tea}, "Likes green tea")
	c.fails("get_memory", object{"id": caseUnknown})
	// L4: reading through a door is no use of an item.
	for _, it := range h.list("items", "memory", "list") {
		if it["access_count"] != 0.0 {
			t.Errorf("reading counted as use: %v", it)
		}
	}
	// What comes while it runs is found.
	h.add("Owns a hovercraft")
	c.finds("search_memories", object{"keyword": "hovercraft"}, "Owns a hovercraft")
}

// I2: recent sessions are listed, at most as many as asked for.
func TestMCPSessions(t *testing.T) {
	t.Parallel()
	oneByOne(t)
	h := newCaseHome(t)
	first := text(t, h.read("ask", "--new", "We plan the rowing trip to Passau."), "session")
	second := text(t, h.read("ask", "--new", "I am learning pottery."), "session")
	c := h.connectMCP("hand")
	c.finds("list_recent_sessions", object{}, first, second)
	c.finds("list_recent_sessions", object{"limit": 1}, second, "!"+first)
}

// P10, I2: held and muted items are served nowhere.
func TestMCPHeldAndMutedAreNotServed(t *testing.T) {
	t.Parallel()
	oneByOne(t)
	h := newCaseHome(t)
	h.add("Likes green tea")
	muted := h.add("Fears the zanzibar lighthouse")
	h.run("ask", "My email is quokka@example.org")
	held := text(t, h.list("items", "inbox", "list")[0], "id")
	h.mute(muted)
	c := h.connectMCP("hand")
	c.fails("get_memory", object{"id": held})
	c.fails("get_memory", object{"id": muted})
	for _, keyword := range []string{"zanzibar", "email", "quokka@example.org", "fears", "tea zanzibar email"} {
		c.finds("search_memories", object{"keyword": keyword, "limit": 50}, "!lighthouse", "!Email is", "!"+held, "!"+muted)
	}
	for _, uri := range []string{"memoria://profile", "memoria://memory.md"} {
		b, err := json.Marshal(c.result("resources/read", object{"uri": uri}))
		if err != nil || bytes.Contains(b, []byte("lighthouse")) || bytes.Contains(b, []byte("quokka")) {
			t.Errorf("%s serves %s %v", uri, b, err)
		}
	}
}

// P10: what a program adds waits in the inbox, at most 50 of one program.
func TestMCPAddIsAProposal(t *testing.T) {
	t.Parallel()
	oneByOne(t)
	h := newCaseHome(t)
	c := h.connectMCP("hand")
	c.finds("add_memory", object{"content": "Plays the ocarina", "type": "preference", "tags": []string{"wind"}})
	c.finds("search_memories", object{"keyword": "ocarina"}, "!Plays the ocarina")
	if out := h.run("recall", "ocarina"); strings.Contains(out, "ocarina") {
		t.Errorf("a proposal is recalled:\n%s", out)
	}
	waiting := h.list("items", "inbox", "list")
	if len(waiting) != 1 || waiting[0]["content"] != "Plays the ocarina" || waiting[0]["type"] != "preference" {
		t.Fatalf("the inbox has %v", waiting)
	}
	it := waiting[0]
	if b, err := json.Marshal(it); err != nil || !bytes.Contains(b, []byte("mcp:hand")) || it["trust"] == "user" || it["trust"] == "model" {
		t.Errorf("the proposal waits as %s %v", b, err)
	}
	id := text(t, it, "id")
	c.fails("get_memory", object{"id": id})
	h.run("inbox", "accept", id, "--yes")
	c.finds("get_memory", object{"id": id}, "Plays the ocarina")
	c.finds("search_memories", object{"keyword": "ocarina"}, "Plays the ocarina")

	for n := range 50 {
		c.finds("add_memory", object{"content": "Owns a " + caseWord(n) + " lamp"})
	}
	c.fails("add_memory", object{"content": "Owns one lamp too many"})
	// Another client has its own fifty; the same client in another process has not.
	h.connectMCP("other").finds("add_memory", object{"content": "Owns a boat"})
	h.connectMCP("hand").fails("add_memory", object{"content": "Owns another lamp too many"})
	if waiting := h.list("items", "inbox", "list", "--limit", "200"); len(waiting) != 51 {
		t.Errorf("%d wait, want 51", len(waiting))
	}
}

// I2: MCP cannot delete, edit or accept.
func TestMCPCannotDelete(t *testing.T) {
	t.Parallel()
	oneByOne(t)
	h := newCaseHome(t)
	id := h.add("Likes green tea")
	c := h.connectMCP("hand")
	for _, tool := range []string{"delete_memory", "forget", "clear_memories", "edit_memory", "update_memory", "accept", "memory/delete", "", "__proto__", strings.Repeat("a", 10_000)} {
		c.fails(tool, object{"id": id})
	}
	for _, method := range []string{"memory/delete", "resources/delete", "tools/delete", "nonsense"} {
		if m := c.ask(method, object{"id": id}); m["error"] == nil {
			t.Errorf("%s: %v", method, m)
		}
	}
	c.finds("get_memory", object{"id": id}, "Likes green tea")
}

// I2: wrong arguments are errors, and the server goes on.
func TestMCPWrongArguments(t *testing.T) {
	t.Parallel()
	oneByOne(t)
	h := newCaseHome(t)
	h.add("Likes green tea")
	c := h.connectMCP("hand")
	for _, args := range []any{
		object{}, object{"keyword": 5}, object{"keyword": nil}, object{"keyword": []string{"tea"}}, object{"keyword": "tea", "limit": "many"},
		object{"keyword": "tea", "limit": -1}, object{"keyword": "tea", "limit": 1.5}, object{"keyword": "tea", "time_range": "yesterday"},
		object{"keyword": "tea", "time_range": object{"from": "yesterdayish"}}, object{"keyword": "tea", "time_range": object{"from": 5}},
		object{"keyword": "tea", "time_range": object{"from": "2026-01-02T00:00:00Z", "to": "2026-01-01T00:00:00Z"}}, "tea", []any{"tea"}, 5, true,
	} {
		c.fails("search_memories", args)
	}
	for _, args := range []any{object{}, object{"id": 5}, object{"id": ""}, object{"id": "../../api.token"}, object{"id": "\x00"}} {
		c.fails("get_memory", args)
	}
	for _, args := range []any{
		object{}, object{"content": ""}, object{"content": " \n "}, object{"content": 5}, object{"content": "Likes coffee", "type": "nonsense"},
		object{"content": "Likes coffee", "tags": "one"}, object{"content": "The door password is hunter2-Tulip."},
		object{"content": strings.Repeat("coffee ", 100_000)},
	} {
		c.fails("add_memory", args)
	}
	for _, params := range []any{object{}, object{"uri": 5}, object{"uri": "memoria://nothing"}, object{"uri": "file:///etc/passwd"},
		object{"uri": "memoria://../api.token"}, object{"uri": "memoria://memory.md/../../../api.token"}, object{"uri": ""}} {
		if m := c.ask("resources/read", params); m["error"] == nil {
			t.Errorf("resources/read %v: %v", params, m)
		}
	}
	// A large limit is bounded or refused; an unknown argument is ignored or refused.
	c.call("search_memories", object{"keyword": "tea", "limit": 1_000_000_000})
	c.call("search_memories", object{"keyword": "tea", "agent": "luna"})
	c.call("search_memories", object{"keyword": strings.Repeat("tea ", 20_000)})
	c.call("search_memories", object{"keyword": "\u202e\x00\x1b[2J"})
	c.finds("search_memories", object{"keyword": "tea"}, "Likes green tea")
	if waiting := h.list("items", "inbox", "list"); len(waiting) != 0 {
		t.Errorf("a wrong call left %v", waiting)
	}
	if where := h.hasBytes("hunter2-Tulip"); where != "" {
		t.Errorf("the secret is in %s", where)
	}
}

// I2: the resources are the profile and the user's own notes.
func TestMCPResources(t *testing.T) {
	t.Parallel()
	oneByOne(t)
	h := newCaseHome(t)
	h.run("ask", "Remember: always answer me in short sentences.")
	notes := strings.TrimSpace(h.run("journal", "path"))
	if err := os.WriteFile(filepath.Join(notes, "memory.md"), []byte("The boat is moored at canary-quay.\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	profile := h.run("profile")
	c := h.connectMCP("hand")
	read := func(uri string) string {
		t.Helper()
		list := objects(t, c.result("resources/read", object{"uri": uri})["contents"])
		if len(list) != 1 || list[0]["uri"] != uri {
			t.Fatalf("%s: %v", uri, list)
		}
		return text(t, list[0], "text")
	}
	if got := read("memoria://memory.md"); !strings.Contains(got, "canary-quay") {
		t.Errorf("memory.md is %q", got)
	}
	got := read("memoria://profile")
	for line := range strings.Lines(profile) {
		if line = strings.TrimSpace(line); strings.HasPrefix(line, "- ") && !strings.Contains(got, strings.TrimPrefix(line, "- ")) {
			t.Errorf("the profile lacks %q:\n%s", line, got)
		}
	}
}

// I8: the agent is fixed at the start, and no argument names another.
func TestMCPAgent(t *testing.T) {
	t.Parallel()
	oneByOne(t)
	h := newCaseHome(t)
	h.run("agent", "add", "luna")
	mine := h.add("Likes green tea")
	h.run("--agent", "luna", "memory", "add", "Owns a green lute")
	if a := h.try("mcp", "--agent", "lnua"); a.code != 2 || !strings.Contains(a.err, "luna") || a.out != "" {
		t.Errorf("an unknown agent: exit code %d\n%s%s", a.code, a.out, a.err)
	}
	c := h.connectMCP("hand", "--agent", "luna")
	c.finds("search_memories", object{"keyword": "green"}, "Owns a green lute", "!green tea")
	c.fails("get_memory", object{"id": mine})
	for _, name := range []string{"agent", "agent_id"} {
		if said, _ := c.call("search_memories", object{"keyword": "green", name: "memoria"}); strings.Contains(said, "green tea") {
			t.Errorf("the argument %s leads to another agent's memory", name)
		}
	}
	c.finds("add_memory", object{"content": "Owns a harp"})
	if got := h.list("items", "inbox", "list"); len(got) != 0 {
		t.Errorf("memoria's inbox has %v", got)
	}
}

// I2: lines that are no message are answered or end the connection, and nothing else comes
// to standard output.
func TestMCPGarbage(t *testing.T) {
	t.Parallel()
	oneByOne(t)
	h := newCaseHome(t)
	h.add("Likes green tea")
	for _, garbage := range []string{
		"not json", "", "   ", "{}", "[]", "null", "5", `"text"`, `{"jsonrpc":"1.0","id":1,"method":"ping"}`, `{"jsonrpc":"2.0","id":{},"method":"ping"}`,
		`{"jsonrpc":"2.0","id":1,"method":5}`, `{"jsonrpc":"2.0","id":1}`, `{"jsonrpc":"2.0","id":99,"result":{}}`, `{"jsonrpc":"2.0","method":"nonsense"}`,
		"\xff\xfe\x00", `{"jsonrpc":"2.0","id":1,"method":"ping"`, strings.Repeat("[", 100_000), "Content-Length: 5\r\n\r\nhello",
		`[{"jsonrpc":"2.0","id":7,"method":"ping"}]`,
	} {
		c := h.connectMCP("hand")
		c.proc.say(garbage)
		if _, err := c.proc.stdin.Write([]byte(`{"jsonrpc":"2.0","id":"after","method":"ping"}` + "\n")); err == nil {
			_ = c.proc.stdin.Close()
		}
		late := time.After(caseWait)
	answers:
		for {
			select {
			case line, open := <-c.proc.lines:
				if !open {
					break answers
				}
				if !json.Valid([]byte(line)) {
					t.Errorf("after %.60q standard output has %.200q", garbage, line)
				}
			case <-late:
				t.Fatalf("after %.60q the server does not end with its input", garbage)
			}
		}
		if s := c.proc.stderr(); strings.Contains(s, "goroutine ") || strings.Contains(s, "panic") {
			t.Errorf("after %.60q it crashed:\n%.2000s", garbage, s)
		}
	}
	h.connectMCP("hand").finds("search_memories", object{"keyword": "tea"}, "Likes green tea")
}

// I2: what comes before the initialization, and twice, is an error at most.
func TestMCPOrder(t *testing.T) {
	t.Parallel()
	h := newCaseHome(t)
	h.add("Likes green tea")
	c := h.openMCP()
	if m := c.ask("tools/call", object{"name": "search_memories", "arguments": object{"keyword": "tea"}}); strings.Contains(fmt.Sprint(m), "Likes green tea") {
		t.Errorf("before the initialization it serves %v", m)
	}
	c.initialize("hand")
	c.ask("initialize", object{"protocolVersion": "2025-06-18", "capabilities": object{}, "clientInfo": object{"name": "again", "version": "1"}})
	c.write(object{"jsonrpc": "2.0", "method": "notifications/cancelled", "params": object{"requestId": 12345}})
	// Many requests at once, each answered once.
	var ids []string
	for range 100 {
		ids = append(ids, c.send("tools/call", object{"name": "search_memories", "arguments": object{"keyword": "tea"}}))
	}
	left := map[string]bool{}
	for _, id := range ids {
		left[id] = true
	}
	for len(left) > 0 {
		m := c.message()
		if m["method"] != nil {
			continue
		}
		if id := fmt.Sprint(m["id"]); !left[id] {
			t.Fatalf("an answer to %s, which was not asked or was answered", id)
		} else {
			delete(left, id)
		}
	}
}

// I2: a message without an end is cut off, and memory stays bounded.
func TestMCPEndlessFrame(t *testing.T) {
	t.Parallel()
	oneByOne(t)
	h := newCaseHome(t)
	h.add("Likes green tea")
	c := h.connectMCP("hand")
	before, measured := c.proc.resident()
	piece := []byte(strings.Repeat("a", 1<<20))
	if _, err := c.proc.stdin.Write([]byte(`{"jsonrpc":"2.0","id":2,"method":"ping","params":{"a":"`)); err != nil {
		t.Fatal(err)
	}
	stuck := time.AfterFunc(2*time.Minute, func() { _ = c.proc.cmd.Process.Kill() })
	defer stuck.Stop()
	written, most := 0, before
	for written < 1<<30 {
		n, err := c.proc.stdin.Write(piece)
		written += n
		if err != nil {
			break
		}
		if now, ok := c.proc.resident(); ok {
			most = max(most, now)
		}
	}
	t.Logf("%d MB written, resident memory %d MB, then at most %d MB", written>>20, before>>20, most>>20)
	if measured && most > before+256<<20 {
		t.Errorf("resident memory grew from %d to %d MB", before>>20, most>>20)
	}
	if written == 1<<30 { // it skipped the frame, and goes on
		c.proc.say(`"}}`)
		c.finds("search_memories", object{"keyword": "tea"}, "Likes green tea")
	} else if code := c.proc.wait(); code < 0 || strings.Contains(c.proc.stderr(), "goroutine ") {
		t.Errorf("it ended with exit code %d:\n%.1000s", code, c.proc.stderr())
	}
	h.connectMCP("hand").finds("search_memories", object{"keyword": "tea"}, "Likes green tea")
}

// I2: several clients and a REST server have one memory at the same time; a signal ends one.
func TestMCPBesideOthers(t *testing.T) {
	t.Parallel()
	h := newCaseHome(t)
	id := h.add("Likes green tea")
	a, b := h.connectMCP("a"), h.connectMCP("b")
	d := h.openDoor()
	for _, c := range []*caseMCP{a, b} {
		c.finds("search_memories", object{"keyword": "tea"}, "Likes green tea")
	}
	if code := a.proc.signal(syscall.SIGTERM); code != 0 && code != 130 && code != 143 {
		t.Errorf("terminated: exit code %d\n%s", code, a.proc.stderr())
	}
	b.finds("search_memories", object{"keyword": "tea"}, "Likes green tea")
	d.reachable() // the next process has to listen first
	d.deleted(d.do("DELETE", "/memory/long-term/"+id))
	b.finds("search_memories", object{"keyword": "tea"}, "!Likes green tea")
	b.proc.kill()
	d.reachable()
	d.get("/memory/long-term")
}

// I2: a client written in another language drives the server.
func TestMCPFromPython(t *testing.T) {
	t.Parallel()
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("there is no python3")
	}
	if err := exec.CommandContext(t.Context(), python, "-c", "import json, subprocess, threading").Run(); err != nil {
		t.Skipf("python3 does not run: %v", err)
	}
	program, err := exec.LookPath("memoria")
	if err != nil {
		t.Fatal(err)
	}
	h := newCaseHome(t)
	tea := h.add("Likes green tea")
	h.add("喜欢晚上喝乌龙茶 🍵")
	env, err := json.Marshal(h.env)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 2*caseWait)
	defer cancel()
	cmd := exec.CommandContext(ctx, python, filepath.Join("testdata", "mcp", "client.py"), program, string(env), tea)
	cmd.WaitDelay = time.Second
	if out, err := cmd.CombinedOutput(); err != nil || !strings.HasSuffix(string(out), "ok\n") {
		t.Errorf("%v\n%s", err, out)
	}
	if waiting := h.list("items", "inbox", "list"); len(waiting) != 1 || waiting[0]["content"] != "Plays the ocarina" {
		t.Errorf("the inbox has %v", waiting)
	}
}
