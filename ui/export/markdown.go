package export

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"memoria/index/text"
	"memoria/memory"
)

// Session is the content of a document.
type Session struct {
	memory.Session
	Agent string // display name, for the headings
	// Records are the current branch, oldest first. The first Before of them belong to
	// the session that this one was forked from, titled From; Gone of those are
	// deleted.
	Records      []memory.Record
	Before, Gone int
	From         string
	// Names are a group's speakers by id.
	Names map[string]string
	// Others are the records of other branches; nil omits them.
	Others []memory.Record
}

// Markdown returns the whole document, with times in loc.
func Markdown(s Session, loc *time.Location) string {
	w := writer{agent: cmp.Or(s.Agent, s.AgentID), names: s.Names, loc: loc}
	w.front(s)
	if s.Gone > 0 {
		w.note(fmt.Sprintf("%d earlier %s deleted", s.Gone, plural(s.Gone, "message was", "messages were")))
	}
	for i, r := range s.Records {
		if i == s.Before && s.ForkedFrom != nil {
			w.note("forked here from " + cmp.Or(inline(s.From), "a session that was deleted"))
		}
		w.record(r)
	}
	if len(s.Others) > 0 {
		w.b.WriteString("# Other branches\n\n")
		for _, r := range s.Others {
			w.record(r)
		}
	}
	return w.b.String()
}

// Name returns a file name for a session, made of its day and title.
func Name(s memory.Session) string {
	title := strings.Trim(unfit().ReplaceAllString(strings.ToLower(s.Title), "-"), "-")
	if r := []rune(title); len(r) > maxName {
		title = strings.Trim(string(r[:maxName]), "-")
	}
	return s.CreatedAt.Format(time.DateOnly) + "-" + cmp.Or(title, "session") + ".md"
}

// maxName is the number of characters of the title in a file name.
const maxName = 40

// unfit matches the characters that are replaced in a file name.
var unfit = text.LazyRegexp(`[^\p{L}\p{N}]+`)

func plural(n int, one, many string) string {
	if n == 1 {
		return one
	}
	return many
}

type writer struct {
	b     strings.Builder
	agent string
	names map[string]string
	loc   *time.Location
}

func (w *writer) front(s Session) {
	title := cmp.Or(strings.Join(strings.Fields(s.Title), " "), "(no title)")
	quoted, _ := json.Marshal(title) // JSON's strings are YAML's
	fmt.Fprintf(&w.b, "---\ntitle: %s\nsession: %s\nagent: %s\nbegan: %s\nlast_message: %s\nmessages: %d\n---\n\n# %s\n\n",
		quoted, s.ID, s.AgentID, s.CreatedAt.In(w.loc).Format(time.RFC3339), s.LastMessageAt.In(w.loc).Format(time.RFC3339),
		len(s.Records), inline(title))
}

// note writes a remark about the document. Quoted words in it must be escaped.
func (w *writer) note(text string) { fmt.Fprintf(&w.b, "*%s*\n\n", text) }

func (w *writer) record(r memory.Record) {
	if r.Role == memory.RoleTool {
		w.body("searched: "+r.Content, "text")
		return
	}
	who := "you"
	if r.Role == memory.RoleAssistant {
		who = w.agent
	}
	// The id distinguishes a heading of the document from one inside a message.
	fmt.Fprintf(&w.b, "## %s · %s", inline(cmp.Or(w.names[r.Sender], r.Sender, who)), r.Timestamp.In(w.loc).Format("2006-01-02 15:04:05"))
	if r.Model != "" {
		w.b.WriteString(" · " + inline(r.Model))
	}
	fmt.Fprintf(&w.b, " <!-- %s -->\n\n", r.ID)
	switch {
	case r.Role != memory.RoleAssistant:
		w.parts(r)
	case strings.TrimSpace(r.Content) == "":
	case isContained(r.Content):
		w.b.WriteString(strings.TrimRight(r.Content, "\n") + "\n\n")
	default:
		w.fence(r.Content, "markdown")
	}
	switch why := inline(r.Metadata.Error); {
	case r.Status == memory.StatusComplete:
	case why != "":
		w.note(string(r.Status) + ": " + why)
	case r.Status != "":
		w.note(string(r.Status) + "; the partial answer is kept")
	}
}

