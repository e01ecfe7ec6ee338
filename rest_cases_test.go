package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"net/url"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"
)

// caseDoor is a running "memoria serve".
type caseDoor struct {
	t           *testing.T
	home        *caseHome
	proc        *caseProcess
	host, token string
	client      *http.Client
}

// reachable waits until the server accepts connections: when the process that has the memory
// ends, its port is closed until the next process listens.
func (d *caseDoor) reachable() {
	d.t.Helper()
	eventually(d.t, "the server listens", func() bool {
		c, err := (&net.Dialer{}).DialContext(d.t.Context(), "tcp", d.host)
		if err == nil {
			_ = c.Close()
		}
		return err == nil
	})
}

// openDoor starts "memoria serve" on a free port.
func (h *caseHome) openDoor(args ...string) *caseDoor {
	h.t.Helper()
	p := h.start(append([]string{"serve", "--listen", "127.0.0.1:0"}, args...)...)
	first := p.line()
	m := regexp.MustCompile(`^http://(127\.0\.0\.1:[1-9]\d*)/?$`).FindStringSubmatch(first)
	if m == nil {
		h.t.Fatalf("the first line of serve is %q, want its address", first)
	}
	token, err := os.ReadFile(h.data("api.token"))
	if err != nil {
		h.t.Fatal(err)
	}
	d := &caseDoor{t: h.t, home: h, proc: p, host: m[1], token: strings.TrimSpace(string(token))}
	d.client = &http.Client{
		Timeout:       caseWait,
		Transport:     &http.Transport{MaxIdleConnsPerHost: 8},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	h.t.Cleanup(d.client.CloseIdleConnections)
	return d
}

// caseReply is an answer of the server.
type caseReply struct {
	what   string // the request
	status int
	header http.Header
	body   string
}

// caseOption changes a request.
type caseOption func(*http.Request)

func withHost(host string) caseOption { return func(r *http.Request) { r.Host = host } }

// withHeader sets a header to the values; none removes it.
func withHeader(name string, values ...string) caseOption {
	return func(r *http.Request) {
		r.Header.Del(name)
		for _, v := range values {
			r.Header.Add(name, v)
		}
	}
}

func withBody(body string) caseOption {
	return func(r *http.Request) {
		r.Body, r.ContentLength = io.NopCloser(strings.NewReader(body)), int64(len(body))
		r.Header.Set("Content-Type", "application/json")
	}
}

// do sends a request with the right token and checks what holds for every answer.
func (d *caseDoor) do(method, path string, options ...caseOption) caseReply {
	d.t.Helper()
	r, err := d.send(context.Background(), method, path, options...)
	if err != nil {
		d.t.Fatal(err)
	}
	for _, fault := range r.faults(d.token) {
		d.t.Errorf("%s: %s", r.what, fault)
	}
	return r
}

func (d *caseDoor) send(ctx context.Context, method, path string, options ...caseOption) (caseReply, error) {
	req, err := http.NewRequestWithContext(ctx, method, "http://"+d.host+path, http.NoBody)
	if err != nil {
		return caseReply{}, err
	}
	req.Header.Set("Authorization", "Bearer "+d.token)
	for _, o := range options {
		o(req)
	}
	resp, err := d.client.Do(req)
	if err != nil {
		return caseReply{}, err
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	return caseReply{what: method + " " + path, status: resp.StatusCode, header: resp.Header, body: string(body)}, err
}

// faults lists what no answer may have.
func (r caseReply) faults(token string) (all []string) {
	if r.status >= 500 && r.status != http.StatusServiceUnavailable {
		all = append(all, fmt.Sprintf("status %d: %.300s", r.status, r.body))
	}
	if token != "" && strings.Contains(r.body, token) {
		all = append(all, "the answer holds the token")
	}
	for name := range r.header {
		if strings.HasPrefix(name, "Access-Control-") {
			all = append(all, "a header of CORS: "+name)
		}
	}
	if r.body == "" {
		return all
	}
	if r.status == http.StatusRequestHeaderFieldsTooLarge {
		return all // net/http answers it itself
	}
	kind := r.header.Get("Content-Type")
	if r.status < 400 {
		if !strings.HasPrefix(kind, "application/") || !json.Valid([]byte(r.body)) {
			all = append(all, fmt.Sprintf("the answer is no JSON: %s %.200q", kind, r.body))
		}
		return all
	}
	var problem struct {
		Type, Title, Detail *string
		Status              int
	}
	err := json.Unmarshal([]byte(r.body), &problem)
	if !strings.HasPrefix(kind, "application/problem+json") || err != nil || problem.Title == nil || problem.Type == nil ||
		problem.Detail == nil || problem.Status != r.status {
		all = append(all, fmt.Sprintf("the error %d is no problem+json: %s %.300q", r.status, kind, r.body))
	}
	return all
}

// want expects one of the statuses.
func (r caseReply) want(t *testing.T, statuses ...int) caseReply {
	t.Helper()
	if !slices.Contains(statuses, r.status) {
		t.Errorf("%s: status %d, want %v\n%.500s", r.what, r.status, statuses, r.body)
	}
	return r
}

// object decodes an answer that is a JSON object.
func (r caseReply) object(t *testing.T) object {
	t.Helper()
	o := object{}
	if err := json.Unmarshal([]byte(r.body), &o); err != nil {
		t.Fatalf("%s: %v\n%.500s", r.what, err, r.body)
	}
	return o
}

// get returns the object of a GET that must succeed.
func (d *caseDoor) get(path string, options ...caseOption) object {
	d.t.Helper()
	return d.do(http.MethodGet, path, options...).want(d.t, http.StatusOK).object(d.t)
}

// page returns the items of a list and its total.
func (d *caseDoor) page(path string) (items []object, total int) {
	d.t.Helper()
	o := d.get(path)
	for _, name := range []string{"total", "limit", "offset"} {
		if _, ok := o[name].(float64); !ok {
			d.t.Fatalf("GET %s: %s is %v, want a number", path, name, o[name])
		}
	}
	return objects(d.t, o["items"]), int(o["total"].(float64))
}

// contents returns the contents of a list of items.
func (d *caseDoor) contents(path string) []string {
	d.t.Helper()
	items, _ := d.page(path)
	return contentsOf(d.t, items)
}

// propose sends a proposal that must be held and returns its id.
func (d *caseDoor) propose(content string, options ...caseOption) string {
	d.t.Helper()
	body, err := json.Marshal(object{"content": content, "type": "fact"})
	if err != nil {
		d.t.Fatal(err)
	}
	r := d.do(http.MethodPost, "/items", append([]caseOption{withBody(string(body))}, options...)...)
	o := r.want(d.t, http.StatusAccepted).object(d.t)
	if o["state"] != "held" {
		d.t.Errorf("the state of a proposal is %v, want held", o["state"])
	}
	return text(d.t, o, "id")
}

// casePaths are the paths of the contract with their methods. SESSION, TURN, RECORD and ITEM
// stand for ids.
var casePaths = []struct{ path, methods string }{
	{"/memory/long-term", "GET DELETE"},
	{"/memory/long-term/ITEM", "GET DELETE"},
	{"/memory/working/SESSION", "GET"},
	{"/items", "GET POST"},
	{"/items/ITEM", "GET PATCH"},
	{"/search?q=tea", "GET"},
	{"/sessions", "GET"},
	{"/sessions/SESSION", "GET"},
	{"/sessions/SESSION/records", "GET"},
	{"/sessions/SESSION/packages", "GET"},
	{"/records/RECORD", "GET"},
	{"/packages/TURN", "GET"},
	{"/profile", "GET"},
	{"/journal", "GET"},
	{"/journal/memory.md", "GET"},
	{"/agents", "GET"},
	{"/health", "GET"},
	{"/openapi.json", "GET"},
}

const caseUnknown = "01BX5ZZKBKACTAV9WEVGEMMVRZ" // the id of nothing

var caseMethods = []string{"GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"}

// I1, D4: on every path and method a foreign Host or Origin is refused with 403, a missing
// or wrong token with 401, a method the path does not have with 405.
func TestRestMatrix(t *testing.T) {
	t.Parallel()
	h := newCaseHome(t)
	kept := h.add("Likes green tea")
	d := h.openDoor()
	_, port, err := net.SplitHostPort(d.host)
	if err != nil {
		t.Fatal(err)
	}
	type header struct {
		name string
		good bool
		set  caseOption
	}
	hosts := []header{{"its address", true, withHost(d.host)}, {"localhost", true, withHost("localhost:" + port)}, {"[::1]", true, withHost("[::1]:" + port)}}
	for _, host := range []string{
		"evil.example", "evil.example:" + port, "127.0.0.1:1", "127.0.0.1", "localhost", "127.0.0.1.evil.example:" + port,
		"localhost.evil.example:" + port, "0.0.0.0:" + port, "127.0.0.2:" + port,
	} {
		hosts = append(hosts, header{host, false, withHost(host)})
	}
	origins := []header{{"none", true, withHeader("Origin")}, {"its own", true, withHeader("Origin", "http://"+d.host)}}
	for _, origin := range []string{
		"http://evil.example", "null", "https://" + d.host, "http://127.0.0.1:1", "http://127.0.0.1", "http://" + d.host + ".evil.example",
		"file://", "http://user@" + d.host,
	} {
		origins = append(origins, header{origin, false, withHeader("Origin", origin)})
	}
	origins = append(origins, header{"its own and another", false, withHeader("Origin", "http://"+d.host, "http://evil.example")})
	tokens := []header{{"right", true, withHeader("Authorization", "Bearer "+d.token)}, {"none", false, withHeader("Authorization")}}
	for _, v := range []string{"Bearer ", "Bearer", "Bearer wrong", "Bearer " + d.token + "x", "Bearer " + d.token[:len(d.token)-1], d.token, "Basic " + d.token} {
		tokens = append(tokens, header{v, false, withHeader("Authorization", v)})
	}

	try := func(path, method string, allowed bool, host, origin, token header) {
		t.Helper()
		r := d.do(method, path, host.set, origin.set, token.set)
		var ok bool
		switch foreign := !host.good || !origin.good; {
		case foreign && token.good:
			ok = r.status == http.StatusForbidden
		case foreign: // the contract does not say which comes first
			ok = r.status == http.StatusForbidden || r.status == http.StatusUnauthorized
		case !token.good:
			ok = r.status == http.StatusUnauthorized
		case !allowed:
			ok = r.status == http.StatusMethodNotAllowed && r.header.Get("Allow") != ""
		default: // a bad or missing parameter, an unknown id
			ok = r.status == http.StatusOK || r.status == http.StatusBadRequest || r.status == http.StatusNotFound ||
				r.status == http.StatusUnprocessableEntity
		}
		if !ok {
			t.Errorf("%s %s, Host %s, Origin %s, token %s: status %d, Allow %q", method, path, host.name, origin.name, token.name, r.status, r.header.Get("Allow"))
		}
	}
	for _, p := range casePaths {
		path := regexp.MustCompile("ITEM|SESSION|TURN|RECORD").ReplaceAllString(p.path, caseUnknown)
		for _, method := range caseMethods {
			allowed := slices.Contains(strings.Fields(p.methods), method)
			for _, host := range hosts {
				try(path, method, allowed, host, origins[0], tokens[0])
			}
			for _, origin := range origins[1:] {
				try(path, method, allowed, hosts[0], origin, tokens[0])
			}
			for _, token := range tokens[1:] {
				try(path, method, allowed, hosts[0], origins[0], token)
			}
			if testing.Short() || p.path != "/items" && p.path != "/memory/long-term" {
				continue
			}
			for _, host := range hosts {
				for _, origin := range origins {
					for _, token := range tokens {
						try(path, method, allowed, host, origin, token)
					}
				}
			}
		}
	}
	if r := d.do("HEAD", "/memory/long-term", withHeader("Authorization")); r.status != http.StatusUnauthorized {
		t.Errorf("HEAD without a token: status %d", r.status)
	}
	d.do("GET", "/memory/long-term?token="+d.token+"&access_token="+d.token, withHeader("Authorization")).want(t, http.StatusUnauthorized)
	d.do("GET", "/nothing/here").want(t, http.StatusNotFound)
	d.do("GET", "/").want(t, http.StatusNotFound)

	// What was refused did nothing.
	foreign := withHeader("Origin", "http://evil.example")
	d.do("DELETE", "/memory/long-term?agent=memoria", foreign).want(t, http.StatusForbidden)
	d.do("DELETE", "/memory/long-term/"+kept, withHost("evil.example")).want(t, http.StatusForbidden)
	d.do("DELETE", "/memory/long-term/"+kept, withHeader("Authorization")).want(t, http.StatusUnauthorized)
	d.do("POST", "/items", withBody(`{"content":"Likes coffee"}`), foreign).want(t, http.StatusForbidden)
	d.do("PATCH", "/items/"+kept, withBody(`{"content":"Likes coffee"}`), foreign).want(t, http.StatusForbidden)
	if got := d.contents("/memory/long-term"); !slices.Equal(got, []string{"Likes green tea"}) {
		t.Errorf("after refused requests the memory is %q", got)
	}
	if waiting := h.list("items", "inbox", "list"); len(waiting) != 0 {
		t.Errorf("a refused request left a proposal: %v", waiting)
	}
}

// I1: a request without a Host, or with two, is refused.
func TestRestHostOnTheWire(t *testing.T) {
	t.Parallel()
	oneByOne(t)
	d := newCaseHome(t).openDoor()
	auth := "Authorization: Bearer " + d.token + "\r\n"
	for name, head := range map[string]string{
		"HTTP/1.0 without a Host": "GET /items HTTP/1.0\r\n" + auth + "\r\n",
		"no Host":                 "GET /items HTTP/1.1\r\n" + auth + "\r\n",
		"two Hosts":               "GET /items HTTP/1.1\r\nHost: " + d.host + "\r\nHost: evil.example\r\n" + auth + "\r\n",
		"empty Host":              "GET /items HTTP/1.1\r\nHost:\r\n" + auth + "\r\n",
		"absolute form":           "GET http://evil.example/items HTTP/1.1\r\nHost: " + d.host + "\r\n" + auth + "\r\n",
		"no HTTP":                 "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n",
	} {
		answer := d.raw(t, head)
		if !regexp.MustCompile(`^(HTTP/1\.[01] 4\d\d |$)`).MatchString(answer) {
			t.Errorf("%s: %.200q", name, answer)
		}
	}
	d.get("/health")
}

// raw writes bytes to the server and returns what it answers until it closes the
// connection, or its first bytes.
func (d *caseDoor) raw(t *testing.T, request string) string {
	t.Helper()
	c := d.dial(t)
	_, _ = io.WriteString(c, request) // the server may have closed it
	buf := make([]byte, 1<<16)
	n, err := c.Read(buf)
	if errors.Is(err, os.ErrDeadlineExceeded) {
		t.Errorf("no answer to %.200q", request)
	}
	return string(buf[:n])
}

func (d *caseDoor) dial(t *testing.T) net.Conn {
	t.Helper()
	c, err := (&net.Dialer{Timeout: caseWait}).DialContext(t.Context(), "tcp", d.host)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Close() })
	if err := c.SetDeadline(time.Now().Add(caseWait)); err != nil {
		t.Fatal(err)
	}
	return c
}

