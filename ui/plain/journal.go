package plain

import (
	"context"
	"errors"
	"strings"

	"memoria/chat"
	"memoria/memory"
	"memoria/memory/journal"
	"memoria/memory/manager"
	"memoria/memory/retrieve"
	"memoria/ui/clean"
	"memoria/ui/words"
)

// journal lists the files of the journal, says what is in one, searches them, says how the
// journal is, or has it written now (J1–J7).
func (s *session) journal(what string) {
	j, err := s.o.Memory.Journal(s.agent)
	if errors.Is(err, manager.ErrGroup) {
		s.say("a group has no journal of its own; what was said in it is in those of its members")
		return
	}
	if err != nil {
		s.tell(err)
		return
	}
	switch what {
	case "status":
		st, err := j.Status(s.ctx)
		if err != nil {
			s.tell(err)
			return
		}
		for _, l := range words.JournalStatus(st, s.o.Now()) {
			s.say("%s: %s", l.Name, clean.Line(l.Said))
		}
		return
	case "run":
		report, err := patiently(s, func(ctx context.Context) (journal.Report, error) {
			return j.RunWith(ctx, s.o.chat.Summariser(), journal.Wanted{Now: true, Retry: true})
		})
		if err != nil {
			s.tell(err)
			return
		}
		s.say("%s", words.JournalReport(report))
		for _, f := range report.Failed {
			s.say("%s was not written: %s", clean.Line(f.Path), clean.Line(chat.Explain(f.Err).Text))
		}
		return
	}
	files, err := j.Files(s.ctx)
	if err != nil {
		s.tell(err)
		return
	}
	if what == "" {
		s.journalFiles(files)
		return
	}
	if found := words.JournalNamed(files, what); len(found) > 0 {
		for _, f := range found {
			text, err := j.Read(f.Path)
			if err != nil {
				s.tell(err)
				return
			}
			s.say("%s: %s", clean.Line(f.Path), words.JournalFile(f))
			for line := range strings.SplitSeq(strings.TrimSpace(journal.Plain(journal.Parse(text).Body)), "\n") {
				s.say("%s", clean.Line(line))
			}
		}
		return
	}
	s.journalSearch(j, what)
}

func (s *session) journalFiles(files []memory.JournalFile) {
	if len(files) == 0 {
		s.say("the journal is empty; messages are put there some hours after they were said, or now with /journal run")
		return
	}
	rows := make([]string, len(files))
	for i, f := range files {
		rows[i] = clean.Line(f.Path) + ": " + words.JournalFile(f)
	}
	s.pages(rows, len(files), "file", "files", "/journal and a day or a path shows one")
}

func (s *session) journalSearch(j *journal.Journal, text string) {
	hits, err := j.Search(s.ctx, journal.Query{Text: text, Limit: journal.MostHits})
	if err != nil {
		s.tell(err)
		return
	}
	if len(hits) == 0 {
		s.say("the journal has no such file, and nothing in it fits")
	}
	for _, h := range hits {
		s.say("in %s: %s", clean.Line(h.Path), clean.Line(h.Text[h.From:h.To]))
	}
}

// passages says what of the journal would go with a text, beside the memories that would.
func (s *session) passages(text string, recall []retrieve.Scored) {
	found, err := s.o.chat.PreviewJournal(s.ctx, text, recall)
	if err != nil {
		s.tell(err)
	}
	for _, p := range found {
		s.say("from the journal, %s: %s", clean.Line(p.Path), clean.Line(p.Text[p.From:p.To]))
		s.say("   %s", words.JournalHit(p.Hit))
	}
}
