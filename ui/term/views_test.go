package term

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/exp/golden"

	"memoria/chat/model/modeltest"
	"memoria/memory"
	"memoria/ui/term/pane"
	"memoria/ui/words"
)

// history is what a user said before the views are drawn.
type history struct {
	words words.Words
	days  [][]string // a session each, with answers of the model after messages
	agent memory.Agent
	topic string
	facts map[string]string // of the working memory
	typed string            // in the input
}

// histories have memories of several types and days, two that wait for approval, a profile,
// sessions, a turn with recall, and files of the journal.
var histories = map[string]history{
	"english": {
		words: words.Words{Language: words.English},
		days: [][]string{
			{
				"My name is Bo and I live in Oslo.", "Nice to meet you, Bo.",
				"I work as a nurse. My cat is called Miso.", "Give Miso my regards.",
				"my email is bo@example.org", "I will not use it.",
			},
			{
				"I like green tea.", "Noted: green tea it is.",
				"Remember that the deploy runs on Fridays.", "Every Friday, then.",
				"My goal is to run a marathon in May.", "Eleven weeks are left.",
			},
			{
				"I moved to Bergen last week.", "Welcome to Bergen!",
				"Please answer in short sentences.", "I will.",
				"Which tea do I like?", "You like green tea.\n\n```sh\nbrew --tea green\n```",
			},
		},
		agent: memory.Agent{ID: "sol", Name: "Sol", Persona: "You are calm."},
		topic: "tea", facts: map[string]string{"kettle": "new"},
		typed: "what about my cat and green tea",
	},
	"chinese": {
		words: words.Words{Language: words.Chinese},
		days: [][]string{
			{
				"我叫小博，我住在上海。", "你好，小博。",
				"我是护士。我的猫叫元宝。", "替我向元宝问好。",
				"我的邮箱是 bo@example.org", "我不会用到它。",
			},
			{
				"我喜欢喝绿茶。", "记下了：绿茶。",
				"记住每周五部署。", "好，每周五。",
				"我的目标是五月跑一次马拉松。", "还有十一周。",
			},
			{
				"我上周搬到了杭州。", "欢迎来到杭州！",
				"请用简短的句子回答。", "好的。",
				"我喜欢喝什么茶？", "你喜欢喝绿茶。\n\n```sh\nbrew --tea green\n```",
			},
		},
		agent: memory.Agent{ID: "sol", Name: "小阳", Persona: "你很冷静。"},
		topic: "喝茶", facts: map[string]string{"水壶": "新的"},
		typed: "我的猫和绿茶",
	},
}

// live plays a history.
func (p *typist) live(h history) {
	p.t.Helper()
	_, err := p.w.conversations.AddAgent(p.t.Context(), h.agent)
	must(p.t, err)
	for i, day := range h.days {
		if i > 0 {
			time.Sleep(26 * time.Hour)
			p.settle()
			p.ctrl('n')
		}
		for n := 0; n < len(day); n += 2 {
			p.server.Add(modeltest.Step{Text: day[n+1]})
			p.say(day[n])
			p.pass(time.Minute)
		}
	}
	p.pass(10 * time.Second) // the journal follows
	_, err = p.w.manager.EditWorking(p.t.Context(), "luna", p.w.chat.Session().ID, func(w *memory.Working) {
		w.CurrentTopic, w.ContextVariables = h.topic, h.facts
	})
	must(p.t, err)
	p.pass(time.Second)
}

// drawn are frames, each under its name.
type drawn struct{ strings.Builder }

func (d *drawn) add(name, frame string) {
	fmt.Fprintf(d, "═══ %s\n%s\n", name, varying(frame))
}

// random matches what may differ between two runs: ids, hashes, names made of ids, and sizes of
// files. Its letters and digits are drawn as crosses.
var random = regexp.MustCompile(`\b[0-9A-HJKMNP-TV-Z]{8}\b|\b[0-9a-f]{12,}\b|\bmem[ -][0-9a-z]{8}\b|` +
	`\b[0-9.]+ kB\b|(?m: [0-9]\.[0-9]$)|[(（][0-9]+ ?%`)

func varying(frame string) string {
	return random.ReplaceAllStringFunc(frame, func(s string) string {
		if _, err := strconv.Atoi(s); err == nil { // a number of eight digits
			return s
		}
		return letterOrDigit.ReplaceAllString(s, "×")
	})
}

var letterOrDigit = regexp.MustCompile(`[0-9A-Za-z]`)

// Every view, the help and the palette, in both languages and at four sizes.
func TestViews(t *testing.T) {
	for name, h := range histories {
		frames := map[[2]int]*drawn{}
		t.Run(name, func(t *testing.T) {
			t.Chdir(t.TempDir()) // its name is not the same twice
			synctest.Test(t, func(t *testing.T) {
				p := typistIn(t, ".", 140, 40, func(in *habitat) {
					in.words, in.ids = h.words, memory.NewIDs(rand.NewChaCha8([32]byte{}))
					in.now = func() time.Time { return time.Now().UTC() }
				})
				defer p.close()
				p.live(h)
				for _, size := range viewSizes {
					frames[size] = p.views(size, h)
				}
			})
		})
		for _, size := range viewSizes {
			t.Run(fmt.Sprintf("%s/%dx%d", name, size[0], size[1]), func(t *testing.T) {
				if frames[size] != nil {
					golden.RequireEqual(t, frames[size].String())
				}
			})
		}
	}
}

var viewSizes = [][2]int{{80, 24}, {100, 30}, {140, 40}, {200, 50}}

// views draws every view at a size.
func (p *typist) views(size [2]int, h history) *drawn {
	p.t.Helper()
	d := &drawn{}
	p.send(tea.WindowSizeMsg{Width: size[0], Height: size[1]})
	p.home()
	p.pass(time.Second)
	d.add("conversation", p.whole())
	for id := pane.Recall; id <= pane.Health; id++ {
		p.root.say = "" // so that the hints are seen
		p.open(id)
		p.pass(time.Second)
		d.add(id.Name(words.Words{}), p.whole())
		if id == pane.Recall {
			p.home()
			p.words(h.typed)
			p.send(pane.Callback(func() tea.Cmd { return p.root.showPane(pane.Recall) }))
			p.pass(time.Second)
			d.add("recall, typed", p.whole())
			p.ctrl('c')
		}
	}
	p.home()
	p.key(tea.KeyF1)
	d.add("help", p.whole())
	p.home()
	p.ctrl('p')
	d.add("palette", p.whole())
	p.home()
	return d
}

// whole is the frame, each line of which has the width of the screen.
func (p *typist) whole() string {
	p.t.Helper()
	return plainFrame(p.t, p.root)
}
