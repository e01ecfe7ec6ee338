package status

import (
	"strings"
	"testing"
	"time"

	"charm.land/bubbles/v2/key"
	"pgregory.net/rapid"

	"memoria/ui/term/cells"
	"memoria/ui/term/keys"
	"memoria/ui/term/theme"
	"memoria/ui/words"
)

var plain = theme.New(theme.None, true)

func TestTop(t *testing.T) {
	top := Top{Agent: "luna", Model: "gpt-4.1-mini", Endpoint: "api.openai.com", Title: "Deploying to Fly 部署脚本", Turns: 1234}
	for _, tt := range []struct {
		w    int
		want string
	}{
		{120, " memoria   luna · gpt-4.1-mini at api.openai.com · Deploying to Fly 部署脚本                      1 234 turns  ● saved  "},
		{80, " memoria   luna · gpt-4.1-mini · Deploying to Fly 部署脚… 1 234 turns  ● saved  "},
		{60, " memoria   luna · gpt-4.1-mini        1 234 turns  ● saved  "},
	} {
		if got := strings.ReplaceAll(top.View(plain, tt.w), "\u00a0", " "); got != tt.want {
			t.Errorf("%d:\n%q\n%q", tt.w, got, tt.want)
		}
	}
	top.Agent, top.Saving = "memoria", Failed
	if got := top.View(plain, 80); !strings.HasPrefix(got, " memoria   gpt-4.1-mini · ") {
		t.Errorf("got %q", got)
	}
	if got := top.View(plain, 80); !strings.Contains(got, "✗ not saved") {
		t.Errorf("got %q", got)
	}
}

func TestBottom(t *testing.T) {
	k := keys.Default(words.Words{})
	b := Bottom{Keys: []key.Binding{k.Input.Send, k.Global.NextPane, k.Global.Help}, Tokens: 1284, Window: 9, Took: 420 * time.Millisecond}
	for _, tt := range []struct {
		w    int
		want string
	}{
		{100, " enter send · tab next pane · F1 help                       ~1 284 tokens · 9 messages sent · 0.4 s "},
		{60, " enter send · tab next pane         9 messages sent · 0.4 s "},
	} {
		if got := strings.ReplaceAll(b.View(plain, tt.w), "\u00a0", " "); got != tt.want {
			t.Errorf("%d:\n%q\n%q", tt.w, got, tt.want)
		}
	}
	b.Index = "building the index: 5 of 10"
	if got := b.View(plain, 60); !strings.Contains(got, b.Index) {
		t.Errorf("the index is not told: %q", got)
	}
	b.Say = "ctrl+c again quits"
	if got := b.View(plain, 60); !strings.HasPrefix(got, " ctrl+c again quits ") {
		t.Errorf("got %q", got)
	}
	if got := seconds(words.Words{}, 83*time.Second); got != "1:23 min" {
		t.Errorf("got %q", got)
	}
}

// Both lines in Chinese, at the smallest sizes.
func TestChinese(t *testing.T) {
	in := words.Words{Language: words.Chinese}
	top := Top{Words: in, Agent: "luna", Model: "gpt-4.1-mini", Endpoint: "api.openai.com", Title: "部署脚本", Turns: 1234, Demo: true}
	b := Bottom{Words: in, Tokens: 1284, Window: 9, Took: 83 * time.Second}
	for _, tt := range []struct {
		got, want string
	}{
		{top.View(plain, 100), " memoria 演示   luna · gpt-4.1-mini（api.openai.com） · 部署脚本                1 234 轮  ● 已保存  "},
		{top.View(plain, 60), " memoria 演示   luna · gpt-4.1-mini     1 234 轮  ● 已保存  "},
		{b.View(plain, 90), "                                                 ~1 284 token · 发送了 9 条消息 · 1:23 分 "},
		{b.View(plain, 60), "                                  发送了 9 条消息 · 1:23 分 "},
	} {
		if got := strings.ReplaceAll(tt.got, "\u00a0", " "); got != tt.want {
			t.Errorf("\n%q\n%q", got, tt.want)
		}
	}
}

// A notice that has no room beside the figures has the line.
func TestNoticeBeforeFigures(t *testing.T) {
	b := Bottom{Say: strings.Repeat("a notice ", 5), Tokens: 1284, Window: 9, Took: time.Second}
	if got := b.View(plain, 60); !strings.Contains(got, strings.TrimSpace(b.Say)) || cells.Width(got) != 60 {
		t.Errorf("%q", got)
	}
}

func TestWidthIsExact(t *testing.T) {
	k := keys.Default(words.Words{})
	rapid.Check(t, func(t *rapid.T) {
		w := rapid.IntRange(60, 200).Draw(t, "w")
		text := rapid.StringOf(rapid.SampledFrom([]rune("ab 部署\x1b\u202e\n"))).Draw(t, "text")
		top := Top{Agent: text, Model: text, Endpoint: text, Title: text, Turns: rapid.IntRange(0, 1<<20).Draw(t, "turns")}
		if got := top.View(plain, w); cells.Width(got) != w {
			t.Fatalf("top is %d wide: %q", cells.Width(got), got)
		}
		b := Bottom{Keys: []key.Binding{k.Input.Send, k.Global.Help}, Say: text, Index: text, Tokens: 5, Took: time.Second}
		if got := b.View(plain, w); cells.Width(got) != w || strings.ContainsAny(got, "\x1b\u202e\n") {
			t.Fatalf("bottom is %d wide: %q", cells.Width(got), got)
		}
	})
}
