package prompts

import (
	"math"
	"strings"
	"sync"
	"testing"

	"pgregory.net/rapid"
)

// samples carry the true counts of the o200k_base vocabulary.
var samples = []struct {
	kind string
	want int
	text string
}{
	{"english", 38, "Last spring we moved into a small flat above the bakery, and ever since I have woken up to the smell of bread. My neighbour says the ovens start at three in the morning."},
	{"english", 30, "Please remember that I prefer short answers. If I need the long version I will ask for it, and then I would like the sources as well."},
	{"english", 23, "The committee postponed its decision until the auditors had finished their report, which surprised nobody who had read the preliminary findings."},
	{"english", 24, "I don't think it's fair that she's paying for everything. Can't we split the bill? We've all had about the same."},
	{"english", 25, "My name is Ines, I work as a nurse in Porto, and my two cats are called Moss and Biscuit."},
	{"english", 27, "Photosynthesis converts light into chemical energy: chlorophyll absorbs photons, water is split, and oxygen leaves the leaf as a by-product."},
	{"chinese", 35, "我去年从上海搬到了成都，现在在一家做农业软件的公司上班。周末喜欢去山里徒步，偶尔也会拍一些照片。"},
	{"chinese", 31, "请记住，我对海鲜过敏，尤其是虾和螃蟹。推荐餐厅的时候不要推荐海鲜店。"},
	{"chinese", 37, "关于这次的项目，我觉得时间安排得有些紧。如果能把测试推迟一周，我们就可以先把文档写完，再开始下一阶段的工作。"},
	{"chinese", 26, "妈妈说下个月要来看我，我得提前把房间收拾干净，再买一些她爱吃的水果。"},
	{"chinese", 26, "人工智能正在改变我们的生活方式，但是它带来的问题也值得认真思考，比如隐私、就业和教育公平。"},
	{"chinese", 40, "這個週末我想帶孩子去圖書館借書，順便買一些文具。你覺得下雨天開車去會不會很麻煩？"},
	{"mixed", 30, "部署脚本还用 pnpm 吗？上次你说 CI 里的 lockfile 有冲突，我已经 rebase 过了。"},
	{"mixed", 21, "我喜欢用 Python 写代码，但是公司的 backend 全是 Go，所以最近在学 goroutine 和 channel。"},
	{"mixed", 28, "帮我看一下这个 error：connection refused，端口 8080 明明已经 open 了，Docker 也在 running。"},
	{"mixed", 29, "下周三的 meeting 改到 3:30 PM，地点还是 Room 204，记得带上 Q3 的 report。"},
	{"code", 54, "func (s *Store) Put(key string, value []byte) error {\n\tif key == \"\" {\n\t\treturn ErrEmptyKey\n\t}\n\ts.mu.Lock()\n\tdefer s.mu.Unlock()\n\ts.data[key] = append([]byte(nil), value...)\n\treturn nil\n}\n"},
	{"code", 61, "for i, row := range rows {\n\tif row.Deleted || row.Expires.Before(now) {\n\t\tcontinue\n\t}\n\ttotal += row.Amount * rates[row.Currency]\n\tfmt.Fprintf(w, \"%3d  %-20s %8.2f\\n\", i, row.Name, row.Amount)\n}\n"},
	{"code", 61, "def read_rows(path, *, skip_header=True):\n    with open(path, newline=\"\", encoding=\"utf-8\") as f:\n        reader = csv.reader(f)\n        if skip_header:\n            next(reader, None)\n        for row in reader:\n            yield [cell.strip() for cell in row]\n"},
	{"code", 57, "class Cache:\n    \"\"\"Keeps the newest results.\"\"\"\n\n    def __init__(self, size=128):\n        self._items = OrderedDict()\n        self._size = size\n\n    def get(self, key, default=None):\n        return self._items.get(key, default)\n"},
	{"code", 61, "#!/usr/bin/env bash\nset -euo pipefail\nfor f in \"$@\"; do\n  if [[ -f \"$f\" ]]; then\n    gzip -9 -k -- \"$f\" && printf '%s\\n' \"packed $f\" >&2\n  fi\ndone\n"},
	{"code", 45, "const debounce = (fn, ms = 200) => {\n  let timer;\n  return (...args) => {\n    clearTimeout(timer);\n    timer = setTimeout(() => fn(...args), ms);\n  };\n};\n"},
	{"code", 65, "SELECT c.name, COUNT(*) AS orders, SUM(o.total) AS revenue\nFROM customers c\nJOIN orders o ON o.customer_id = c.id\nWHERE o.created_at >= '2025-01-01'\nGROUP BY c.name\nHAVING SUM(o.total) > 1000\nORDER BY revenue DESC;\n"},
	{"code", 56, "pub fn parse_header(line: &str) -> Option<(&str, &str)> {\n    let (name, value) = line.split_once(':')?;\n    if name.is_empty() {\n        return None;\n    }\n    Some((name.trim(), value.trim()))\n}\n"},
	{"json", 48, "{\"id\": 4711, \"type\": \"preference\", \"content\": \"uses pnpm, not npm\", \"confidence\": 0.92, \"tags\": [\"tools\", \"javascript\"], \"is_active\": true}"},
	{"json", 66, "{\n  \"name\": \"demo\",\n  \"version\": \"1.4.0\",\n  \"scripts\": {\n    \"build\": \"tsc -p .\",\n    \"test\": \"vitest run\"\n  },\n  \"dependencies\": {\n    \"zod\": \"^3.23.8\"\n  }\n}\n"},
	{"json", 61, "[{\"t\":\"2026-01-28T14:02:11Z\",\"level\":\"warn\",\"msg\":\"slow query\",\"ms\":412},{\"t\":\"2026-01-28T14:02:15Z\",\"level\":\"info\",\"msg\":\"cache filled\",\"entries\":20480}]"},
	{"markdown", 57, "# Release notes\n\n- **Faster start**: the index opens in the background.\n- Fixed a crash when the window was narrower than 20 columns.\n- `--json` now prints one object a line.\n\nSee [the guide](docs/guide.md) for details.\n"},
	{"markdown", 59, "## Steps\n\n1. Clone the repository and run `make setup`.\n2. Copy `config.example.toml` to `config.toml`.\n3. Start the server:\n\n```sh\n./bin/server --port 8080\n```\n\n> Note: the first start takes a minute.\n"},
	{"markdown", 51, "| city | people | since |\n| --- | ---: | --- |\n| Porto | 231,800 | 1123 |\n| Lyon | 522,250 | 43 BC |\n| Graz | 298,479 | 1128 |\n"},
	{"markdown", 37, "### 安装步骤\n\n- 先下载安装包，然后双击运行\n- 在**设置**里打开“自动更新”\n- 如果出现错误，请查看 `logs/app.log`\n"},
	{"url", 22, "https://example.com/docs/getting-started/installation?lang=en&version=2.1#linux"},
	{"url", 19, "https://git.example.org/team/project/blob/main/internal/server/handler.go#L120-L148"},
	{"url", 30, "See https://www.example.net/2024/11/why-caches-fail and http://localhost:11434/api/tags for details."},
}