// L1: what every item has.
var caseItemFields = strings.Fields(`id agent_id type category content confidence importance source origin is_active created_at
	access_count trust state`)

// L1: what an item may have beside.
var caseMoreFields = strings.Fields(`session_id key title value tags valid_from valid_to updated_at last_accessed last_confirmed_at
	evidence supersedes superseded_by generation metadata version versions history ends score parts`)

func checkItem(t *testing.T, it object) {
	t.Helper()
	for _, name := range caseItemFields {
		if _, ok := it[name]; !ok {
			t.Errorf("the item %v has no %s", it["id"], name)
		}
	}
	for name := range it {
		if !slices.Contains(caseItemFields, name) && !slices.Contains(caseMoreFields, name) {
			t.Errorf("the item %v has the field %s, which L1 does not have", it["id"], name)
		}
	}
	if it["category"] != it["type"] {
		t.Errorf("category is %v, type is %v", it["category"], it["type"])
	}
}

// I1, L1: the list has the field names of L1, category, totals and pages.
func TestRestLongTermList(t *testing.T) {
	t.Parallel()
	oneByOne(t)
	h := newCaseHome(t)
	want := []string{}
	for _, what := range []string{"tea", "chess", "rowing", "pottery", "jazz"} {
		h.add("Likes "+what, "--type", "preference", "--tags", "a,b")
		want = append(want, "Likes "+what)
	}
	d := h.openDoor()
	all, total := d.page("/memory/long-term")
	if total != 5 || len(all) != 5 {
		t.Fatalf("%d items, total %d, want 5", len(all), total)
	}
	for _, it := range all {
		checkItem(t, it)
		id := text(t, it, "id")
		one := d.get("/memory/long-term/" + id)
		checkItem(t, one)
		if one["content"] != it["content"] || one["category"] != "preference" {
			t.Errorf("by its id the item is %v, in the list %v", one, it)
		}
		d.get("/items/" + id)
	}
	if o := d.get("/memory/long-term"); o["limit"] != 50.0 || o["offset"] != 0.0 {
		t.Errorf("limit %v, offset %v, want the defaults 50 and 0", o["limit"], o["offset"])
	}
	var paged []string
	for offset := 0; offset < total; offset += 2 {
		o := d.get(fmt.Sprintf("/memory/long-term?limit=2&offset=%d", offset))
		if o["limit"] != 2.0 || o["offset"] != float64(offset) || o["total"] != 5.0 {
			t.Errorf("page at %d: limit %v, offset %v, total %v", offset, o["limit"], o["offset"], o["total"])
		}
		paged = append(paged, contentsOf(t, objects(t, o["items"]))...)
	}
	if got := contentsOf(t, all); !slices.Equal(paged, got) {
		t.Errorf("page by page %q, at once %q", paged, got)
	}
	slices.Sort(want)
	if slices.Sort(paged); !slices.Equal(paged, want) {
		t.Errorf("the pages hold %q, want %q", paged, want)
	}
	if past := d.get("/memory/long-term?offset=1000"); len(objects(t, past["items"])) != 0 || past["total"] != 5.0 {
		t.Errorf("past the end: %v", past)
	}
	// L4: reading through a door is no use of an item.
	d.get("/search?q=tea")
	for _, it := range h.list("items", "memory", "list") {
		if it["access_count"] != 0.0 {
			t.Errorf("reading counted as use: %v", it)
		}
	}
	d.do("GET", "/memory/long-term/"+caseUnknown).want(t, http.StatusNotFound)
	d.do("DELETE", "/memory/long-term/"+caseUnknown).want(t, http.StatusNotFound)
	d.do("GET", "/memory/long-term/x").want(t, http.StatusNotFound, http.StatusBadRequest, http.StatusUnprocessableEntity)
}

