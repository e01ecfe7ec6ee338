package transcript

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/exp/golden"
	"pgregory.net/rapid"

	"memoria/memory"
	"memoria/ui/clean"
	"memoria/ui/clean/oracle"
	"memoria/ui/term/cells"
	"memoria/ui/term/theme"
	"memoria/ui/words"
)

// plainText replaces Markdown: it wraps and counts.
type plainText struct{ renders int }

func (p *plainText) Render(text string, width int) []string {
	p.renders++
	text, _ = clean.Text(text)
	return clean.Wrap(text, width)
}

func (p *plainText) Stream(width int) Stream { return &plainStream{width: width} }

type plainStream struct {
	width int
	text  string
}

func (s *plainStream) Append(t string) { s.text += t }
func (s *plainStream) SetWidth(w int)  { s.width = w }
func (s *plainStream) Lines() []string {
	text, _ := clean.Text(s.text)
	return clean.Wrap(text, s.width)
}

var noon = time.Date(2026, 1, 28, 12, 0, 0, 0, time.UTC)

func newTalk(w, h int) (*Model, *plainText) {
	md := &plainText{}
	m := New(md, time.UTC, words.Pictures{})
	m.SetStyles(theme.New(theme.None, true), md)
	m.SetDay(noon)
	m.SetSize(w, h)
	return m, md
}

func say(id, text string) Entry {
	return Entry{ID: id, TurnID: "t" + id, Role: memory.RoleUser, Author: "you", Time: noon, Text: text, Status: memory.StatusComplete}
}

func reply(id, text string) Entry {
	return Entry{ID: id, TurnID: "t" + id, Role: memory.RoleAssistant, Author: "luna", Time: noon, Text: text, Status: memory.StatusComplete}
}

func view(m *Model) string { return strings.Join(m.View(), "\n") }

func fill(m *Model, n int) {
	for i := range n {
		m.Put(say(fmt.Sprint("u", i), fmt.Sprintf("question %d", i)))
		m.Put(reply(fmt.Sprint("a", i), fmt.Sprintf("answer %d\nsecond line of it", i)))
	}
}

func TestView(t *testing.T) {
	for _, size := range [][2]int{{60, 9}, {80, 18}, {83, 34}} {
		t.Run(fmt.Sprintf("%dx%d", size[0], size[1]), func(t *testing.T) {
			m, _ := newTalk(size[0], size[1])
			m.Put(say("1", "部署脚本还用 pnpm 吗？我记得上次我们把流水线里的缓存换掉了，不知道现在的脚本是不是还需要先安装一遍依赖。"))
			m.Put(reply("2", "Yes — `pnpm install --frozen-lockfile`, as you said."))
			m.Put(say("2b", "家庭 👨\u200d👩\u200d👧、旗帜 🇨🇳、键帽 1\ufe0f\u20e3，他说：“己所不欲，勿施于人。”——《论语》（卫灵公篇），你怎么看？"))
			yesterday := say("3", "evil \x1b[31mred\u202e and \U000E0041hidden")
			yesterday.Time = noon.Add(-24 * time.Hour)
			m.Put(yesterday)
			cancelled := reply("4", "It depends on")
			cancelled.Status = memory.StatusCancelled
			m.Put(cancelled)
			failed := reply("5", "")
			failed.Status = memory.StatusError
			failed.Note = &Note{Title: "The model server refused the key", Text: "It answered 401.", Hint: "Check OPENAI_API_KEY."}
			failed.Label = "gpt-4.1-mini"
			m.Put(failed)
			m.SetTail([]string{" ⠋ luna answers · 3 s · esc cancels"})
			golden.RequireEqual(t, view(m))
		})
	}
}

// Every line has exactly the width, whatever is in the messages.
func TestLinesAreExact(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w, h := rapid.IntRange(8, 60).Draw(t, "w"), rapid.IntRange(1, 20).Draw(t, "h")
		m, _ := newTalk(w, h)
		for i := range rapid.IntRange(0, 5).Draw(t, "n") {
			text := rapid.String().Draw(t, "text")
			e := say(fmt.Sprint(i), text)
			e.Note = &Note{Title: text, Text: "部署👩‍💻"}
			m.Put(e)
		}
		m.SetTail(rapid.SliceOfN(rapid.Just("tail"), 0, 4).Draw(t, "tail"))
		m.SetFocus(rapid.Bool().Draw(t, "focus"))
		m.ScrollBy(-rapid.IntRange(0, 30).Draw(t, "up"))
		lines := m.View()
		if len(lines) != h {
			t.Fatalf("%d lines, want %d", len(lines), h)
		}
		for _, l := range lines {
			if cells.Width(l) != w {
				t.Fatalf("line %q is %d wide, want %d", l, cells.Width(l), w)
			}
			if faults := oracle.Faults(oracle.Styled, l); len(faults) > 0 {
				t.Fatalf("line %+q: %v", l, faults)
			}
		}
	})
}