// C7: within 15 % for English, Chinese and code by kind, within 30 % for any
// single short text; whole answers and packages are long, so the sum is what counts.
func TestTokensAgainstTrueCounts(t *testing.T) {
	type sum struct{ want, got int }
	kindSums := map[string]*sum{}
	for _, s := range samples {
		got := Tokens(s.text)
		if off := math.Abs(float64(got-s.want)) / float64(s.want); off > 0.30 {
			t.Errorf("%s: %d tokens, want %d (%+.0f %%): %.60q", s.kind, got, s.want,
				100*float64(got-s.want)/float64(s.want), s.text)
		}
		if kindSums[s.kind] == nil {
			kindSums[s.kind] = &sum{}
		}
		kindSums[s.kind].want += s.want
		kindSums[s.kind].got += got
	}
	for kind, s := range kindSums {
		off := float64(s.got)/float64(s.want) - 1
		t.Logf("%-9s %4d tokens, estimate %4d (%+.1f %%)", kind, s.want, s.got, 100*off)
		if math.Abs(off) > 0.15 {
			t.Errorf("%s: sum is off by %+.1f %%", kind, 100*off)
		}
	}
}

func TestTokensEdges(t *testing.T) {
	for text, want := range map[string]int{"": 0, "a": 1, " ": 1, "\n": 1, "\xff": 1, "我": 1} {
		if got := Tokens(text); got != want {
			t.Errorf("Tokens(%q) = %d, want %d", text, got, want)
		}
	}
}

