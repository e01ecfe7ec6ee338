package words

import (
	"time"

	"memoria/memory"
	"memoria/memory/journal"
	"memoria/memory/vault"
)

// The functions of this file speak English, for the panes of the screen, whose own texts are
// in English. Each is the method of its name.

var screen Words

func Say(id string, args ...any) string                  { return screen.Say(id, args...) }
func Count(n int, what string) string                    { return screen.Count(n, what) }
func Ago(now, t time.Time) string                        { return screen.Ago(now, t) }
func Age(now, t time.Time) string                        { return screen.Age(now, t) }
func Span(from, to time.Time, loc *time.Location) string { return screen.Span(from, to, loc) }
func Layer(l memory.Layer) string                        { return screen.Layer(l) }
func Secret(kinds []string) string                       { return screen.Secret(kinds) }
func SessionTitle(s memory.Session) string               { return screen.SessionTitle(s) }
func Speaker(r memory.Record, who string) string         { return screen.Speaker(r, who) }
func Look(l memory.Look, loc *time.Location) string      { return screen.Look(l, loc) }
func Change(c memory.Change, loc *time.Location) string  { return screen.Change(c, loc) }
func Lessons(changes []memory.Change) []Lesson           { return screen.Lessons(changes) }
func JournalFile(f memory.JournalFile) string            { return screen.JournalFile(f) }
func JournalHit(h journal.Hit) string                    { return screen.JournalHit(h) }
func JournalReport(r journal.Report) string              { return screen.JournalReport(r) }
func Overruling(j memory.Judgement, title string) string { return screen.Overruling(j, title) }

func MemoryFields(it memory.Item, loc *time.Location) Fields { return screen.MemoryFields(it, loc) }
func ScoreParts(c memory.Parts, topic float64) Fields        { return screen.ScoreParts(c, topic) }
func JournalStatus(s journal.Status, now time.Time) Fields   { return screen.JournalStatus(s, now) }
func Erasing(e *vault.Erasing, loc *time.Location) []string  { return screen.Erasing(e, loc) }
func JudgementSentence(j memory.Judgement, title string) string {
	return screen.JudgementSentence(j, title)
}

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