// A message is rendered once for each version and width, and only if it is seen.
func TestRenders(t *testing.T) {
	m, md := newTalk(60, 20)
	fill(m, 500)
	view(m)
	seen := m.Renders
	if seen > 15 {
		t.Fatalf("%d messages rendered for the first screen of 20 lines", seen)
	}
	for range 50 {
		view(m)
	}
	if m.Renders != seen {
		t.Errorf("%d renders of what did not change", m.Renders-seen)
	}
	// While an answer streams only that is rendered.
	m.Put(reply("live", ""))
	m.Append("live", "word ")
	view(m)
	seen, whole := m.Renders, md.renders
	for range 100 {
		m.Append("live", "word ")
		view(m)
	}
	if got := m.Renders - seen; got != 100 {
		t.Errorf("%d renders for 100 pieces", got)
	}
	if md.renders != whole {
		t.Errorf("%d whole renders while streaming", md.renders-whole)
	}
	// Finished: once more.
	m.Put(reply("live", "all of it"))
	view(m)
	view(m)
	if md.renders != whole+1 {
		t.Errorf("%d whole renders at the end, want 1", md.renders-whole)
	}
	// A new width renders what is seen, no more.
	seen = m.Renders
	m.SetSize(50, 20)
	view(m)
	if got := m.Renders - seen; got > 15 {
		t.Errorf("%d renders after a resize", got)
	}
}

func TestFollowsTheEndOnlyFromTheEnd(t *testing.T) {
	m, _ := newTalk(60, 12)
	fill(m, 20)
	if !strings.Contains(view(m), "answer 19") {
		t.Fatal("does not show the end at first")
	}
	m.Put(say("x", "newest"))
	if !strings.Contains(view(m), "newest") {
		t.Fatal("does not follow the end")
	}
	m.Page(-1)
	before := view(m)
	if m.AtEnd() || !strings.Contains(before, "more below") {
		t.Fatalf("no sign of what is below:\n%s", before)
	}
	m.Put(reply("y", "even newer"))
	m.Append("y", " and growing")
	after := view(m)
	if !strings.Contains(after, "1 new message below") {
		t.Errorf("no word of the new message:\n%s", after)
	}
	if lines := m.View(); strings.Join(lines[:len(lines)-1], "\n") != before[:strings.LastIndexByte(before, '\n')] {
		t.Errorf("the view moved:\n%s\nwas:\n%s", after, before)
	}
	m.Page(1)
	m.Page(1)
	if !m.AtEnd() || !strings.Contains(view(m), "even newer") {
		t.Error("does not follow again after coming back")
	}
	m.ScrollTop()
	if !strings.Contains(view(m), "question 0") {
		t.Error("top is not the top")
	}
}

func TestResizeKeepsThePlace(t *testing.T) {
	m, _ := newTalk(60, 12)
	fill(m, 40)
	m.Page(-3)
	first := strings.TrimSpace(m.View()[0])
	for _, w := range []int{40, 90, 60} {
		m.SetSize(w, 12)
		if got := view(m); !strings.Contains(got, first) {
			t.Errorf("width %d: %q is gone:\n%s", w, first, got)
		}
	}
}

func TestScrollingIsReversible(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m, _ := newTalk(rapid.IntRange(10, 50).Draw(t, "w"), rapid.IntRange(3, 15).Draw(t, "h"))
		fill(m, 10)
		m.ScrollTop()
		m.ScrollBy(rapid.IntRange(0, 10).Draw(t, "start"))
		before := view(m)
		n := rapid.IntRange(0, 8).Draw(t, "n")
		m.ScrollBy(n)
		m.ScrollBy(-n)
		if m.AtEnd() {
			return
		}
		if got := view(m); got != before {
			t.Fatalf("got\n%s\nwant\n%s", got, before)
		}
	})
}