// I1: an empty memory is an empty list, not null.
func TestRestEmpty(t *testing.T) {
	t.Parallel()
	oneByOne(t)
	d := newCaseHome(t).openDoor()
	for _, path := range []string{"/memory/long-term", "/items", "/search?q=tea", "/sessions"} {
		if items, total := d.page(path); len(items) != 0 || total != 0 {
			t.Errorf("%s: %v, total %d", path, items, total)
		}
	}
	d.do("GET", "/memory/working/"+caseUnknown).want(t, http.StatusNotFound)
	d.get("/profile")
	d.get("/health")
}

// deleted checks the confirmation of a deletion and returns the ids.
func (d *caseDoor) deleted(r caseReply) (ids []string) {
	d.t.Helper()
	o := r.want(d.t, http.StatusOK).object(d.t)
	list, _ := o["ids"].([]any)
	for _, v := range list {
		ids = append(ids, fmt.Sprint(v))
	}
	if o["deleted"] != float64(len(ids)) {
		d.t.Errorf("deleted is %v, ids are %v", o["deleted"], ids)
	}
	until, err := time.Parse(time.RFC3339, fmt.Sprint(o["undo_until"]))
	if err != nil || !until.After(time.Now()) || until.After(time.Now().Add(11*time.Minute)) {
		d.t.Errorf("undo_until is %v, want a time in the next minutes", o["undo_until"])
	}
	return ids
}

// I1, D2: an item that is deleted is gone at once, and the deletion can be undone.
func TestRestDeleteAndUndo(t *testing.T) {
	t.Parallel()
	oneByOne(t)
	h := newCaseHome(t)
	tea, chess := h.add("Likes green tea"), h.add("Plays chess")
	d := h.openDoor()
	if ids := d.deleted(d.do("DELETE", "/memory/long-term/"+tea)); !slices.Equal(ids, []string{tea}) {
		t.Errorf("deleted %v, want %v", ids, tea)
	}
	d.do("GET", "/memory/long-term/"+tea).want(t, http.StatusNotFound)
	d.do("GET", "/items/"+tea).want(t, http.StatusNotFound)
	d.do("DELETE", "/memory/long-term/"+tea).want(t, http.StatusNotFound)
	for _, path := range []string{"/memory/long-term", "/items", "/search?q=tea"} {
		if got := d.contents(path); slices.Contains(got, "Likes green tea") {
			t.Errorf("%s still has the deleted item", path)
		}
	}
	if out := h.run("memory", "list", "--all"); strings.Contains(out, "tea") {
		t.Errorf("the command still lists it:\n%s", out)
	}
	h.run("memory", "undo", "--last", "--yes")
	if got := d.get("/memory/long-term/" + tea); got["content"] != "Likes green tea" {
		t.Errorf("after the undo it is %v", got)
	}
	d.get("/memory/long-term/" + chess)
}

// I1, L6: clearing names the agent, deletes only its items and keeps working memory.
func TestRestClearAll(t *testing.T) {
	t.Parallel()
	oneByOne(t)
	h := newCaseHome(t)
	h.run("agent", "add", "luna")
	session := text(t, h.read("ask", "We plan the rowing trip."), "session")
	h.add("Likes green tea")
	h.add("Plays chess")
	h.run("--agent", "luna", "memory", "add", "Owns a lute")
	d := h.openDoor()
	before, total := d.page("/memory/long-term")
	for _, query := range []string{"", "?agent=", "?agents=memoria", "?limit=5"} {
		d.do("DELETE", "/memory/long-term"+query).want(t, http.StatusBadRequest, http.StatusUnprocessableEntity)
	}
	r := d.do("DELETE", "/memory/long-term").want(t, http.StatusBadRequest)
	if !strings.Contains(r.body, "agent") {
		t.Errorf("the error does not name the parameter: %s", r.body)
	}
	if r := d.do("DELETE", "/memory/long-term?agent=lnua").want(t, http.StatusNotFound); !strings.Contains(r.body, "luna") {
		t.Errorf("the error does not name the nearest agent: %s", r.body)
	}
	d.do("DELETE", "/memory/long-term?agent=nobody").want(t, http.StatusNotFound)
	if _, now := d.page("/memory/long-term"); now != total {
		t.Fatalf("refused requests changed the number of items from %d to %d", total, now)
	}
	ids := d.deleted(d.do("DELETE", "/memory/long-term?agent=memoria"))
	for _, it := range before {
		if !slices.Contains(ids, text(t, it, "id")) {
			t.Errorf("the confirmation does not name %v", it["id"])
		}
	}
	if items, total := d.page("/memory/long-term"); len(items) != 0 || total != 0 {
		t.Errorf("after the clear: %v", items)
	}
	if got := d.contents("/memory/long-term?agent=luna"); !slices.Equal(got, []string{"Owns a lute"}) {
		t.Errorf("luna has %q", got)
	}
	if got := d.get("/memory/working/" + session); got["session_id"] != session {
		t.Errorf("working memory after the clear is %v", got)
	}
	h.run("memory", "undo", "--last", "--yes")
	if _, now := d.page("/memory/long-term"); now != total {
		t.Errorf("after the undo there are %d items, want %d", now, total)
	}
}

// I1, W1: the working memory of a session.
func TestRestWorkingMemory(t *testing.T) {
	t.Parallel()
	oneByOne(t)
	h := newCaseHome(t)
	session := text(t, h.read("ask", "We plan the rowing trip."), "session")
	h.run("agent", "add", "luna")
	d := h.openDoor()
	w := d.get("/memory/working/" + session)
	for _, name := range []string{"session_id", "turn_count", "created_at", "updated_at"} {
		if w[name] == nil {
			t.Errorf("working memory has no %s: %v", name, w)
		}
	}
	if w["session_id"] != session || w["turn_count"] != 1.0 {
		t.Errorf("working memory is %v", w)
	}
	d.do("GET", "/memory/working/"+session+"?agent=luna").want(t, http.StatusNotFound)
	d.do("GET", "/memory/working/"+caseUnknown).want(t, http.StatusNotFound)
	d.do("GET", "/memory/working/").want(t, http.StatusNotFound)
}

