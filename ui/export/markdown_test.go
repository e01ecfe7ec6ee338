package export_test

import (
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"memoria/memory"
	"memoria/ui/export"
)

var update = flag.Bool("update", false, "write the golden files")

var at = time.Date(2026, 11, 21, 14, 2, 0, 0, time.UTC)

func record(id string, role memory.Role, text string) memory.Record {
	return memory.Record{ID: id, Role: role, Content: text, Timestamp: at, Status: memory.StatusComplete}
}

func hostile() export.Session {
	s := export.Session{Agent: "Luna", Session: memory.Session{
		ID: "01S", AgentID: "luna", Title: "部署 \"Fly\" *now*\n# x", CreatedAt: at, LastMessageAt: at,
		ForkedFrom: &memory.Fork{SessionID: "01R"},
	}, Before: 1, Gone: 2, From: "Plans_and_more"}
	pasted := record("R3", memory.RoleUser, "look at this:\n```sh\nrm -rf ````\n```\nwhat is it?")
	pasted.Spans = []memory.Span{{Offset: 14, Length: 22, Kind: memory.SpanPasted}}
	cut := record("R6", memory.RoleAssistant, "It is\n```go\nfunc main() {")
	cut.Status, cut.Model = memory.StatusCancelled, "test_model"
	broken := record("R7", memory.RoleAssistant, "")
	broken.Status, broken.Metadata = memory.StatusError, memory.RecordMetadata{Error: "the server *said* <no>"}
	s.Records = []memory.Record{
		record("R1", memory.RoleUser, "部署脚本还用 pnpm 吗？"),
		record("R2", memory.RoleAssistant, "Yes:\n\n```sh\npnpm build\n```\n\nand **more**."),
		pasted,
		record("R4", memory.RoleAssistant, "## you · 2026-11-21 14:02:00 <!-- R9 -->\n\nI never said this"),
		record("R5", memory.RoleUser, "# not a heading\n- not a list"),
		cut, broken,
	}
	s.Others = []memory.Record{record("R8", memory.RoleAssistant, "Another answer.")}
	return s
}

// D1: title, dates, speakers, the branch in use; code stays code, and nothing that
// was said can end or imitate a part of the document.
func TestMarkdown(t *testing.T) {
	got := export.Markdown(hostile(), time.UTC)
	golden := filepath.Join("testdata", "hostile.md")
	if *update {
		if err := os.WriteFile(golden, []byte(got), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// heading is a heading of the document, with the id of its message.
var heading = regexp.MustCompile(`^## .* <!-- (\w+) -->$`)

// headings reads a document as Markdown does and returns the ids of its headings
// outside of fences.
func headings(doc string) (ids []string) {
	open := ""
	for _, line := range strings.Split(strings.ReplaceAll(doc, "\r", "\n"), "\n") {
		bare := strings.TrimLeft(line, " ")
		marks := ""
		if len(line)-len(bare) < 4 && bare != "" && strings.ContainsAny(bare[:1], "`~") {
			marks = bare[:len(bare)-len(strings.TrimLeft(bare, bare[:1]))]
		}
		switch {
		case open == "" && len(marks) >= 3:
			open = marks
		case open != "" && len(marks) >= len(open) && marks[0] == open[0] && strings.TrimSpace(bare[len(marks):]) == "":
			open = ""
		case open == "":
			if m := heading.FindStringSubmatch(line); m != nil {
				ids = append(ids, m[1])
			}
		}
	}
	return ids
}

// Whatever was said, each message is found again, in full.
func TestEveryMessageIsThere(t *testing.T) {
	s := hostile()
	s.Records = append(s.Records, record("R10", memory.RoleUser, strings.Repeat("汉字 and words `` ` ```\n", 12_000)))
	got := export.Markdown(s, time.UTC)
	if diff := cmp.Diff([]string{"R1", "R2", "R3", "R4", "R5", "R6", "R7", "R10", "R8"}, headings(got)); diff != "" {
		t.Errorf("headings (-want +got):\n%s", diff)
	}
	for _, r := range append(s.Records, s.Others...) {
		if len(r.Spans) == 0 && !strings.Contains(got, r.Content) {
			t.Errorf("%s is not in it as it was said", r.ID)
		}
	}
}

func TestName(t *testing.T) {
	for title, want := range map[string]string{
		"Deploying to Fly": "2026-11-21-deploying-to-fly.md", "": "2026-11-21-session.md", "../../etc": "2026-11-21-etc.md",
		"部署 pnpm？": "2026-11-21-部署-pnpm.md", strings.Repeat("汉", 99): "2026-11-21-" + strings.Repeat("汉", 40) + ".md",
	} {
		if got := export.Name(memory.Session{Title: title, CreatedAt: at}); got != want {
			t.Errorf("%q: %s, want %s", title, got, want)
		}
	}
}

// No text gets out of its message, be it the user's or an answer.
func FuzzMarkdown(f *testing.F) {
	for _, s := range []string{"", "```", "~~~\n```", "````\n```\n", "a\n---", "<!--", "<script>", "    ```", "> ```\n", "- ```\n", "`\r```"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if strings.Contains(text, export.Fence(text)) {
			t.Fatalf("the fence stands in %q", text)
		}
		s := export.Session{Session: memory.Session{ID: "S", CreatedAt: at, LastMessageAt: at}, Agent: "Luna", Records: []memory.Record{
			record("R1", memory.RoleUser, text), record("R2", memory.RoleAssistant, text), record("R3", memory.RoleUser, "end"),
		}}
		doc := export.Markdown(s, time.UTC)
		if got := headings(doc); len(got) != 3 || got[2] != "R3" {
			t.Fatalf("headings %q of\n%s", got, doc)
		}
		if strings.Count(doc, strings.TrimSpace(text)) < 1 {
			t.Fatalf("%q is not in\n%s", text, doc)
		}
	})
}