func TestMoveSelects(t *testing.T) {
	m, _ := newTalk(60, 10)
	fill(m, 10)
	m.SetFocus(true)
	if e, _ := m.Selected(); e.ID != "a9" {
		t.Fatalf("selected %q", e.ID)
	}
	for range 5 {
		m.Move(-1)
		e, _ := m.Selected()
		if got := view(m); !strings.Contains(got, "▌") || !strings.Contains(got, strings.SplitN(e.Text, "\n", 2)[0]) {
			t.Fatalf("%s is selected and not seen:\n%s", e.ID, got)
		}
	}
	for range 30 {
		m.Move(-1)
	}
	if e, _ := m.Selected(); e.ID != "u0" {
		t.Errorf("selected %q at the top", e.ID)
	}
	if !strings.Contains(view(m), "question 0") {
		t.Error("the first message is not seen")
	}
}

func TestPointMarksTheWords(t *testing.T) {
	md := &plainText{}
	m := New(md, time.UTC, words.Pictures{})
	m.SetStyles(theme.New(theme.Dark, true), md)
	m.SetSize(60, 8)
	fill(m, 20)
	text := "我叫小博，我喜欢 tea"
	m.Put(say("src", text))
	fill2 := say("z", strings.Repeat("later\n", 30))
	m.Put(fill2)
	off := strings.Index(text, "我喜欢")
	if !m.Point("src", off, len("我喜欢 tea")) {
		t.Fatal("not found")
	}
	if got := view(m); !strings.Contains(got, m.styles.Mark.Render("我喜欢 tea")) {
		t.Errorf("not marked: %q", got)
	}
	m.Unpoint()
	if got := view(m); strings.Contains(got, m.styles.Mark.Render("我喜欢 tea")) {
		t.Error("still marked")
	}
	if m.Point("nobody", 0, 0) {
		t.Error("pointed at nothing")
	}
	m.Point("src", 5, 1000) // out of range: no mark, no panic
	view(m)
}

func TestLoadKeepsWhatStreams(t *testing.T) {
	m, _ := newTalk(60, 20)
	m.Put(say("1", "one"))
	m.Put(reply("turn:2", ""))
	m.Append("turn:2", "arriving")
	m.Load([]Entry{say("0", "zero"), say("1", "one, edited")})
	var ids []string
	for _, e := range m.Entries() {
		ids = append(ids, e.ID)
	}
	if got := strings.Join(ids, " "); got != "0 1 turn:2" {
		t.Fatalf("ids %s", got)
	}
	got := view(m)
	for _, want := range []string{"zero", "one, edited", "arriving"} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is missing:\n%s", want, got)
		}
	}
	m.Replace("turn:2", reply("2", "arrived"))
	if got := view(m); !strings.Contains(got, "arrived") || strings.Contains(got, "arriving") {
		t.Errorf("not replaced:\n%s", got)
	}
	m.Replace("1", reply("2", "the same answer again"))
	if got := view(m); m.Len() != 2 || strings.Contains(got, "edited") {
		t.Errorf("an answer stands twice:\n%s", got)
	}
}

// U6: of an answer that comes at once and does not fit, the beginning is shown; a short one, and one that is looked
// at elsewhere, moves nothing.
func TestShowBeginning(t *testing.T) {
	lines := make([]string, 12)
	for i := range lines {
		lines[i] = fmt.Sprint("line ", i)
	}
	long := strings.Join(lines, "\n")
	for name, c := range map[string]struct {
		entries []Entry
		top     bool   // it was scrolled up
		first   string // of the view
		end     bool
	}{
		"long":            {[]Entry{say("1", "What?"), reply("2", long)}, false, "luna", false},
		"short":           {[]Entry{say("1", "What?"), reply("2", "line 0")}, false, "you", true},
		"read elsewhere":  {[]Entry{say("1", "What?"), reply("2", long)}, true, "you", false},
		"a long question": {[]Entry{say("1", long), reply("2", "line 0")}, false, "line", true},
	} {
		t.Run(name, func(t *testing.T) {
			m, _ := newTalk(40, 8)
			m.Reset(c.entries)
			if c.top {
				m.ScrollTop()
			}
			m.ShowBeginning("2")
			if view := m.View(); !strings.Contains(view[0], c.first) || m.AtEnd() != c.end {
				t.Errorf("at the end %v, the view is\n%s", m.AtEnd(), strings.Join(view, "\n"))
			}
		})
	}
}
