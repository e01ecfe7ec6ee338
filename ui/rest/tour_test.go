package rest

import (
	"encoding/json"
	"net/http"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/danielgtaylor/huma/v2"

	"memoria/memory"
	"memoria/memory/lookup"
)

// I1: every call of a tour is described, and its answer fits the description; every call of
// the description is on the tour.
func TestTour(t *testing.T) {
	w := demoWorld(t)
	items := get[Listed[Item]](w, "/memory/long-term")
	sessions := get[Listed[Session]](w, "/sessions")
	files := get[Listed[JournalFile]](w, "/journal")
	if items.Total == 0 || sessions.Total == 0 || files.Total == 0 {
		t.Fatalf("the demo has %d items, %d sessions, %d files", items.Total, sessions.Total, files.Total)
	}
	session := sessions.Items[0].ID
	records := get[Listed[Record]](w, "/sessions/"+session+"/records")
	packages := get[Listed[Package]](w, "/sessions/"+session+"/packages")
	if records.Total == 0 || packages.Total == 0 {
		t.Fatalf("the session has %d messages, %d packages", records.Total, packages.Total)
	}
	var worked string
	for _, s := range sessions.Items {
		if _, err := w.m.Lookup().Working(t.Context(), luna, s.ID); err == nil {
			worked = s.ID
		}
	}
	first, second := items.Items[0].ID, items.Items[1].ID
	stops := []struct{ call, path, body string }{
		{"GET /memory/long-term", "/memory/long-term?limit=3&offset=1", ""},
		{"GET /memory/long-term/{id}", "/memory/long-term/" + first, ""},
		{"GET /memory/working/{session_id}", "/memory/working/" + worked, ""},
		{"GET /items", "/items?limit=200", ""},
		{"GET /items", "/items?state=inactive&type=fact", ""},
		{"GET /items/{id}", "/items/" + first, ""},
		{"GET /search", "/search?q=tea&all=true", ""},
		{"GET /search", "/search?q=tea&since=2020-01-01&until=2020-02-01", ""},
		{"GET /sessions", "/sessions?agent=luna", ""},
		{"GET /sessions/{id}", "/sessions/" + session, ""},
		{"GET /sessions/{id}/records", "/sessions/" + session + "/records", ""},
		{"GET /sessions/{id}/packages", "/sessions/" + session + "/packages", ""},
		{"GET /records/{id}", "/records/" + records.Items[0].ID, ""},
		{"GET /packages/{turn}", "/packages/" + packages.Items[0].TurnID, ""},
		{"GET /profile", "/profile", ""},
		{"GET /journal", "/journal", ""},
		{"GET /journal/{file}", "/journal/" + files.Items[0].Path, ""},
		{"GET /agents", "/agents", ""},
		{"GET /health", "/health", ""},
		{"GET /openapi.json", "/openapi.json", ""},
		{"POST /items", "/items", `{"content":"Collects quartz.","tags":["stones"],"value":{"stone":"quartz"}}`},
		{"PATCH /items/{id}", "/items/" + first, `{"content":"Something else entirely.","importance":0.9}`},
		{"DELETE /memory/long-term/{id}", "/memory/long-term/" + second, ""},
		{"DELETE /memory/long-term", "/memory/long-term?agent=luna", ""},
		// Problems fit their description too.
		{"GET /items/{id}", "/items/none", ""},
		{"GET /items", "/items?limit=0", ""},
		{"GET /items", "/items?agent=lnua", ""},
		{"GET /search", "/search", ""},
		{"GET /search", "/search?q=tea&since=yesterday", ""},
		{"POST /items", "/items", `{"content":""}`},
		{"POST /items", "/items", `{`},
		{"POST /items", "/items", `{"content":"Likes \u001b[2J tea."}`},
		{"PATCH /items/{id}", "/items/" + first, `{"tags":["\u0000"]}`},
		{"DELETE /memory/long-term", "/memory/long-term", ""},
	}
	_, api := routes(&Server{})
	described := map[string]*huma.Operation{}
	for path, item := range api.OpenAPI().Paths {
		for method, op := range map[string]*huma.Operation{"GET": item.Get, "POST": item.Post, "PATCH": item.Patch, "DELETE": item.Delete} {
			if op != nil {
				described[method+" "+path] = op
			}
		}
		if item.Put != nil || item.Head != nil || item.Options != nil || item.Trace != nil {
			t.Errorf("%s has a method that this test does not know", path)
		}
	}
	visited := map[string]bool{}
	for _, s := range stops {
		op := described[s.call]
		if op == nil {
			t.Errorf("%s is not described", s.call)
			continue
		}
		visited[s.call] = true
		status, header, b := w.call(w.request(op.Method, s.path, s.body))
		fits(t, api, op, s.path, status, header, b)
	}
	for call := range described {
		if !visited[call] {
			t.Errorf("%s is described and not on the tour", call)
		}
	}
}

