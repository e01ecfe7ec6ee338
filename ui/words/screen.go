package words

import (
	"time"

	"memoria/memory"
	"memoria/memory/journal"
	"memoria/memory/vault"
)

// screen is the wording of the functions in this file: the panes of the screen, whose own
// texts are in English, say nouns with them.
var screen Words

// Say is [Language.Say] in English.
func Say(id string, args ...any) string { return screen.Say(id, args...) }

// Count is [Language.Count] in English.
func Count(n int, what string) string { return screen.Count(n, what) }

// Ago is [Language.Ago] in English.
func Ago(now, t time.Time) string { return screen.Ago(now, t) }

// Age is [Language.Age] in English.
func Age(now, t time.Time) string { return screen.Age(now, t) }

// Span is [Language.Span] in English.
func Span(from, to time.Time, loc *time.Location) string { return screen.Span(from, to, loc) }

// Layer is [Words.Layer] in English.
func Layer(l memory.Layer) string { return screen.Layer(l) }

// Secret is [Words.Secret] in English.
func Secret(kinds []string) string { return screen.Secret(kinds) }

// SessionTitle is [Words.SessionTitle] in English.
func SessionTitle(s memory.Session) string { return screen.SessionTitle(s) }

// Speaker is [Words.Speaker] in English.
func Speaker(r memory.Record, who string) string { return screen.Speaker(r, who) }

// Look is [Words.Look] in English.
func Look(l memory.Look, loc *time.Location) string { return screen.Look(l, loc) }

// Change is [Words.Change] in English.
func Change(c memory.Change, loc *time.Location) string { return screen.Change(c, loc) }

// Lessons is [Words.Lessons] in English.
func Lessons(changes []memory.Change) []Lesson { return screen.Lessons(changes) }

// JournalFile is [Words.JournalFile] in English.
func JournalFile(f memory.JournalFile) string { return screen.JournalFile(f) }

// JournalHit is [Words.JournalHit] in English.
func JournalHit(h journal.Hit) string { return screen.JournalHit(h) }

// JournalReport is [Words.JournalReport] in English.
func JournalReport(r journal.Report) string { return screen.JournalReport(r) }

// Overruling is [Words.Overruling] in English.
func Overruling(j memory.Judgement, title string) string { return screen.Overruling(j, title) }

// MemoryFields is [Words.MemoryFields] in English.
func MemoryFields(it memory.Item, loc *time.Location) Fields { return screen.MemoryFields(it, loc) }

// ScoreParts is [Words.ScoreParts] in English.
func ScoreParts(c memory.Parts, topic float64) Fields { return screen.ScoreParts(c, topic) }

// JournalStatus is [Words.JournalStatus] in English.
func JournalStatus(s journal.Status, now time.Time) Fields { return screen.JournalStatus(s, now) }

// Erasing is [Words.Erasing] in English.
func Erasing(e *vault.Erasing, loc *time.Location) []string { return screen.Erasing(e, loc) }

// JudgementSentence is [Words.JudgementSentence] in English.
func JudgementSentence(j memory.Judgement, title string) string {
	return screen.JudgementSentence(j, title)
}

// Taught is [Words.Taught] in English.
func Taught(lessons []Lesson, who string, changes []memory.Change) []Lesson {
	return screen.Taught(lessons, who, changes)
}

// Fate says what became of a message that is gone.
func (q Quote) Fate() string { return fate(screen, q) }

func ScoreNames() []string                              { return screen.ScoreNames() }
func TheWords(found []string) string                    { return screen.TheWords(found) }
func Share(n, of int) string                            { return screen.Share(n, of) }
func Cuts(p memory.Package) string                      { return screen.Cuts(p) }
func State(it memory.Item) string                       { return screen.State(it) }
func Month(m time.Month) string                         { return screen.Month(m) }
func Weekdays() []string                                { return screen.Weekdays() }
func Date(now, t time.Time, loc *time.Location) string  { return screen.Date(now, t, loc) }
func DayName(now, t time.Time, l *time.Location) string { return screen.DayName(now, t, l) }

func Reasons(it memory.Item, c, raw memory.Parts, keywords []string) []string {
	return screen.Reasons(it, c, raw, keywords)
}

func Because(it memory.Item, c, raw memory.Parts, keywords []string, why string) string {
	return screen.Because(it, c, raw, keywords, why)
}
