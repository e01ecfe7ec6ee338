package demo

import (
	"context"
	"errors"
	"os"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"
	"unicode"

	"memoria/chat"
	"memoria/memory"
	"memoria/memory/lookup"
	"memoria/memory/manager"
	"memoria/memory/recall"
	"memoria/ui/clean"
	"memoria/ui/config"
)

func must[T any](t *testing.T) func(T, error) T {
	return func(v T, err error) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
}

// The conversations are such that there is something to see of everything.
func TestConversations(t *testing.T) { both(t, testConversations) }

func testConversations(t *testing.T, l config.Language, m *manager.Manager) {
	sessions, total, err := m.Lookup().Sessions(t.Context(), agent, 0, 0)
	if err != nil {
		t.Fatal(err)
	}
	if total < 12 || total > 20 {
		t.Errorf("%d sessions", total)
	}
	first, last := sessions[len(sessions)-1], sessions[0]
	if age := present.Sub(first.CreatedAt); age < 3*7*24*time.Hour || age > 5*7*24*time.Hour {
		t.Errorf("it begins %v ago", age)
	}
	if age := present.Sub(last.LastMessageAt); age <= 0 || age >= 30*time.Minute || last.State != memory.SessionActive {
		t.Errorf("the last session ended %v ago and is %s", age, last.State)
	}
	work := must[memory.Working](t)(m.Lookup().Working(t.Context(), agent, last.ID))
	if work.TurnCount != last.Turns || work.LastEmotion+work.CurrentTopic == "" {
		t.Errorf("working memory of the last session: %+v", work)
	}
	messages, long := 0, 0
	status, models, shown := map[memory.Status]int{}, map[string]int{}, map[string]bool{}
	for _, s := range sessions {
		if s.ID != last.ID && (s.State != memory.SessionArchived || s.Kept == nil) {
			t.Errorf("session %q is %s", s.Title, s.State)
		}
		for _, r := range must[[]memory.Record](t)(m.Lookup().Records(t.Context(), agent, s.ID)) {
			messages++
			if han := strings.ContainsFunc(r.Content, func(r rune) bool { return unicode.Is(unicode.Han, r) }); han != (l == config.LanguageChinese) {
				t.Errorf("another language: %q", r.Content)
			}
			status[r.Status]++
			if clean.Width(r.Content) > 200 {
				long++
			}
			if r.Timestamp.Before(s.CreatedAt) || r.Timestamp.After(present) {
				t.Errorf("%v in a session of %v", r.Timestamp, s.CreatedAt)
			}
			if r.Role == memory.RoleUser {
				continue
			}
			models[r.Model]++
			if complete := r.Status == memory.StatusComplete; complete != (r.Usage != nil && r.Usage.TotalTokens > 0) {
				t.Errorf("%q is %s and used %v", r.Content, r.Status, r.Usage)
			}
			for name, mark := range map[string]string{"code": "\n```", "table": "| --- |", "quote": "> ", "list": "\n- ", "steps": "\n1. "} {
				shown[name] = shown[name] || strings.Contains("\n"+r.Content, mark)
			}
			p := must[memory.Rendered](t)(m.Lookup().Package(t.Context(), agent, r.TurnID))
			forgotten := slices.ContainsFunc(p.Rendered, func(b memory.RenderedBlock) bool { return b.Forgotten > 0 })
			if p.Exact == forgotten {
				t.Errorf("the package of %q: exact %v, something of it forgotten %v", r.Content, p.Exact, forgotten)
			}
		}
	}
	if messages < 150 || messages > 250 || long < 15 {
		t.Errorf("%d messages, %d long ones", messages, long)
	}
	if status[memory.StatusInterrupted] != 1 || len(models) != 2 || len(shown) != 5 || slices.Contains(values(shown), false) {
		t.Errorf("status %v, models %v, shown %v", status, models, shown)
	}
}

func values(m map[string]bool) (out []bool) {
	for _, v := range m {
		out = append(out, v)
	}
	return out
}

// What was learned is there in all its kinds and states, and leads back to the
// words (P2, P4, P5, D2, D3).
func TestMemories(t *testing.T) { both(t, testMemories) }

