package words

import (
	"fmt"
	"strings"
	"time"

	"memoria/memory"
	"memoria/memory/journal"
	"memoria/ui/clean"
)

// JournalFile says what a file of the journal is: "summary of the day, by rules, 31 messages".
func JournalFile(f memory.JournalFile) string {
	out := map[memory.JournalKind]string{
		memory.JournalVerbatim: "word for word", memory.JournalDay: "summary of the day", memory.JournalMonth: "summary of the month",
		memory.JournalOwn: "your notes",
	}[f.Kind]
	if f.By != "" {
		out += ", by " + f.By
	}
	if f.Messages > 0 {
		out += ", " + Count(f.Messages, "message")
	}
	switch {
	case f.Edited:
		out += ", edited by you"
	case f.Covered != "":
		out += ", also in " + f.Covered
	}
	return out
}

// JournalRow is a file of the journal in a list.
func JournalRow(f memory.JournalFile) Row {
	path, what := clean.Line(f.Path), JournalFile(f)
	return Row{Sentence: path + ": " + what, Columns: fmt.Sprintf("%-44s %s", path, what)}
}

// JournalStatus says how a journal is doing.
func JournalStatus(s journal.Status, now time.Time) (out Fields) {
	add := func(name, format string, args ...any) {
		out = append(out, Field{name, fmt.Sprintf(format, args...)})
	}
	at := func(t time.Time) string { return when(t, now) }
	if !s.Enabled {
		add("journal", "off (journal.enabled)")
		return out
	}
	add("files", "%s word for word, %s of a day, %s of a month, %s of your own",
		count(s.Files[memory.JournalVerbatim]), Count(s.Files[memory.JournalDay], "summary"),
		Count(s.Files[memory.JournalMonth], "summary"), count(s.Files[memory.JournalOwn]))
	if s.Rules > 0 {
		add("by rules", "%s", Count(s.Rules, "summary"))
	}
	switch {
	case s.Running:
		add("waiting", "%s; the journal is being written now", Count(s.Waiting, "message"))
	case s.Waiting == 0:
		add("waiting", "nothing")
	case s.NextRun.After(now):
		add("waiting", "%s, until %s at the latest", Count(s.Waiting, "message"), at(s.NextRun))
	default:
		add("waiting", "%s, due now", Count(s.Waiting, "message"))
	}
	if s.LastRun.IsZero() {
		add("written", "never")
	} else {
		add("written", "%s", at(s.LastRun))
	}
	for _, f := range s.Failing {
		add("failed", "%s, %s; next attempt %s", f.Path, Count(f.Attempts, "time"), at(f.NextAt))
	}
	if s.Broken != "" {
		add("index", "none, searches read the files: %s", s.Broken)
	}
	if n := len(s.Events); n > 0 {
		e := s.Events[n-1]
		add("noted", "%s %s", at(e.At), e.Text)
	}
	add("folder", "%s", s.Dir)
	return out
}

// JournalReport says what an archiving did.
func JournalReport(r journal.Report) string {
	switch {
	case len(r.Files) > 0:
		return fmt.Sprintf("%s put into the journal, %s written", Count(r.Messages, "message"), Count(len(r.Files), "file"))
	case len(r.Failed) > 0:
		return Count(len(r.Failed), "summary") + " could not be made"
	case r.Waiting > 0:
		return Count(r.Waiting, "message") + " wait for a summary"
	}
	return "nothing to do: all of it is in the journal"
}

func count(n int) string {
	if n == 0 {
		return "none"
	}
	return fmt.Sprint(n)
}

// JournalNamed finds files by path, date, or a part of the path.
func JournalNamed(files []memory.JournalFile, name string) (out []memory.JournalFile) {
	for _, fits := range []func(memory.JournalFile) bool{
		func(f memory.JournalFile) bool { return f.Path == name },
		func(f memory.JournalFile) bool { return f.Date == name },
		func(f memory.JournalFile) bool { return strings.Contains(f.Path, name) },
	} {
		for _, f := range files {
			if fits(f) {
				out = append(out, f)
			}
		}
		if len(out) > 0 {
			return out
		}
	}
	return nil
}

// JournalHit says why a passage was found.
func JournalHit(h journal.Hit) string {
	how := "in the index"
	if h.Scanned {
		how = "by reading the files"
	}
	return fmt.Sprintf("%.1f; has %s; found %s", h.Score, clean.Line(strings.Join(h.Words, ", ")), how)
}

// JournalFound says what became of a passage that was found for a turn; path is empty when its
// file was deleted since.
func JournalFound(f memory.FoundPassage, path string) string {
	if path == "" {
		path = "[forgotten]"
	}
	return fmt.Sprintf("%s; %.1f, %s", clean.Line(path), f.Score, clean.Line(f.Why))
}
