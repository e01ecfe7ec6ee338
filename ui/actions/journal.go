package actions

import (
	"context"
	"errors"
	"strings"

	"memoria/chat"
	"memoria/memory"
	"memoria/memory/journal"
	"memoria/memory/manager/write"
	"memoria/ui/words"
)

// Journal returns the journal of the agent; a group has none.
func (c *Console) Journal() (*journal.Journal, error) {
	j, err := c.Memory.Journals().Journal(c.Agent.ID)
	if errors.Is(err, write.ErrGroup) {
		return nil, Refusal(c.Say("journal.of-group"))
	}
	return j, err
}

// readJournal lists the files of the journal, shows one, searches them, says how
// the journal is doing, or writes it now (J1–J7).
func readJournal(ctx context.Context, c *Console, what string) (Result, error) {
	switch what {
	case "":
		return journalList(ctx, c, "")
	case "status":
		return journalStatus(ctx, c, "")
	case "run":
		return WriteJournal(ctx, c, c.Chat.Summariser(), journal.Wanted{Now: true, Retry: true})
	}
	r, err := JournalText(ctx, c, what)
	if err != nil || len(r.Lines) > 0 {
		return r, err
	}
	return searchJournal(ctx, c, what)
}

// journalFiles is what journal list --json prints.
type journalFiles struct {
	Files []memory.JournalFile `json:"files"`
}

// journalList lists the files of the journal.
func journalList(ctx context.Context, c *Console, _ string) (Result, error) {
	j, err := c.Journal()
	if err != nil {
		return Result{}, err
	}
	files, err := j.Files(ctx)
	r := Result{Data: journalFiles{append([]memory.JournalFile{}, files...)}}
	if len(files) == 0 {
		r.Notes = []string{c.Say("journal.none")}
		return r, err
	}
	r.List = &List{Total: len(files), What: "file", Hint: c.Say("journal.hint")}
	for _, f := range files {
		r.List.Rows = append(r.List.Rows, c.Words.JournalRow(f))
	}
	return r, err
}

// journalStatus says how the journal is doing.
func journalStatus(ctx context.Context, c *Console, _ string) (Result, error) {
	j, err := c.Journal()
	if err != nil {
		return Result{}, err
	}
	st, err := j.Status(ctx)
	return Result{Data: st, Fields: c.Words.JournalStatus(st, c.Now())}, err
}

// journalRun is what journal run --json prints.
type journalRun struct {
	Messages int             `json:"messages"`
	Files    []string        `json:"files"`
	Failed   []journalFailed `json:"failed"`
	Waiting  int             `json:"waiting"`
}

type journalFailed struct {
	Path  string `json:"path"`
	Error string `json:"error"`
	Next  string `json:"next"`
}

// WriteJournal writes now what waits for the journal.
func WriteJournal(ctx context.Context, c *Console, by journal.Summariser, wanted journal.Wanted) (Result, error) {
	j, err := c.Journal()
	if err != nil {
		return Result{}, err
	}
	report, err := j.RunWith(ctx, by, wanted)
	if err != nil {
		return Result{}, err
	}
	out := journalRun{Messages: report.Messages, Files: append([]string{}, report.Files...),
		Failed: []journalFailed{}, Waiting: report.Waiting}
	r := Result{Notes: []string{c.Words.JournalReport(report)}}
	for _, f := range report.Failed {
		out.Failed = append(out.Failed, journalFailed{f.Path, f.Err.Error(), f.Next.Format("2006-01-02T15:04:05Z07:00")})
		r.Notes = append(r.Notes, c.Say("journal.failed", line(f.Path), line(c.Words.Translate(chat.Explain(f.Err).Text))))
	}
	if c.Mode == Shell {
		r.Lines = report.Files
	}
	if n := len(report.Failed); n > 0 && c.Mode == Shell {
		r.Failed = Refusal(c.Say("journal.again", c.Words.Count(n, "summary"), words.Moment(report.Failed[0].Next, c.Now().Location())))
	}
	r.Data = out
	return r, nil
}

// journalShown is what journal show --json prints for a file.
type journalShown struct {
	File    memory.JournalFile `json:"file"`
	Records []string           `json:"records"`
	Text    string             `json:"text"`
}

// JournalText returns the text of the files of the journal that a path or a date names; nothing
// when it names none.
func JournalText(ctx context.Context, c *Console, name string) (r Result, err error) {
	j, err := c.Journal()
	if err != nil {
		return r, err
	}
	files, err := j.Files(ctx)
	if err != nil {
		return r, err
	}
	var shown []any
	for i, f := range words.JournalNamed(files, name) {
		text, err := j.Read(f.Path)
		if err != nil {
			return r, err
		}
		d := journal.Parse(text)
		shown = append(shown, journalShown{f, append([]string{}, d.Records...), d.Body})
		body := strings.TrimSpace(journal.Plain(d.Body))
		switch {
		case c.Mode != Shell:
			r.Lines = append(r.Lines, c.Words.JournalRow(f).Sentence)
			for l := range strings.SplitSeq(body, "\n") {
				r.Lines = append(r.Lines, line(l))
			}
		case i > 0:
			r.Lines = append(r.Lines, "", body)
		default:
			r.Lines = append(r.Lines, body)
		}
	}
	r.Data = Each(shown)
	return r, nil
}

// Each are values of which a command prints each as JSON, one after the other.
type Each []any

// journalFound is what journal search --json prints.
type journalFound struct {
	Keywords []string      `json:"keywords"`
	Hits     []journal.Hit `json:"hits"`
}

// searchJournal finds passages of the journal.
func searchJournal(ctx context.Context, c *Console, text string) (Result, error) {
	j, err := c.Journal()
	if err != nil {
		return Result{}, err
	}
	hits, err := j.Search(ctx, journal.Query{Text: text, Limit: journal.MostHits})
	keys, _ := journal.Keywords(text, nil)
	r := Result{Data: journalFound{append([]string{}, keys...), append([]journal.Hit{}, hits...)}}
	if len(hits) == 0 {
		r.Notes = []string{c.Say("journal.no-match")}
	}
	for _, h := range hits {
		r.Lines = append(r.Lines, c.Say("journal.hit", line(h.Path), line(h.Text[h.From:h.To])))
	}
	return r, err
}