// P10, I1: held and muted items are served nowhere.
func TestRestHeldAndMutedAreNotServed(t *testing.T) {
	t.Parallel()
	oneByOne(t)
	h := newCaseHome(t)
	h.add("Likes green tea")
	muted := h.add("Fears the zanzibar lighthouse")
	h.run("ask", "My email is quokka@example.org")
	held := text(t, h.list("items", "inbox", "list")[0], "id")
	h.mute(muted)
	d := h.openDoor()
	for _, id := range []string{held, muted} {
		d.do("GET", "/memory/long-term/"+id).want(t, http.StatusNotFound)
		d.do("GET", "/items/"+id).want(t, http.StatusNotFound)
		d.do("DELETE", "/memory/long-term/"+id).want(t, http.StatusNotFound)
		d.do("PATCH", "/items/"+id, withBody(`{"content":"Something else"}`)).want(t, http.StatusNotFound)
	}
	if _, total := d.page("/memory/long-term"); total != 1 {
		t.Errorf("the total is %d, want 1: it counts what is not served", total)
	}
	for _, path := range []string{
		"/memory/long-term", "/items", "/items?limit=200", "/items?state=held", "/items?state=muted", "/items?state=active", "/items?state=inactive",
		"/items?type=fact", "/search?q=zanzibar+lighthouse", "/search?q=quokka@example.org&all=true", "/search?q=lighthouse&all=true",
		"/search?q=email&limit=200&all=true", "/profile",
	} {
		r := d.do("GET", path).want(t, http.StatusOK, http.StatusBadRequest, http.StatusUnprocessableEntity)
		for _, word := range []string{held, muted, "lighthouse", "Email is quokka"} {
			if q, _ := url.QueryUnescape(path); strings.Contains(r.body, word) && !strings.Contains(q, word) {
				t.Errorf("%s serves %q:\n%.500s", path, word, r.body)
			}
		}
		for _, id := range []string{held, muted} {
			if strings.Contains(r.body, id) {
				t.Errorf("%s serves the id %s", path, id)
			}
		}
	}
	// Accepted, it is served.
	h.run("inbox", "accept", held, "--yes")
	if got := d.get("/memory/long-term/" + held); got["state"] != "active" {
		t.Errorf("after it was accepted: %v", got)
	}
}

// P10: what another program writes waits in the inbox, whatever it says of itself.
func TestRestProposalWaits(t *testing.T) {
	t.Parallel()
	oneByOne(t)
	h := newCaseHome(t)
	d := h.openDoor()
	r := d.do("POST", "/items", withHeader("X-Client", "tester"), withBody(`{"content":"Plays the ocarina","type":"preference","key":"music",
		"tags":["wind"],"importance":0.7,"confidence":0.9,"value":{"instrument":"ocarina"},
		"trust":"user","state":"active","is_active":true,"source":"user_stated","origin":"user"}`))
	if r.status != http.StatusAccepted { // fields that a proposal does not have may be refused
		r.want(t, http.StatusBadRequest, http.StatusUnprocessableEntity)
		r = d.do("POST", "/items", withHeader("X-Client", "tester"), withBody(`{"content":"Plays the ocarina","type":"preference","key":"music",
			"tags":["wind"],"importance":0.7,"confidence":0.9,"value":{"instrument":"ocarina"}}`)).want(t, http.StatusAccepted)
	}
	id := text(t, r.object(t), "id")
	if got := r.object(t)["state"]; got != "held" {
		t.Errorf("the state of a proposal is %v", got)
	}
	d.do("GET", "/items/"+id).want(t, http.StatusNotFound)
	d.do("GET", "/items/"+id, withHeader("X-Client", "tester")).want(t, http.StatusNotFound)
	if got := d.contents("/search?q=ocarina"); len(got) != 0 {
		t.Errorf("the search serves a proposal: %q", got)
	}
	waiting := h.list("items", "inbox", "list")
	if len(waiting) != 1 || waiting[0]["content"] != "Plays the ocarina" || waiting[0]["id"] != id {
		t.Fatalf("the inbox has %v", waiting)
	}
	it := waiting[0]
	if it["trust"] == "user" || it["trust"] == "model" || it["is_active"] != false || it["type"] != "preference" {
		t.Errorf("the proposal waits as %v", it)
	}
	if all, err := json.Marshal(it); err != nil || !bytes.Contains(all, []byte("tester")) {
		t.Errorf("nothing names the program that proposed it: %s %v", all, err)
	}
	if out := h.run("recall", "ocarina"); strings.Contains(out, "ocarina") {
		t.Errorf("a proposal is recalled:\n%s", out)
	}
	h.run("inbox", "accept", id, "--yes")
	got := d.get("/items/" + id)
	checkItem(t, got)
	if got["state"] != "active" || got["content"] != "Plays the ocarina" {
		t.Errorf("after it was accepted: %v", got)
	}

	rejected := d.propose("Owns a hovercraft")
	h.run("inbox", "reject", rejected, "--yes")
	d.do("GET", "/items/"+rejected).want(t, http.StatusNotFound)
}

// P10: an edit of the user's item leaves the old version active until it is accepted.
func TestRestEditIsAProposal(t *testing.T) {
	t.Parallel()
	oneByOne(t)
	h := newCaseHome(t)
	id := h.add("Likes green tea")
	d := h.openDoor()
	edit := func(content string) string {
		r := d.do("PATCH", "/items/"+id, withBody(`{"content":"`+content+`"}`), withHeader("X-Client", "tester")).want(t, http.StatusAccepted)
		o := r.object(t)
		if o["state"] != "held" {
			t.Errorf("the state of an edit is %v", o["state"])
		}
		return text(t, o, "id")
	}
	old := func(when string) {
		t.Helper()
		if got := d.get("/memory/long-term/" + id); got["content"] != "Likes green tea" || got["state"] != "active" {
			t.Errorf("%s: the item is %v", when, got)
		}
		for _, path := range []string{"/memory/long-term", "/search?q=tea"} {
			if got := d.contents(path); !slices.Equal(got, []string{"Likes green tea"}) {
				t.Errorf("%s: %s has %q", when, path, got)
			}
		}
		if out := h.run("recall", "which tea"); !strings.Contains(out, "green") || strings.Contains(out, "black") {
			t.Errorf("%s: recalled is\n%s", when, out)
		}
	}
	first := edit("Likes black tea")
	old("before it is accepted")
	h.run("inbox", "reject", first, "--yes")
	old("after it was rejected")
	second := edit("Likes white tea") // what was rejected is not proposed again
	old("before the second is accepted")
	h.run("inbox", "accept", second, "--yes")
	for _, path := range []string{"/memory/long-term", "/search?q=tea"} {
		if got := d.contents(path); !slices.Equal(got, []string{"Likes white tea"}) {
			t.Errorf("after it was accepted: %s has %q", path, got)
		}
	}
	for _, body := range []string{`{}`, `{"content":""}`, `{"importance":7}`, `{"type":"nonsense"}`, `[]`, `{`} {
		d.do("PATCH", "/items/"+id, withBody(body)).want(t, http.StatusBadRequest, http.StatusUnprocessableEntity, http.StatusNotFound)
	}
	d.do("PATCH", "/items/"+caseUnknown, withBody(`{"content":"Likes coffee"}`)).want(t, http.StatusNotFound)
}

// P10: at most 50 proposals of one program wait.
func TestRestProposalLimit(t *testing.T) {
	t.Parallel()
	oneByOne(t)
	h := newCaseHome(t)
	d := h.openDoor()
	spam := withHeader("X-Client", "spam")
	var first string
	for n := range 50 {
		id := d.propose("Owns a "+caseWord(n)+" lamp", spam)
		if n == 0 {
			first = id
		}
	}
	more := withBody(`{"content":"Owns one lamp too many"}`)
	d.do("POST", "/items", more, spam).want(t, http.StatusTooManyRequests)
	mine := h.add("Likes green tea")
	d.do("PATCH", "/items/"+mine, withBody(`{"content":"Likes black tea"}`), spam).want(t, http.StatusTooManyRequests)
	d.propose("Owns a boat", withHeader("X-Client", "another"))
	d.propose("Owns a bicycle")
	if waiting := h.list("items", "inbox", "list", "--limit", "200"); len(waiting) != 52 {
		t.Errorf("%d wait, want 52", len(waiting))
	}
	// A decision makes room for one more.
	h.run("inbox", "reject", first, "--yes")
	d.propose("Owns a kayak", spam)
	d.do("POST", "/items", more, spam).want(t, http.StatusTooManyRequests)
}