func testMemories(t *testing.T, l config.Language, m *manager.Manager) {
	page := must[lookup.ItemPage](t)(m.Lookup().Items(t.Context(), agent, lookup.ItemFilter{All: true}))
	types, states, origins := map[memory.Type]int{}, map[memory.State]int{}, map[memory.Origin]int{}
	byContent := map[string]memory.Item{}
	used, confirmed := 0, 0
	for _, it := range page.Items {
		types[it.Type]++
		states[it.State]++
		origins[it.Origin]++
		byContent[it.Content] = it
		used += it.AccessCount
		for _, c := range must[[]memory.Change](t)(m.Lookup().History(t.Context(), agent, it.ID)) {
			if c.Action == memory.ActionConfirmed {
				confirmed++
			}
		}
		for _, ev := range it.Evidence {
			r := must[memory.Record](t)(m.Lookup().Record(t.Context(), agent, ev.RecordID))
			if r.Role != memory.RoleUser || recall.Quoted(r, ev) == "" {
				t.Errorf("%q comes from %q", it.Content, r.Content)
			}
		}
		if it.Origin == memory.OriginTurn && len(it.Evidence) == 0 {
			t.Errorf("%q comes from nowhere", it.Content)
		}
	}
	for _, kind := range []memory.Type{memory.TypePreference, memory.TypeFact, memory.TypePattern, memory.TypeRelationship, memory.TypeGoal, memory.TypeRule, memory.TypeEpisode} {
		if types[kind] == 0 {
			t.Errorf("there is no %s", kind)
		}
	}
	if states[memory.StateHeld] == 0 || states[memory.StateHeld] > 6 || states[memory.StateInactive] < 3 || origins[memory.OriginUser] < 4 || used < 50 || confirmed == 0 {
		t.Errorf("states %v, origins %v, used %d times, confirmed %d times", states, origins, used, confirmed)
	}
	chain := map[config.Language][]string{
		config.LanguageEnglish: {"Lives in Almada.", "Lives in Lisbon.", "Lives in Hamburg."},
		config.LanguageChinese: {"住在阿尔马达", "住在里斯本", "住在汉堡"},
	}[l]
	for i, content := range chain[1:] {
		newer, older := byContent[chain[i]], byContent[content]
		if older.ID == "" || newer.Supersedes != older.ID || older.SupersededBy != newer.ID || older.IsActive() {
			t.Errorf("%q does not follow %q", chain[i], content)
		}
	}
	for content := range byContent {
		if strings.Contains(content, "飞机") || strings.Contains(content, "flying") {
			t.Errorf("%q was forgotten", content)
		}
	}
	if st := must[lookup.Status](t)(m.Lookup().Status(t.Context(), agent)); st.Jobs != 0 || st.Held != states[memory.StateHeld] {
		t.Errorf("%+v", st)
	}
}

// Q: what is asked about in one language or the other is found.
func TestRecall(t *testing.T) { both(t, testRecall) }

func testRecall(t *testing.T, l config.Language, m *manager.Manager) {
	if err := m.Recall().Settle(t.Context(), agent); err != nil {
		t.Fatal(err)
	}
	for asked, want := range map[config.Language]map[string]string{
		config.LanguageEnglish: {
			"What am I allergic to?": "shrimp", "我对什么过敏？": "shrimp", "How is Mochi?": "cat",
			"Which port was it that Tidemark listens on?": "port 8090", "let's plan the next pottery evening": "4 of 10 evenings",
			"Lin comes for dinner": "Lin",
		},
		config.LanguageChinese: {
			"我对什么过敏？": "对虾过敏", "年糕今天好吗": "年糕", "潮痕监听哪个端口？": "8090", "安排一下下一次陶艺课": "上了四个", "小林来吃饭": "小林",
		},
	}[l] {
		r, err := m.Recall().Retrieve(t.Context(), agent, recall.Query{Text: asked})
		if err != nil {
			t.Fatal(err)
		}
		found := false
		for _, s := range r.Chosen {
			found = found || strings.Contains(s.Item.Content, want)
		}
		if !found || r.Degraded != "" {
			t.Errorf("%q does not recall %q but %d others; %s", asked, want, len(r.Chosen), r.Degraded)
		}
	}
}

// It can be played at any time of day, and in the nights in which clocks change.
func TestAnyPresent(t *testing.T) {
	if testing.Short() {
		t.Skip("it plays the history three times")
	}
	lisbon, err := time.LoadLocation("Europe/Lisbon")
	if err != nil {
		t.Skip("no time zones here")
	}
	for i, now := range []time.Time{
		time.Date(2026, 3, 29, 0, 1, 0, 0, lisbon), time.Date(2026, 10, 25, 1, 30, 0, 0, lisbon), time.Date(2028, 2, 29, 23, 59, 59, 0, time.UTC),
	} {
		dir := t.TempDir()
		if err := Fill(t.Context(), Options{Dir: dir, Language: languages[i%2], Agent: chat.Agent{ID: agent}, Now: now}); err != nil {
			t.Fatal(err)
		}
		last, _, err := open(t, dir, now).Lookup().LastSession(t.Context(), agent)
		if err != nil || !last.LastMessageAt.Before(now) {
			t.Errorf("at %v the last message is of %v, %v", now, last.LastMessageAt, err)
		}
	}
}

// An interrupt ends the playing.
func TestInterrupt(t *testing.T) {
	ctx, cancel := context.WithCancelCause(t.Context())
	why := errors.New("enough")
	cancel(why)
	err := Fill(ctx, Options{Dir: t.TempDir(), Agent: chat.Agent{ID: agent}, Now: present})
	if !errors.Is(err, why) {
		t.Error(err)
	}
}

// Every file of the history is read, and a faulty one is named.
func TestLoad(t *testing.T) {
	var names []string
	for _, l := range languages {
		files, err := os.ReadDir("history/" + string(l))
		if err != nil {
			t.Fatal(err)
		}
		sessions, err := load(history, l)
		if err != nil || len(sessions) != len(files) {
			t.Errorf("%d of %d files, %v", len(sessions), len(files), err)
		}
		for _, s := range sessions {
			names = append(names, s.name)
		}
	}
	if n := len(names) / 2; !slices.Equal(names[:n], names[n:]) {
		t.Errorf("the histories differ: %q", names)
	}
	_, err := load(fstest.MapFS{"history/en/1.md": {Data: []byte(small)}, "history/en/2.md": {Data: []byte("@you\n")}}, "")
	if err == nil || !strings.Contains(err.Error(), "2.md:1") {
		t.Error(err)
	}
}

func BenchmarkFill(b *testing.B) {
	for b.Loop() {
		if err := Fill(b.Context(), Options{Dir: b.TempDir(), Agent: chat.Agent{ID: agent}, Now: present}); err != nil {
			b.Fatal(err)
		}
	}
}
