package rest

import (
	"context"
	"slices"

	"memoria/memory"
	"memoria/memory/journal"
	"memoria/memory/lookup"
)

// JournalFile is a file of the journal (J1).
type JournalFile struct {
	Path     string `json:"path" doc:"Its name in the other calls: memory/2026-01-28-deploy.md"`
	Kind     string `json:"kind" enum:"verbatim,day,month,own"`
	Date     string `json:"date" doc:"The day or month of its messages; empty for a file of the user"`
	Session  string `json:"session" doc:"The session of a verbatim file; else empty"`
	Messages int    `json:"messages"`
	By       string `json:"by" doc:"Who wrote a summary: rules, or a model; else empty"`
	Edited   bool   `json:"edited" doc:"The user owns its content"`
}

func journalFileOf(f memory.JournalFile) JournalFile {
	return JournalFile{
		Path: f.Path, Kind: string(f.Kind), Date: f.Date, Session: f.Session, Messages: f.Messages, By: f.By, Edited: f.Edited,
	}
}

func (s *Server) journalOf(ctx context.Context, of Of) (*journal.Journal, []memory.JournalFile, error) {
	agent, err := s.agent(ctx, of)
	if err != nil {
		return nil, nil, err
	}
	j, err := s.Memory.Journals().Journal(agent)
	if err != nil {
		return nil, nil, err
	}
	files, err := j.Files(ctx)
	return j, files, err
}

func (s *Server) journal(ctx context.Context, in *Recent) (*Body[Listed[JournalFile]], error) {
	_, files, err := s.journalOf(ctx, in.Of)
	if err != nil {
		return nil, err
	}
	return pageOf(in.Page, mapped(files, journalFileOf)), nil
}

// OfFile names a file of the journal.
type OfFile struct {
	Of
	File string `path:"file" maxLength:"300" doc:"The path of the file, slashes included"`
}

// JournalText is a file of the journal with its text.
type JournalText struct {
	JournalFile
	Records []string `json:"records" nullable:"false" doc:"The ids of its messages"`
	Text    string   `json:"text" doc:"Markdown"`
}

// journalFile reads one of the journal's own files: another path is not looked up on the disk.
func (s *Server) journalFile(ctx context.Context, in *OfFile) (*Body[JournalText], error) {
	j, files, err := s.journalOf(ctx, in.Of)
	if err != nil {
		return nil, err
	}
	i := slices.IndexFunc(files, func(f memory.JournalFile) bool { return f.Path == in.File })
	if i < 0 {
		return nil, lookup.ErrNotFound
	}
	text, err := j.Read(files[i].Path)
	d := journal.Parse(text)
	return body(JournalText{JournalFile: journalFileOf(files[i]), Records: append([]string{}, d.Records...), Text: d.Body}, err)
}