// caseWord returns a word that no other number has.
func caseWord(n int) string {
	const syllables = "ba be bi bo bu da de di do du fa fe fi fo fu ga ge gi go gu"
	of := strings.Fields(syllables)
	return of[n%len(of)] + of[n/len(of)%len(of)] + of[n/len(of)/len(of)%len(of)] + "l"
}

// P10: a proposal that is malformed, too long or a secret is refused and leaves nothing.
func TestRestBadProposals(t *testing.T) {
	t.Parallel()
	oneByOne(t)
	h := newCaseHome(t)
	d := h.openDoor()
	for name, body := range map[string]string{
		"nothing":             ``,
		"no JSON":             `content=tea`,
		"half":                `{"content":"tea`,
		"a list":              `[{"content":"tea"}]`,
		"null":                `null`,
		"two values":          `{"content":"tea"}{"content":"coffee"}`,
		"no content":          `{"type":"fact"}`,
		"empty content":       `{"content":""}`,
		"blank content":       `{"content":"  \n\t "}`,
		"content is a number": `{"content":5}`,
		"unknown type":        `{"content":"Likes tea","type":"nonsense"}`,
		"importance 2":        `{"content":"Likes tea","importance":2}`,
		"confidence -1":       `{"content":"Likes tea","confidence":-1}`,
		"NaN":                 `{"content":"Likes tea","importance":NaN}`,
		"1e999":               `{"content":"Likes tea","importance":1e999}`,
		"tags is a text":      `{"content":"Likes tea","tags":"tea"}`,
		"a secret":            `{"content":"The door password is hunter2-Tulip."}`,
		"a secret value":      `{"content":"About the door","value":{"password":"sk-live-4242424242424242hunter2-Tulip"}}`,
		"very long":           `{"content":"` + strings.Repeat("tea ", 200_000) + `"}`,
		"very deep":           `{"content":"Likes tea","value":` + strings.Repeat("[", 300_000) + strings.Repeat("]", 300_000) + `}`,
	} {
		r := d.do("POST", "/items", withBody(body))
		if r.status != http.StatusBadRequest && r.status != http.StatusUnprocessableEntity && r.status != http.StatusRequestEntityTooLarge {
			t.Errorf("%s: status %d %.300s", name, r.status, r.body)
		}
		if strings.Contains(r.body, "hunter2-Tulip") {
			t.Errorf("%s: the error repeats the secret", name)
		}
	}
	d.do("POST", "/items", withBody("{\"content\":\"Likes \xff\xfe tea\"}")) // refused or repaired
	d.do("POST", "/items", withBody(`{"content":"Likes \u001b[2J\u202e tea\u0000"}`))
	for _, it := range h.list("items", "inbox", "list") {
		if c := text(t, it, "content"); strings.ContainsAny(c, "\x00\x1b") || !strings.HasPrefix(c, "Likes ") || strings.HasPrefix(c, "Likes tea") {
			t.Errorf("a bad proposal waits: %.100q", c)
		}
	}
	if where := h.hasBytes("hunter2-Tulip"); where != "" {
		t.Errorf("the secret is in %s", where)
	}
}

// I1: parameters out of range are refused, and no parameter harms the server.
func TestRestParameters(t *testing.T) {
	t.Parallel()
	oneByOne(t)
	h := newCaseHome(t)
	h.add("Likes green tea")
	session := text(t, h.read("ask", "We plan the rowing trip."), "session")
	d := h.openDoor()
	lists := []string{"/memory/long-term", "/items", "/search?q=tea", "/sessions", "/sessions/" + session + "/records", "/sessions/" + session + "/packages"}
	for _, list := range lists {
		sep := map[bool]string{true: "&", false: "?"}[strings.Contains(list, "?")]
		for _, bad := range []string{
			"limit=-1", "limit=0", "limit=201", "limit=1000000000", "limit=99999999999999999999", "limit=NaN", "limit=1e1", "limit=abc", "limit=0x10",
			"limit=1.5", "offset=-1", "offset=NaN", "offset=99999999999999999999",
		} {
			if strings.HasPrefix(list, "/search") && strings.HasPrefix(bad, "offset") {
				continue // the contract gives the search no offset
			}
			d.do("GET", list+sep+bad).want(t, http.StatusBadRequest, http.StatusUnprocessableEntity)
		}
		for _, odd := range []string{
			"limit=", "limit=1&limit=2", "limit=%ff", "limit=1%00", "offset=1000000000", "offset=9223372036854775807", "agent=%ff%fe", "agent=%00",
			"agent=..%2f..", "unknown=1", "%zz=1", "limit=2;offset=1", "agent=" + strings.Repeat("a", 20_000),
		} {
			r := d.do("GET", list+sep+odd)
			if r.status != http.StatusOK && (r.status < 400 || r.status >= 500) {
				t.Errorf("%s%s%.60s: status %d", list, sep, odd, r.status)
			}
		}
	}
	for _, bad := range []string{
		"/items?type=nonsense", "/items?state=nonsense", "/search?q=tea&since=yesterdayish", "/search?q=tea&until=NaN", "/search?q=tea&all=perhaps",
	} {
		d.do("GET", bad).want(t, http.StatusBadRequest, http.StatusUnprocessableEntity)
	}
	for _, odd := range []string{
		"/search", "/search?q=", "/search?q=%ff%fe", "/search?q=%00", "/search?q=" + strings.Repeat("a+", 50_000), "/search?q=%22%28%2a+AND+OR+NOT",
		"/search?q=tea&since=2026-01-02T00:00:00Z&until=2026-01-01T00:00:00Z", "/search?q=" + strings.Repeat("%e8%8c%b6", 5_000),
		"/memory/long-term/%00", "/memory/long-term/%ff", "/items/" + strings.Repeat("A", 10_000), "/records/%2e%2e", "/packages/-1",
	} {
		r := d.do("GET", odd)
		if r.status != http.StatusOK && (r.status < 400 || r.status >= 500) {
			t.Errorf("%.60s: status %d", odd, r.status)
		}
	}
	d.get("/health")
}

// I1, R5: the search has scores and their parts, and a time range.
func TestRestSearch(t *testing.T) {
	t.Parallel()
	oneByOne(t)
	h := newCaseHome(t)
	h.add("Likes green tea in the evening")
	h.add("Plays chess on Sundays")
	d := h.openDoor()
	o := d.get("/search?q=green+tea")
	items := objects(t, o["items"])
	if len(items) == 0 || items[0]["content"] != "Likes green tea in the evening" {
		t.Fatalf("the search finds %v", o)
	}
	checkItem(t, items[0])
	score, ok := items[0]["score"].(float64)
	parts, _ := items[0]["parts"].(object)
	if !ok || score <= 0 || len(parts) == 0 {
		t.Errorf("score %v, parts %v", items[0]["score"], items[0]["parts"])
	}
	if got := d.contents("/search?q=green+tea&limit=1"); len(got) != 1 {
		t.Errorf("limit=1 gives %q", got)
	}
	past, future := url.QueryEscape(time.Now().Add(-time.Hour).UTC().Format(time.RFC3339)), url.QueryEscape(time.Now().Add(time.Hour).UTC().Format(time.RFC3339))
	if got := d.contents("/search?q=green+tea&since=" + past + "&until=" + future); len(got) == 0 {
		t.Error("nothing is found in the last hour")
	}
	for _, r := range []string{"since=" + future, "until=" + past} {
		if got := d.contents("/search?q=green+tea&" + r); len(got) != 0 {
			t.Errorf("%s: found %q", r, got)
		}
	}
	d.get("/search?q=green+tea&all=true")
}