// parts writes a message with its pasted texts in fences.
func (w *writer) parts(r memory.Record) {
	at := 0
	spans := r.Given()
	slices.SortFunc(spans, func(x, y memory.Span) int { return cmp.Compare(x.Offset, y.Offset) })
	for _, s := range spans {
		lo := min(max(s.Offset, at), len(r.Content))
		hi := min(max(s.Offset+s.Length, lo), len(r.Content))
		if lo == hi {
			continue
		}
		w.body(r.Content[at:lo], "text")
		w.fence(r.Content[lo:hi], s.Kind)
		at = hi
	}
	w.body(r.Content[at:], "text")
}

// body writes text that is not Markdown.
func (w *writer) body(text, kind string) {
	switch {
	case strings.TrimSpace(text) == "":
	case verbatim(text):
		w.b.WriteString(strings.TrimRight(text, "\n") + "\n\n")
	default:
		w.fence(text, kind)
	}
}

// fence writes a text unchanged between two marker lines that do not occur in it.
func (w *writer) fence(text, kind string) {
	marks := Fence(text)
	w.b.WriteString(marks + kind + "\n" + text)
	if !strings.HasSuffix(text, "\n") {
		w.b.WriteString("\n")
	}
	w.b.WriteString(marks + "\n\n")
}

// Fence returns a row of at least three backquotes, longer than any row in text.
func Fence(text string) string {
	longest, run := 2, 0
	for i := range len(text) {
		if run++; text[i] != '`' {
			run = 0
		}
		longest = max(longest, run)
	}
	return strings.Repeat("`", longest+1)
}

// inline returns a text on one line, with Markdown's special characters escaped.
func inline(s string) string {
	s = strings.Join(strings.Fields(s), " ")
	return meaning().ReplaceAllString(s, `\$0`)
}

// meaning matches the characters that have a meaning to Markdown inside a line.
var meaning = text.LazyRegexp("[\\\\`*_{}\\[\\]<>#|~$&]")

// verbatim reports whether Markdown shows a text unchanged: it has no line breaks
// except between paragraphs, and no special characters.
func verbatim(s string) bool {
	if meaning().MatchString(s) || strings.ContainsAny(s, "\r\t\v\f\x00\u0085\u2028\u2029") {
		return false
	}
	for p := range strings.SplitSeq(strings.TrimRight(s, "\n"), "\n\n") {
		if p == "" || strings.Contains(p, "\n") || strings.TrimSpace(p) != p || strings.Contains(p, "  ") || opening().MatchString(p) {
			return false
		}
	}
	return true
}

// opening matches the beginning of a list item, a rule or a heading.
var opening = text.LazyRegexp(`^(?:[-+=]|\d+[.)])`)

// own matches lines that could be taken for a heading of the document, also underlined
// ones.
var own = text.LazyRegexp(`^ {0,3}(?:##? |<|={1,}\s*$|-{1,}\s*$|\[[^\]]*\]:)`)

// isContained reports whether an answer's Markdown neither ends nor imitates a part of
// the document. All its fences are closed. Outside them, no line is a heading of the
// document's levels, a rule, raw HTML, or a link definition.
func isContained(s string) bool {
	open := ""
	for line := range strings.SplitSeq(strings.ReplaceAll(s, "\r", "\n"), "\n") {
		trimmed := strings.TrimLeft(line, " ")
		marks := trimmed[:len(trimmed)-len(strings.TrimLeft(trimmed, trimmed[:min(1, len(trimmed))]))]
		fence := len(marks) >= 3 && (marks[0] == '`' || marks[0] == '~') && len(line)-len(trimmed) < 4
		switch {
		case open != "":
			if fence && marks[0] == open[0] && len(marks) >= len(open) && strings.TrimSpace(trimmed[len(marks):]) == "" {
				open = ""
			}
		case fence && strings.Contains(trimmed[len(marks):], "`"):
			return false // Markdown readers disagree about it
		case fence:
			open = marks
		case own().MatchString(line) || strings.Contains(line, "<!--"):
			return false
		}
	}
	return open == ""
}