// fits checks an answer against the description of its call.
func fits(t *testing.T, api huma.API, op *huma.Operation, path string, status int, header http.Header, body []byte) {
	t.Helper()
	described := op.Responses[itoa(status)]
	if described == nil {
		t.Errorf("%s %s: status %d is not described: %s", op.Method, path, status, body)
		return
	}
	kind, _, _ := strings.Cut(header.Get("Content-Type"), ";")
	media := described.Content[kind]
	if media == nil {
		t.Errorf("%s %s: %d has the type %q, described are %v", op.Method, path, status, kind, described.Content)
		return
	}
	var v any
	if err := json.Unmarshal(body, &v); err != nil {
		t.Errorf("%s %s: %v", op.Method, path, err)
		return
	}
	res := &huma.ValidateResult{}
	huma.Validate(api.OpenAPI().Components.Schemas, media.Schema, huma.NewPathBuffer(nil, 0), huma.ModeReadFromServer, v, res)
	for _, err := range res.Errors {
		t.Errorf("%s %s: %d: %v\n%.600s", op.Method, path, status, err, body)
	}
}

func itoa(status int) string {
	b, _ := json.Marshal(status)
	return string(b)
}

// The table of the package comment is that of the description.
func TestTableOfPaths(t *testing.T) {
	_, api := routes(&Server{})
	var described []string
	for path, item := range api.OpenAPI().Paths {
		for method, op := range map[string]*huma.Operation{"GET": item.Get, "POST": item.Post, "PATCH": item.Patch, "DELETE": item.Delete} {
			if op != nil {
				described = append(described, method+" "+path)
			}
		}
	}
	var listed []string
	for _, m := range regexp.MustCompile(`(?m)^//\t(GET|POST|PATCH|DELETE) +(\S+)`).FindAllStringSubmatch(docComment(t), -1) {
		listed = append(listed, m[1]+" "+m[2])
	}
	slices.Sort(described)
	slices.Sort(listed)
	if !slices.Equal(described, listed) {
		t.Errorf("the table has\n%q\ndescribed are\n%q", listed, described)
	}
}