// I1: sessions, records, packages, agents, profile, journal and health.
func TestRestOtherPaths(t *testing.T) {
	t.Parallel()
	oneByOne(t)
	h := newCaseHome(t)
	said := h.read("ask", "We plan the rowing trip to Passau.")
	session, turn := text(t, said, "session"), text(t, said, "turn")
	h.run("agent", "add", "luna")
	h.run("journal", "path") // makes memory.md
	d := h.openDoor()
	sessions, total := d.page("/sessions")
	if total != 1 || len(sessions) != 1 || sessions[0]["id"] != session {
		t.Errorf("the sessions are %v", sessions)
	}
	if got := d.get("/sessions/" + session); got["id"] != session {
		t.Errorf("the session is %v", got)
	}
	records, total := d.page("/sessions/" + session + "/records")
	if total != 2 || len(records) != 2 {
		t.Fatalf("%d records, total %d, want 2", len(records), total)
	}
	both := ""
	for _, record := range records {
		r := d.do("GET", "/records/"+text(t, record, "id")).want(t, http.StatusOK)
		both += fmt.Sprint(r.object(t)["role"]) + " " + r.body + "\n"
	}
	if !strings.Contains(both, "rowing trip to Passau") || !strings.Contains(both, "user ") || !strings.Contains(both, "assistant ") {
		t.Errorf("the records are %s", both)
	}
	if packages, total := d.page("/sessions/" + session + "/packages"); total != 1 || len(packages) != 1 {
		t.Errorf("the packages are %v", packages)
	}
	if sent := d.do("GET", "/packages/"+turn).want(t, http.StatusOK); !strings.Contains(sent.body, turn) || !strings.Contains(sent.body, "rowing trip to Passau") {
		t.Errorf("the package is %.1000s", sent.body)
	}
	agents := d.do("GET", "/agents").want(t, http.StatusOK)
	for _, name := range []string{`"memoria"`, `"luna"`} {
		if !strings.Contains(agents.body, name) {
			t.Errorf("the agents lack %s: %s", name, agents.body)
		}
	}
	if out := d.do("GET", "/journal").want(t, http.StatusOK); !strings.Contains(out.body, "memory.md") {
		t.Errorf("the journal lacks memory.md: %s", out.body)
	}
	d.get("/journal/memory.md")
	d.get("/profile")
	d.get("/health")
	// Another agent's, and unknown ones.
	for _, path := range []string{"/sessions/" + session, "/sessions/" + session + "/records", "/sessions/" + session + "/packages",
		"/records/" + text(t, records[0], "id"), "/packages/" + turn} {
		d.do("GET", path+"?agent=luna").want(t, http.StatusNotFound)
	}
	for _, path := range []string{"/sessions/" + caseUnknown, "/sessions/" + caseUnknown + "/records", "/sessions/" + caseUnknown + "/packages",
		"/records/" + caseUnknown, "/packages/" + caseUnknown, "/journal/2020-01-01-nothing.md"} {
		d.do("GET", path).want(t, http.StatusNotFound)
	}
	// What is said while the server runs is there.
	h.run("ask", "And the boat?")
	if _, total := d.page("/sessions/" + session + "/records"); total != 4 {
		t.Errorf("after one more turn there are %d records, want 4", total)
	}
}

// I8: an agent that does not exist is an error that names the nearest one; agents are walls.
func TestRestAgents(t *testing.T) {
	t.Parallel()
	oneByOne(t)
	h := newCaseHome(t)
	h.run("agent", "add", "luna")
	mine := h.add("Likes green tea")
	theirs := text(t, h.with().read("--agent", "luna", "memory", "add", "Owns a lute"), "id")
	d := h.openDoor()
	for _, p := range casePaths {
		if strings.Contains(p.path, "openapi") || strings.Contains(p.path, "agents") || strings.Contains(p.path, "health") {
			continue
		}
		path := regexp.MustCompile("ITEM|SESSION|TURN|RECORD").ReplaceAllString(p.path, mine)
		sep := map[bool]string{true: "&", false: "?"}[strings.Contains(path, "?")]
		r := d.do("GET", path+sep+"agent=lnua").want(t, http.StatusNotFound)
		if detail := fmt.Sprint(r.object(t)["detail"]); !strings.Contains(detail, "luna") {
			t.Errorf("%s: the detail does not name luna: %s", path, detail)
		}
	}
	if r := d.do("POST", "/items?agent=lnua", withBody(`{"content":"Likes tea"}`)).want(t, http.StatusNotFound); !strings.Contains(r.body, "luna") {
		t.Errorf("the error is %s", r.body)
	}
	d.get("/items/" + theirs + "?agent=luna")
	for _, path := range []string{"/items/" + theirs, "/memory/long-term/" + theirs, "/items/" + mine + "?agent=luna", "/memory/long-term/" + mine + "?agent=luna"} {
		d.do("GET", path).want(t, http.StatusNotFound)
	}
	d.do("DELETE", "/memory/long-term/"+theirs).want(t, http.StatusNotFound)
	d.do("PATCH", "/items/"+theirs, withBody(`{"content":"Owns a harp"}`)).want(t, http.StatusNotFound)
	if got := d.contents("/search?q=lute"); len(got) != 0 {
		t.Errorf("the search crosses the wall: %q", got)
	}
	d.do("POST", "/items?agent=luna", withBody(`{"content":"Owns a harp"}`)).want(t, http.StatusAccepted)
	if got := h.list("items", "inbox", "list"); len(got) != 0 {
		t.Errorf("a proposal for luna waits at memoria: %v", got)
	}
	if got := h.list("items", "--agent", "luna", "inbox", "list"); len(got) != 1 {
		t.Errorf("luna's inbox has %v", got)
	}
}

// I8: serve can be given its agent.
func TestRestServesAgent(t *testing.T) {
	t.Parallel()
	oneByOne(t)
	h := newCaseHome(t)
	h.run("agent", "add", "luna")
	h.add("Likes green tea")
	h.run("--agent", "luna", "memory", "add", "Owns a lute")
	if a := h.try("serve", "--listen", "127.0.0.1:0", "--agent", "lnua"); a.code != 2 || !strings.Contains(a.err, "luna") || a.out != "" {
		t.Errorf("an unknown agent: exit code %d\n%s%s", a.code, a.out, a.err)
	}
	d := h.openDoor("--agent", "luna")
	if got := d.contents("/memory/long-term"); !slices.Equal(got, []string{"Owns a lute"}) {
		t.Errorf("it serves %q", got)
	}
	if got := d.contents("/memory/long-term?agent=memoria"); !slices.Equal(got, []string{"Likes green tea"}) {
		t.Errorf("memoria has %q", got)
	}
}

// D4: a path leads to no file but those of the journal.
func TestRestTraversal(t *testing.T) {
	t.Parallel()
	oneByOne(t)
	h := newCaseHome(t)
	h.run("journal", "path") // makes the folder
	if err := os.WriteFile(h.dir+"/outside.md", []byte("canary-outside"), 0o600); err != nil {
		t.Fatal(err)
	}
	d := h.openDoor()
	if err := os.Symlink(h.dir+"/outside.md", h.data("journal", "memoria", "link.md")); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{
		"../../api.token", "..%2f..%2fapi.token", "%2e%2e/%2e%2e/api.token", "..%5c..%5capi.token", "%2fetc%2fpasswd", "//etc/passwd", "....//....//api.token",
		"..%252f..%252fapi.token", "memory.md%00.txt", "memory.md/../../../api.token", "summary/../../../api.token", "..", ".", "%2e", "memory/../../../api.token",
		"..%c0%af..%c0%afapi.token", "C:%5capi.token", "..%2f..%2fmemoria.db", "..%2f..%2f..%2f..%2f..%2foutside.md", "%2e%2e%2fluna%2fmemory.md", "link.md",
	} {
		for _, path := range []string{"/journal/" + name, "/records/" + name, "/sessions/" + name + "/records", "/packages/" + name} {
			answer := d.raw(t, "GET "+path+" HTTP/1.1\r\nHost: "+d.host+"\r\nConnection: close\r\nAuthorization: Bearer "+d.token+"\r\n\r\n")
			if !regexp.MustCompile(`^HTTP/1\.1 (4\d\d|30[1278]) `).MatchString(answer) {
				t.Errorf("GET %s: %.300q", path, answer)
			}
			if strings.Contains(answer, d.token) || strings.Contains(answer, "root:") || strings.Contains(answer, "canary-outside") {
				t.Errorf("GET %s serves a file", path)
			}
		}
	}
}

