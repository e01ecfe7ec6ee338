package transcript

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"memoria/ui/term/markdown"
	"memoria/ui/term/theme"
	"memoria/ui/words"
)

// Scrolling and opening 2,000 messages render what is seen, and no more is kept
// than a bound.
func TestALongConversationIsRenderedLazily(t *testing.T) {
	m, md := newTalk(80, 24)
	var entries []Entry
	for i := range 1000 {
		entries = append(entries, say(fmt.Sprint("u", i), "question"), reply(fmt.Sprint("a", i), strings.Repeat("word\n", 100)))
	}
	m.Load(entries)
	view(m)
	if m.Renders > 3 {
		t.Errorf("opening 2,000 messages rendered %d", m.Renders)
	}
	steps := func(n int, move func()) {
		t.Helper()
		before := m.Renders
		for range n {
			move()
			view(m)
			if m.kept > maxKept+200 {
				t.Fatalf("%d lines are kept", m.kept)
			}
		}
		if got := m.Renders - before; got > n {
			t.Errorf("%d renders for %d steps", got, n)
		}
	}
	steps(300, func() { m.Page(-1) })
	steps(20, func() { m.ScrollBy(-1) })
	m.ScrollTop()
	steps(100, func() { m.Page(1) })
	// Back over what was just seen costs nothing.
	before := m.Renders
	for range 20 {
		m.Page(-1)
		view(m)
	}
	if m.Renders != before {
		t.Errorf("%d renders of what had been seen", m.Renders-before)
	}
	seen := m.Renders
	for w := 60; w < 80; w++ {
		m.SetSize(w, 24)
		view(m)
	}
	if got := m.Renders - seen; got > 20*3 {
		t.Errorf("%d renders for 20 sizes", got)
	}
	kept := 0
	for _, it := range m.items {
		kept += len(it.thought) + len(it.body)
	}
	if kept > maxKept+200 || kept != m.kept {
		t.Errorf("%d lines are kept, counted %d", kept, m.kept)
	}
	if md.renders > 1000 {
		t.Errorf("%d answers rendered", md.renders)
	}
}

// pages makes lines as the program does.
type pages struct{ r *markdown.Renderer }

func (p *pages) at(width int) *markdown.Renderer {
	if p.r == nil || p.r.Width() != width {
		p.r = markdown.NewRenderer(width, markdown.Dark)
	}
	return p.r
}

func (p *pages) Render(text string, width int) []string { return p.at(width).Lines(text) }
func (p *pages) Stream(width int) Stream                { return markdown.NewStream(p.at(width)) }

// long is a conversation of n messages, answers of about 2 KB.
func long(n int) (entries []Entry) {
	answer := strings.Repeat("## 部署\n\n先运行 `pnpm build`，**然后**检查日志 and restart it.\n\n- 第一步：安装依赖\n- second step\n\n```go\nfunc main() { run() }\n```\n\n", 12)
	for i := range n / 2 {
		entries = append(entries, say(fmt.Sprint("u", i), "部署脚本还用 pnpm 吗？"), reply(fmt.Sprint("a", i), answer))
	}
	return entries
}

func opened(n int) *Model {
	md := &pages{}
	m := New(md, time.UTC, words.Pictures{})
	m.SetStyles(theme.New(theme.Dark, true), md)
	m.SetSize(83, 34)
	m.Load(long(n))
	return m
}

func BenchmarkOpen2000(b *testing.B) {
	entries := long(2000)
	m := opened(0)
	for b.Loop() {
		m.Reset(nil)
		m.Load(entries)
		m.View()
	}
}

// BenchmarkScroll is one turn of the wheel with its view.
func BenchmarkScroll(b *testing.B) {
	m, up := opened(2000), true
	for b.Loop() {
		if up {
			m.ScrollBy(-3)
		} else {
			m.ScrollBy(3)
		}
		m.View()
		if m.AtEnd() || m.top == 0 && m.line == 0 {
			up = !up
		}
	}
}

func BenchmarkPage(b *testing.B) {
	m, up := opened(2000), true
	for b.Loop() {
		n := 1
		if up {
			n = -1
		}
		m.Page(n)
		m.View()
		if m.AtEnd() || m.top == 0 && m.line == 0 {
			up = !up
		}
	}
}

func BenchmarkResize(b *testing.B) {
	m := opened(2000)
	m.Page(-20)
	for i := 0; b.Loop(); i++ {
		m.SetSize(60+i%40, 34)
		m.View()
	}
}

// BenchmarkDelta is one piece of 20 bytes of an answer of 64 KB with its view.
func BenchmarkDelta(b *testing.B) {
	text := strings.Repeat(long(2)[1].Text, 64<<10/len(long(2)[1].Text)+1)[:64<<10]
	m, at := opened(200), len(text)
	for b.Loop() {
		if at >= len(text) {
			b.StopTimer()
			m, at = opened(200), 0
			m.Put(reply("live", ""))
			b.StartTimer()
		}
		m.Append("live", text[at:min(at+20, len(text))])
		m.View()
		at += 20
	}
}