// P10: held and muted items are served by no call, in their former versions neither.
func TestHeldAndMutedAreNotServed(t *testing.T) {
	w := demoWorld(t)
	ctx := t.Context()
	for _, it := range get[Listed[Item]](w, "/items?limit=200").Items {
		if it.State != "active" && it.State != "inactive" {
			t.Fatalf("served %+v", it)
		}
	}
	sent := get[Listed[Package]](w, "/sessions/"+get[Listed[Session]](w, "/sessions").Items[0].ID+"/packages")
	var used string
	for _, p := range sent.Items {
		for _, u := range p.Used {
			if u.Chosen {
				used = u.ItemID
			}
		}
	}
	states := map[string]memory.State{}
	add := func(state memory.State) {
		it, err := w.m.Learning().AddItem(ctx, luna, memory.Item{Content: "Owns a narwhal of kind " + string(state) + "."})
		if err != nil {
			t.Fatal(err)
		}
		states[it.ID] = state
		if _, err = w.m.Learning().EditItem(ctx, luna, it.ID, func(it *memory.Item) { it.State = state }); err != nil {
			t.Fatal(err)
		}
	}
	add(memory.StateMuted)
	add(memory.StateHeld)
	if used != "" {
		states[used] = memory.StateMuted
		if _, err := w.m.Learning().EditItem(ctx, luna, used, func(it *memory.Item) { it.State = memory.StateMuted }); err != nil {
			t.Fatal(err)
		}
	}
	var paths []string
	for id := range states {
		for _, path := range []string{"/memory/long-term/", "/items/"} {
			if status, _, b := w.call(w.request("GET", path+id, "")); status != http.StatusNotFound {
				t.Errorf("GET %s%s: %d %s", path, id, status, b)
			}
		}
		for _, method := range []string{"DELETE /memory/long-term/", "PATCH /items/"} {
			method, path, _ := strings.Cut(method, " ")
			if status, _, b := w.call(w.request(method, path+id, `{"content":"Else."}`)); status != http.StatusNotFound {
				t.Errorf("%s %s%s: %d %s", method, path, id, status, b)
			}
		}
	}
	for _, p := range sent.Items {
		paths = append(paths, "/packages/"+p.TurnID)
	}
	paths = append(paths, "/memory/long-term?limit=200", "/items?limit=200", "/items?state=held", "/items?state=muted",
		"/search?q=narwhal&all=true", "/profile", "/sessions/"+sent.Items[0].SessionID+"/packages")
	for _, path := range paths {
		_, _, b := w.call(w.request("GET", path, ""))
		for id, state := range states {
			if strings.Contains(string(b), id) || strings.Contains(string(b), "narwhal of kind") {
				t.Errorf("GET %s serves a %s item: %.300s", path, state, b)
			}
		}
	}
	if used == "" {
		t.Fatal("no package of the demo used an item")
	}
	for _, path := range paths[:len(sent.Items)] {
		if get[FullPackage](w, path).Exact {
			continue // it did not quote the item
		}
		return
	}
	t.Error("no package withholds the muted item")
}

// D2, I1: a deletion is carried out, the user is told, and can undo it.
func TestDelete(t *testing.T) {
	w := emptyWorld(t)
	ctx := t.Context()
	var ids []string
	for _, content := range []string{"Likes tea.", "Plays chess.", "Owns a boat."} {
		it, err := w.m.Learning().AddItem(ctx, luna, memory.Item{Content: content})
		if err != nil {
			t.Fatal(err)
		}
		ids = append(ids, it.ID)
	}
	d := answered[Deleted](w, http.StatusOK, "DELETE", "/memory/long-term/"+ids[0], "")
	if d.Deleted != 1 || !slices.Equal(d.IDs, ids[:1]) || len(w.deletions) != 1 || !w.deletions[0].Until.Equal(d.UndoUntil) {
		t.Errorf("answered %+v, told %+v", d, w.deletions)
	}
	if page := get[Listed[Item]](w, "/memory/long-term"); page.Total != 2 {
		t.Errorf("listed %+v", page)
	}
	if _, err := w.m.UndoDeletion(ctx, luna, w.deletions[0].ID); err != nil {
		t.Fatal(err)
	}
	if page := get[Listed[Item]](w, "/memory/long-term"); page.Total != 3 {
		t.Errorf("after the undo: %+v", page)
	}
	d = answered[Deleted](w, http.StatusOK, "DELETE", "/memory/long-term?agent=luna", "")
	if d.Deleted != 3 || len(d.IDs) != 3 || len(w.deletions) != 2 {
		t.Errorf("answered %+v, told %+v", d, w.deletions)
	}
	if page, err := w.m.Lookup().Items(ctx, luna, lookup.ItemFilter{All: true}); err != nil || page.Total != 0 {
		t.Errorf("left %+v, %v", page, err)
	}
	d = answered[Deleted](w, http.StatusOK, "DELETE", "/memory/long-term?agent=luna", "")
	if d.Deleted != 0 || d.IDs == nil {
		t.Errorf("nothing to delete: %+v", d)
	}
}