// I1: a body over the limit is refused without being read to its end.
func TestRestBodies(t *testing.T) {
	t.Parallel()
	oneByOne(t)
	h := newCaseHome(t)
	d := h.openDoor()
	before, measured := d.proc.resident()
	big := `{"content":"` + strings.Repeat("a", 2<<20) + `"}`
	for range 5 {
		r, err := d.send(t.Context(), "POST", "/items", withBody(big))
		if err == nil { // it may close the connection while the rest is written
			r.want(t, http.StatusRequestEntityTooLarge)
		}
	}
	head := "POST /items HTTP/1.1\r\nHost: " + d.host + "\r\nAuthorization: Bearer " + d.token + "\r\nContent-Type: application/json\r\n"
	if answer := d.raw(t, head+"Content-Length: 1073741824\r\n\r\n{"); answer != "" && !strings.HasPrefix(answer, "HTTP/1.1 413 ") {
		t.Errorf("a body that claims 1 GB: %.200q", answer)
	}
	// An endless body in chunks.
	c := d.dial(t)
	answered := make(chan string, 1)
	go func() {
		buf := make([]byte, 4096)
		n, _ := c.Read(buf)
		answered <- string(buf[:n])
	}()
	if _, err := io.WriteString(c, head+"Transfer-Encoding: chunked\r\n\r\n"); err != nil {
		t.Fatal(err)
	}
	chunk := []byte("10000\r\n" + strings.Repeat(" ", 0x10000) + "\r\n")
	written := 0
	for written < 256<<20 {
		n, err := c.Write(chunk)
		if written += n; err != nil {
			break
		}
	}
	if written >= 256<<20 {
		t.Errorf("the server read %d MB of an endless body", written>>20)
	}
	if answer := <-answered; answer != "" && !strings.HasPrefix(answer, "HTTP/1.1 413 ") {
		t.Errorf("an endless body: %.200q", answer)
	}
	// Bad lengths, and a very long head.
	for _, bad := range []string{
		head + "Content-Length: -1\r\n\r\n", head + "Content-Length: 5\r\nContent-Length: 6\r\n\r\nabcdef", head + "Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n\r\n",
		head + "X-Long: " + strings.Repeat("a", 4<<20) + "\r\n\r\n",
	} {
		if answer := d.raw(t, bad); answer != "" && !regexp.MustCompile(`^HTTP/1\.1 4\d\d `).MatchString(answer) {
			t.Errorf("%.300q: %.200q", bad[len(head):min(len(bad), len(head)+60)], answer)
		}
	}
	if waiting := h.list("items", "inbox", "list"); len(waiting) != 0 {
		t.Errorf("a refused body left %d proposals", len(waiting))
	}
	if after, _ := d.proc.resident(); measured && after > before+128<<20 {
		t.Errorf("resident memory grew from %d to %d MB", before>>20, after>>20)
	}
}

// I1: clients that send or read slowly do not keep others waiting.
func TestRestSlowClients(t *testing.T) {
	t.Parallel()
	h := newCaseHome(t)
	h.add("Likes green tea")
	d := h.openDoor()
	head := "GET /memory/long-term HTTP/1.1\r\nHost: " + d.host + "\r\nAuthorization: Bearer " + d.token + "\r\n"
	ctx, cancel := context.WithCancel(t.Context())
	var dripping sync.WaitGroup
	defer dripping.Wait()
	defer cancel()
	for n := range 150 {
		c := d.dial(t)
		switch n % 3 {
		case 0: // half a head
			_, _ = io.WriteString(c, head[:len(head)/2])
		case 1: // a body that does not come
			_, _ = io.WriteString(c, "POST /items HTTP/1.1\r\nHost: "+d.host+"\r\nAuthorization: Bearer "+d.token+"\r\nContent-Length: 100\r\n\r\n{")
		case 2: // one byte at a time
			endless := head + "X-Long: " + strings.Repeat("c", 1<<16)
			dripping.Go(func() {
				tick := time.NewTicker(50 * time.Millisecond)
				defer tick.Stop()
				for i := 0; ; i++ {
					select {
					case <-tick.C:
						if _, err := c.Write([]byte{endless[i%len(endless)]}); err != nil {
							return
						}
					case <-ctx.Done():
						return
					}
				}
			})
		}
	}
	for range 50 {
		quick, done := context.WithTimeout(t.Context(), 5*time.Second)
		r, err := d.send(quick, "GET", "/memory/long-term")
		done()
		if err != nil || r.status != http.StatusOK {
			t.Fatalf("beside slow clients: %v, status %d", err, r.status)
		}
	}
	if os.Getenv("MEMORIA_ROUNDS") == "" {
		return
	}
	// The server closes a connection whose head does not come.
	c := d.dial(t)
	if err := c.SetDeadline(time.Now().Add(90 * time.Second)); err != nil {
		t.Fatal(err)
	}
	_, _ = io.WriteString(c, head[:20])
	if _, err := io.ReadAll(c); err != nil {
		t.Errorf("half a head: the connection stays open: %v", err)
	}
}

// I1: memory stays flat over many requests.
func TestRestManyRequests(t *testing.T) {
	t.Parallel()
	h := newCaseHome(t)
	for n := range 5 {
		h.add("Owns a " + caseWord(n) + " lamp")
	}
	d := h.openDoor()
	many := func(n int) {
		t.Helper()
		var left atomic.Int64
		left.Store(int64(n))
		var work sync.WaitGroup
		for w := range 4 {
			work.Go(func() {
				random := rand.New(rand.NewPCG(1, uint64(w)))
				for left.Add(-1) >= 0 {
					path := []string{"/memory/long-term", "/search?q=lamp", "/items?limit=3", "/health", "/memory/long-term/" + caseUnknown, "/nothing"}[random.IntN(6)]
					r, err := d.send(t.Context(), "GET", path)
					if err != nil {
						t.Errorf("%s: %v", path, err)
						return
					}
					if r.status != http.StatusOK && r.status != http.StatusNotFound {
						t.Errorf("%s: status %d", path, r.status)
						return
					}
				}
			})
		}
		work.Wait()
	}
	all := 10_000
	if testing.Short() {
		all = 1_000
	}
	many(all / 10)
	before, measured := d.proc.resident()
	many(all * 9 / 10)
	after, _ := d.proc.resident()
	if t.Logf("resident memory: %d MB, then %d MB", before>>20, after>>20); measured && after > before+64<<20 {
		t.Errorf("resident memory grew from %d to %d MB", before>>20, after>>20)
	}
}

// D4: serve listens on this computer only.
func TestRestListensOnLoopbackOnly(t *testing.T) {
	t.Parallel()
	oneByOne(t)
	h := newCaseHome(t)
	h.run("serve", "--help")
	for _, address := range []string{
		"0.0.0.0:0", "[::]:0", ":0", ":7411", "192.0.2.1:0", "10.0.0.1:7411", "example.com:80", "nonsense", "127.0.0.1", "127.0.0.1:99999", "127.0.0.1:-1",
		"127.0.0.1:port", "127.0.0.1.evil.example:0", "unix:/tmp/x", "http://127.0.0.1:0", "[::ffff:0.0.0.0]:0", "*:0",
	} {
		if a := h.try("serve", "--listen", address); a.code != 2 || a.out != "" || a.err == "" || strings.Contains(a.err, "goroutine ") {
			t.Errorf("--listen %q: exit code %d\n%s%s", address, a.code, a.out, a.err)
		}
	}
	if a := h.try("serve", "extra"); a.code != 2 {
		t.Errorf("an argument: exit code %d", a.code)
	}
}

// I1: the second server on a port says so and ends.
func TestRestPortInUse(t *testing.T) {
	t.Parallel()
	oneByOne(t)
	h := newCaseHome(t)
	d := h.openDoor()
	for name, other := range map[string]*caseHome{"of another folder": newCaseHome(t), "of the same folder": h} {
		a := other.try("serve", "--listen", d.host)
		if a.code != 1 || a.out != "" || !strings.Contains(a.err, d.host) || !regexp.MustCompile(`in use|taken|already`).MatchString(a.err) {
			t.Errorf("a second server %s: exit code %d\n%s%s", name, a.code, a.out, a.err)
		}
	}
	d.get("/health")
}