// A text never costs less for being longer by a paragraph, and any bytes at
// all are counted without running away.
func TestTokensProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a := string(rapid.SliceOf(rapid.Byte()).Draw(t, "a"))
		b := rapid.String().Draw(t, "b")
		na, nb, both := Tokens(a), Tokens(b), Tokens(a+"\n\n"+b)
		if both > na+nb+4 || both < na+nb-4 {
			t.Fatalf("%d + %d, but together %d", na, nb, both)
		}
		if na > 3*len(a)+1 {
			t.Fatalf("%d tokens for %d bytes", na, len(a))
		}
	})
}

func TestTokensDoesNotAllocate(t *testing.T) {
	text := strings.Repeat("Keep 记住 `x := y[1:]` — naïve 🎉 ", 50)
	if n := testing.AllocsPerRun(10, func() { Tokens(text) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func FuzzTokens(f *testing.F) {
	for _, s := range samples {
		f.Add(s.text)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if n := Tokens(s); n < 0 || n > 3*len(s)+1 || n == 0 && s != "" {
			t.Errorf("%d tokens for %d bytes", n, len(s))
		}
	})
}

func BenchmarkTokens(b *testing.B) {
	for _, kind := range []string{"english", "chinese", "code"} {
		var text strings.Builder
		for text.Len() < 1<<16 {
			for _, s := range samples {
				if s.kind == kind {
					text.WriteString(s.text)
				}
			}
		}
		s := text.String()
		b.Run(kind, func(b *testing.B) {
			b.SetBytes(int64(len(s)))
			b.ReportAllocs()
			for b.Loop() {
				Tokens(s)
			}
		})
	}
}

// C7: the server's usage corrects the estimate.
func TestCalibrationFollowsReports(t *testing.T) {
	var c Calibration
	if got := c.Ratio("m"); got != 1 {
		t.Errorf("ratio without reports = %v", got)
	}
	c.Observe("m", 1000, 1500)
	if got := c.Tokens("m", strings.Repeat("a b ", 100)); got != 288 {
		t.Errorf("corrected count = %d, want 192 × 1.5", got)
	}
	for range 40 {
		c.Observe("m", 1000, 1200)
	}
	if got := c.Ratio("m"); math.Abs(got-1.2) > 0.001 {
		t.Errorf("ratio = %v, want 1.2 after many equal reports", got)
	}
	if got := c.Ratio("other"); got != 1 {
		t.Errorf("another model's ratio = %v", got)
	}
}

func TestCalibrationOneReportIsNotEverything(t *testing.T) {
	var c Calibration
	c.Observe("m", 1000, 1000)
	c.Observe("m", 1000, 1400)
	if got := c.Ratio("m"); math.Abs(got-1.1) > 0.001 {
		t.Errorf("ratio = %v, want a quarter of the way", got)
	}
}

func TestCalibrationBounds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var c Calibration
		for range rapid.IntRange(0, 20).Draw(t, "reports") {
			c.Observe("m", rapid.Int().Draw(t, "estimated"), rapid.Int().Draw(t, "reported"))
			if r := c.Ratio("m"); r < 0.5 || r > 2 {
				t.Fatalf("ratio %v", r)
			}
		}
	})
	var c Calibration
	c.Observe("m", 10, 20) // too few to learn from
	c.Observe("m", 1000, 0)
	c.Observe("m", 0, 1000)
	if got := c.Ratio("m"); got != 1 {
		t.Errorf("ratio = %v after reports that say nothing", got)
	}
}

func TestCalibrationConcurrently(t *testing.T) {
	var c Calibration
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for i := range 200 {
				c.Observe("m", 1000, 900+i)
				c.Tokens("m", "how are you")
			}
		})
	}
	wg.Wait()
	if r := c.Ratio("m"); r < 0.9 || r > 1.1 {
		t.Errorf("ratio = %v", r)
	}
}