// P10: proposals wait, and at most fifty of one program.
func TestProposals(t *testing.T) {
	w := emptyWorld(t)
	p := answered[Proposed](w, http.StatusAccepted, "POST", "/items", `{"content":"Plays the ocarina.","type":"preference"}`)
	if p.State != "held" || p.Known || p.Item == nil || p.Item.Trust != "foreign" {
		t.Errorf("%+v", p)
	}
	if again := answered[Proposed](w, http.StatusAccepted, "POST", "/items", `{"content":"Plays the ocarina.","type":"preference"}`); again.ID != p.ID {
		t.Errorf("proposed again: %+v", again)
	}
	inbox, err := w.m.Lookup().Inbox(t.Context(), luna, 0, 0)
	if err != nil || inbox.Total != 1 || inbox.Items[0].Metadata.Program != "rest" {
		t.Fatalf("%+v, %v", inbox, err)
	}
	it, err := w.m.Learning().AddItem(t.Context(), luna, memory.Item{Content: "Lives in Bonn.", Key: "home"})
	if err != nil {
		t.Fatal(err)
	}
	e := answered[Proposed](w, http.StatusAccepted, "PATCH", "/items/"+it.ID, `{"content":"Lives in Köln.","tags":["city"]}`, "X-Client", "mapper")
	if e.State != "held" || e.ID == it.ID || e.Item.Content != "Lives in Köln." || !slices.Equal(e.Item.Tags, []string{"city"}) {
		t.Errorf("%+v", e)
	}
	if now := get[Item](w, "/memory/long-term/"+it.ID); now.Content != "Lives in Bonn." || !now.IsActive {
		t.Errorf("the item is %+v", now)
	}
	if same := answered[Proposed](w, http.StatusOK, "PATCH", "/items/"+it.ID, `{"content":"Lives in Bonn."}`); !same.Known || same.State != "active" {
		t.Errorf("nothing changed: %+v", same)
	}
}

// I1: pages, filters and times.
func TestPages(t *testing.T) {
	w := emptyWorld(t)
	for i := range 7 {
		kind := memory.TypeFact
		if i%2 == 0 {
			kind = memory.TypeGoal
		}
		if _, err := w.m.Learning().AddItem(t.Context(), luna, memory.Item{Content: "Owns lamp " + string(rune('a'+i)) + ".", Type: kind}); err != nil {
			t.Fatal(err)
		}
	}
	var all []string
	for _, path := range []string{"/items?limit=3", "/items?limit=3&offset=3", "/items?limit=3&offset=6"} {
		page := get[Listed[Item]](w, path)
		if page.Total != 7 || page.Limit != 3 {
			t.Errorf("%s: %+v", path, page)
		}
		for _, it := range page.Items {
			all = append(all, it.Content)
		}
	}
	if want := "g f e d c b a"; strings.Join(all, " ") != strings.ReplaceAll("Owns lamp "+strings.ReplaceAll(want, " ", ". Owns lamp ")+".", "  ", " ") {
		t.Errorf("newest first: %q", all)
	}
	if page := get[Listed[Item]](w, "/items?type=goal&limit=1"); page.Total != 4 || len(page.Items) != 1 || page.Items[0].Category != "goal" {
		t.Errorf("%+v", page)
	}
	if page := get[Listed[Found]](w, "/search?q=lamp&until=2020-01-01"); page.Total != 0 || page.Items == nil {
		t.Errorf("%+v", page)
	}
	page := get[Listed[Found]](w, "/search?q=lamp&since=2020-01-01&limit=2&offset=2&all=true")
	if page.Total < 4 || len(page.Items) != 2 || page.Items[0].Score <= 0 || !*page.Items[0].Chosen || page.Items[0].Parts.Relevance <= 0 {
		t.Errorf("%+v", page)
	}
}

// docComment returns the text of doc.go.
func docComment(t *testing.T) string {
	t.Helper()
	b, err := os.ReadFile("doc.go")
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}
