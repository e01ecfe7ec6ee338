package words

import (
	"strconv"
	"strings"
	"time"

	"memoria/memory"
	"memoria/memory/journal"
	"memoria/ui/clean"
)

// JournalFile says what a file of the journal is: "summary of the day, by rules, 31 messages".
func (w Words) JournalFile(f memory.JournalFile) string {
	out := w.Named("journal.kind", string(f.Kind))
	if f.By != "" {
		out += w.Say("journal.by", w.Translate(f.By))
	}
	if f.Messages > 0 {
		out += w.comma() + w.Count(f.Messages, "message")
	}
	switch {
	case f.Edited:
		out += w.Say("journal.edited")
	case f.Covered != "":
		out += w.Say("journal.covered", f.Covered)
	}
	return out
}

// JournalRow is a file of the journal in a list.
func (w Words) JournalRow(f memory.JournalFile) Row {
	path, what := clean.Line(f.Path), w.JournalFile(f)
	return Row{Sentence: path + w.colon() + what, Columns: Pad(path, 44) + " " + what}
}

// JournalStatus says how a journal is doing.
func (w Words) JournalStatus(s journal.Status, now time.Time) (out Fields) {
	add := func(id, said string) { out = append(out, Field{w.Say(id), said, id}) }
	at := func(t time.Time) string { return when(t, now) }
	if !s.Enabled {
		add("journal.is", w.Say("journal.off"))
		return out
	}
	count := func(kind memory.JournalKind) string {
		if n := s.Files[kind]; n > 0 {
			return strconv.Itoa(n)
		}
		return w.Say("none")
	}
	add("journal.files", w.Say("journal.files.are", count(memory.JournalVerbatim), w.Count(s.Files[memory.JournalDay], "summary"),
		w.Count(s.Files[memory.JournalMonth], "summary"), count(memory.JournalOwn)))
	if s.Rules > 0 {
		add("journal.by-rules", w.Count(s.Rules, "summary"))
	}
	switch waiting := w.Count(s.Waiting, "message"); {
	case s.Running:
		add("journal.waiting", w.Say("journal.waiting.now", waiting))
	case s.Waiting == 0:
		add("journal.waiting", w.Say("journal.waiting.none"))
	case s.NextRun.After(now):
		add("journal.waiting", w.Say("journal.waiting.until", waiting, at(s.NextRun)))
	default:
		add("journal.waiting", w.Say("journal.waiting.due", waiting))
	}
	if s.LastRun.IsZero() {
		add("journal.written", w.Say("journal.never"))
	} else {
		add("journal.written", at(s.LastRun))
	}
	for _, f := range s.Failing {
		add("journal.failing", w.Say("journal.failing.is", f.Path, w.Count(f.Attempts, "time"), at(f.NextAt)))
	}
	if s.Broken != "" {
		add("journal.index", w.Say("journal.index.none", s.Broken))
	}
	if n := len(s.Events); n > 0 {
		e := s.Events[n-1]
		add("journal.noted", at(e.At)+" "+e.Text)
	}
	add("journal.folder", s.Dir)
	return out
}

// JournalReport says what an archiving did.
func (w Words) JournalReport(r journal.Report) string {
	switch {
	case len(r.Files) > 0:
		return w.Say("journal.report", w.Count(r.Messages, "message"), w.Count(len(r.Files), "file"))
	case len(r.Failed) > 0:
		return w.Say("journal.report.failed", w.Count(len(r.Failed), "summary"))
	case r.Waiting > 0:
		return w.Say("journal.report.waiting", w.Count(r.Waiting, "message"))
	}
	return w.Say("journal.report.nothing")
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
func (w Words) JournalHit(h journal.Hit) string {
	id := "journal.found.index"
	if h.Scanned {
		id = "journal.found.files"
	}
	return w.Say(id, h.Score, clean.Line(w.List(h.Words)))
}

// JournalFound says what became of a passage that was found for a turn; path is empty when its
// file was deleted since.
func (w Words) JournalFound(f memory.FoundPassage, path string) string {
	if path == "" {
		path = w.Say("journal.forgotten")
	}
	return w.Say("journal.found", clean.Line(path), f.Score, clean.Line(w.Translate(f.Why)))
}