// D4: the token is random, its owner's alone, and stays; an emptied file opens no door.
func TestRestToken(t *testing.T) {
	t.Parallel()
	oneByOne(t)
	h := newCaseHome(t)
	d := h.openDoor()
	info, err := os.Stat(h.data("api.token"))
	if err != nil {
		t.Fatal(err)
	}
	if info.Mode().Perm() != 0o600 || len(d.token) < 32 || strings.ContainsAny(d.token, " \n\t") {
		t.Errorf("the token's file has mode %o, the token %d characters", info.Mode().Perm(), len(d.token))
	}
	if code := d.proc.signal(os.Interrupt); code != 130 {
		t.Errorf("interrupted: exit code %d, want 130", code)
	}
	if strings.Contains(d.proc.stderr(), d.token) {
		t.Error("the token is on standard error")
	}
	again := h.openDoor()
	if again.token != d.token {
		t.Error("the token changed with the next start")
	}
	if code := again.proc.signal(syscall.SIGTERM); code != 0 && code != 130 {
		t.Errorf("terminated: exit code %d", code)
	}
	other := newCaseHome(t).openDoor()
	if other.token == d.token {
		t.Error("two folders have one token")
	}
	other.do("GET", "/items", withHeader("Authorization", "Bearer "+d.token)).want(t, http.StatusUnauthorized)

	if err := os.WriteFile(h.data("api.token"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	p := h.start("serve", "--listen", "127.0.0.1:0")
	var first string
	select {
	case line, open := <-p.lines:
		if !open {
			return // it may refuse to start
		}
		first = line
	case <-time.After(caseWait):
		t.Fatal("with an empty token serve neither starts nor ends")
	}
	empty := &caseDoor{t: t, home: h, proc: p, host: strings.TrimPrefix(first, "http://"), client: d.client}
	for _, v := range []string{"Bearer ", "Bearer", "", "Bearer  "} {
		empty.do("GET", "/items", withHeader("Authorization", v)).want(t, http.StatusUnauthorized)
	}
}

// I1: the description lists every path and method, and the answers have what it requires.
func TestRestOpenAPI(t *testing.T) {
	t.Parallel()
	oneByOne(t)
	h := newCaseHome(t)
	item := h.add("Likes green tea")
	said := h.read("ask", "I like rowing in Passau.")
	session, turn := text(t, said, "session"), text(t, said, "turn")
	h.run("journal", "path") // makes memory.md
	d := h.openDoor()
	doc := d.get("/openapi.json")
	if v := fmt.Sprint(doc["openapi"]); !strings.HasPrefix(v, "3.1") {
		t.Errorf("openapi is %s, want 3.1", v)
	}
	paths, _ := doc["paths"].(object)
	byShape := map[string]object{}
	for path, v := range paths {
		byShape[regexp.MustCompile(`\{[^}]*\}`).ReplaceAllString(path, "{}")], _ = v.(object)
	}
	records, _ := d.page("/sessions/" + session + "/records")
	ids := strings.NewReplacer("ITEM", item, "SESSION", session, "TURN", turn, "RECORD", text(t, records[0], "id"))
	for _, p := range casePaths {
		shape, _, _ := strings.Cut(regexp.MustCompile("ITEM|SESSION|TURN|RECORD|memory.md").ReplaceAllString(p.path, "{}"), "?")
		if shape == "/openapi.json" {
			continue // it need not describe itself
		}
		for _, method := range strings.Fields(p.methods) {
			operation, ok := byShape[shape][strings.ToLower(method)].(object)
			if !ok {
				t.Errorf("the description lacks %s %s", method, shape)
				continue
			}
			responses, _ := operation["responses"].(object)
			if _, ok := responses["200"].(object); !ok && method == "GET" {
				t.Errorf("%s %s: no answer 200 is described", method, shape)
				continue
			}
			if method != "GET" {
				continue
			}
			schema := caseResolve(doc, caseAt(responses, "200", "content", "application/json", "schema"))
			if schema == nil {
				t.Errorf("%s %s: the answer has no schema", method, shape)
				continue
			}
			r := d.do("GET", ids.Replace(p.path)).want(t, http.StatusOK)
			for _, fault := range caseValidate(doc, schema, r.object(t), "") {
				t.Errorf("GET %s: %s", shape, fault)
			}
		}
	}
	for shape := range byShape {
		known := slices.ContainsFunc(casePaths, func(p struct{ path, methods string }) bool {
			of, _, _ := strings.Cut(regexp.MustCompile("ITEM|SESSION|TURN|RECORD|memory.md").ReplaceAllString(p.path, "{}"), "?")
			return of == shape
		})
		if !known {
			t.Logf("the description has %s, which the contract does not", shape)
		}
	}
}

// caseAt follows names into JSON.
func caseAt(v any, names ...string) any {
	for _, name := range names {
		o, _ := v.(object)
		v = o[name]
	}
	return v
}

// caseResolve follows the references of a schema.
func caseResolve(doc object, v any) object {
	for {
		schema, _ := v.(object)
		ref, ok := schema["$ref"].(string)
		if !ok {
			return schema
		}
		v = caseAt(doc, strings.Split(strings.TrimPrefix(ref, "#/"), "/")...)
	}
}

// caseValidate lists where a value does not fit a schema: types, required and unknown
// properties.
func caseValidate(doc object, schema object, v any, where string) (faults []string) {
	schema = caseResolve(doc, schema)
	var types []string
	switch of := schema["type"].(type) {
	case string:
		types = []string{of}
	case []any:
		for _, one := range of {
			types = append(types, fmt.Sprint(one))
		}
	}
	is := "null"
	switch of := v.(type) {
	case object:
		is = "object"
	case []any:
		is = "array"
	case string:
		is = "string"
	case bool:
		is = "boolean"
	case float64:
		if is = "number"; of == float64(int64(of)) && slices.Contains(types, "integer") {
			is = "integer"
		}
	}
	if len(types) > 0 && !slices.Contains(types, is) {
		return []string{fmt.Sprintf("%s is of type %s, the description says %v", where, is, types)}
	}
	if list, ok := v.([]any); ok {
		items, _ := schema["items"].(object)
		for i, one := range list {
			faults = append(faults, caseValidate(doc, items, one, where+"/"+strconv.Itoa(i))...)
		}
	}
	o, ok := v.(object)
	if !ok {
		return faults
	}
	required, _ := schema["required"].([]any)
	for _, name := range required {
		if _, ok := o[fmt.Sprint(name)]; !ok {
			faults = append(faults, fmt.Sprintf("%s/%v is required and missing", where, name))
		}
	}
	properties, _ := schema["properties"].(object)
	for name, one := range o {
		if of, ok := properties[name].(object); ok {
			faults = append(faults, caseValidate(doc, of, one, where+"/"+name)...)
		} else if schema["additionalProperties"] == false {
			faults = append(faults, fmt.Sprintf("%s/%s is not described", where, name))
		}
	}
	return faults
}

// I1, I4: many clients write and delete at once, and what was acknowledged holds.
func TestRestConcurrentWrites(t *testing.T) {
	t.Parallel()
	h := newCaseHome(t)
	var ids []string
	for n := range 8 {
		ids = append(ids, h.add("Owns a "+caseWord(n)+" lamp"))
	}
	d := h.openDoor()
	var work sync.WaitGroup
	for n, id := range ids[:4] {
		work.Go(func() {
			if r, err := d.send(t.Context(), "DELETE", "/memory/long-term/"+id); err != nil || r.status != http.StatusOK {
				t.Errorf("DELETE: %v, status %d", err, r.status)
			}
		})
		work.Go(func() {
			body := withBody(`{"content":"Owns a ` + caseWord(100+n) + ` boat"}`)
			if r, err := d.send(t.Context(), "POST", "/items", body, withHeader("X-Client", "c"+strconv.Itoa(n))); err != nil || r.status != http.StatusAccepted {
				t.Errorf("POST: %v, status %d %s", err, r.status, r.body)
			}
		})
		work.Go(func() {
			if r, err := d.send(t.Context(), "GET", "/search?q=lamp"); err != nil || r.status != http.StatusOK {
				t.Errorf("GET: %v, status %d", err, r.status)
			}
		})
	}
	work.Wait()
	if _, total := d.page("/memory/long-term"); total != 4 {
		t.Errorf("%d items are left, want 4", total)
	}
	if waiting := h.list("items", "inbox", "list"); len(waiting) != 4 {
		t.Errorf("%d proposals wait, want 4", len(waiting))
	}
}
