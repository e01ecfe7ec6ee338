package mcp

import (
	"context"
	"errors"
	"strings"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"memoria/memory"
	"memoria/memory/journal"
	"memoria/memory/lookup"
)

// The resources.
const (
	Profile  = "memoria://profile"
	LongTerm = "memoria://memory.md"
)

func (s *server) addResources(m *sdk.Server) {
	for _, r := range []struct {
		uri, name string
		read      func(context.Context) (string, error)
	}{{Profile, "profile", s.profile}, {LongTerm, "memory.md", s.longTerm}} {
		m.AddResource(&sdk.Resource{
			URI: r.uri, Name: r.name, Description: s.texts.Field("resource." + r.name), MIMEType: "text/markdown",
		}, func(ctx context.Context, _ *sdk.ReadResourceRequest) (*sdk.ReadResourceResult, error) {
			return s.resource(ctx, r.name, r.read)
		})
	}
}

// errUnread is what a client is told of a resource that cannot be read; the log has why.
var errUnread = errors.New("it cannot be read")

func (s *server) resource(ctx context.Context, name string, read func(context.Context) (string, error)) (*sdk.ReadResourceResult, error) {
	var said string
	err := s.during(ctx, "reading "+name, func(ctx context.Context) (err error) {
		said, err = read(ctx)
		return err
	})
	if err != nil {
		s.Logger.Warn("a resource cannot be read", "resource", name, "error", err)
		return nil, errUnread
	}
	if len(said) > maxFile {
		said = said[:maxFile] + memory.OmissionMark
	}
	said = strings.ToValidUTF8(said, "\uFFFD")
	if said == "" {
		said = "\n" // a client expects a text
	}
	return &sdk.ReadResourceResult{Contents: []*sdk.ResourceContents{{Text: said}}}, nil
}

func (s *server) profile(ctx context.Context) (string, error) {
	p, err := s.Memory.Profiles().Profile(ctx, s.Agent.ID)
	return p.Markdown, err
}

// longTerm returns the user's notes without comments, which are not for models.
func (s *server) longTerm(context.Context) (string, error) {
	j, err := s.Memory.Journals().Journal(s.Agent.ID)
	if err != nil {
		return "", err
	}
	said, err := j.Read(journal.LongTerm)
	if errors.Is(err, lookup.ErrNotFound) {
		return "", nil
	}
	return strings.TrimLeft(journal.WithoutComments(said), "\n"), err
}
