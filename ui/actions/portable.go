package actions

import (
	"cmp"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"memoria/memory/manager/portable"
	"memoria/memory/manager/write"
	"memoria/memory/transfer"
	"memoria/ui/clean"
	"memoria/ui/export"
	"memoria/ui/words"
)

// AgentExport says where an agent is exported to.
type AgentExport struct {
	File       string    // empty: Out
	Out        io.Writer // receives the archive once it is complete
	Force      bool      // overwrites File
	Encryption transfer.Encryption
	Program    string // the version of the program
}

// exported is what export --json prints.
type exported struct {
	Agent     string         `json:"agent"`
	Name      string         `json:"name"`
	File      string         `json:"file,omitempty"`
	Bytes     int64          `json:"bytes"`
	Encrypted bool           `json:"encrypted"`
	Counts    map[string]int `json:"counts"`
}

// ExportName returns the name of the file for an agent's export, if none is given.
func ExportName(c *Console) string {
	return "memoria-" + c.Agent.ID + "-" + c.Now().Format(time.DateOnly) + ".zip"
}

// ExportAgent writes all data of the agent as one archive (D1).
func ExportAgent(ctx context.Context, c *Console, e AgentExport) (Result, error) {
	data := exported{Agent: c.Agent.ID, File: e.File, Encrypted: e.Encryption.On()}
	archive := func(to io.Writer) error {
		counted := &counting{to: to}
		out, err := e.Encryption.Writer(counted)
		if err != nil {
			return err
		}
		var described transfer.Agent
		err = c.watchData("export.progress", func(progress portable.Progress) error {
			described, err = portable.New(c.Memory.Core).ExportAgent(ctx, c.Agent.ID, e.Program, out, progress)
			return err
		})
		data.Name, data.Counts = described.Name, described.Counts
		if err = errors.Join(err, out.Close()); err == nil {
			data.Bytes = counted.n
		}
		return err
	}
	err := error(nil)
	if e.File != "" {
		err = export.To(e.File, e.Force, archive)
	} else {
		err = spooled(e.Out, archive)
	}
	if errors.Is(err, write.ErrGroup) {
		return c.refuse("export.group", c.Agent.ID)
	}
	if err != nil {
		return Result{}, c.Unwritten(err)
	}
	counts := []string{words.Bytes(data.Bytes)}
	for _, what := range []string{"conversations", "messages", "memories"} {
		counts = append(counts, c.Words.Count(data.Counts[what], singular[what]))
	}
	r := Result{Data: data, Notes: []string{c.Say("export.agent", cmp.Or(data.Name, data.Agent), c.Words.List(counts))}}
	if n := data.Counts["unreadable"]; n > 0 {
		r.Notes = append(r.Notes, c.Say("export.unreadable", c.Words.Count(n, "long message")))
	}
	if e.File != "" {
		r.Lines = []string{clean.Line(e.File)}
	}
	return r, nil
}

// Unwritten says that a file of the user cannot be made, if that is what an error is about.
func (c *Console) Unwritten(err error) error {
	var at *export.FolderError
	switch {
	case !errors.As(err, &at):
		return err
	case errors.Is(err, fs.ErrNotExist):
		return Refusal(c.Say("export.no-folder", clean.Line(at.Folder)))
	}
	return Refusal(c.Say("export.folder", clean.Line(at.Folder), clean.Line(at.Err.Error())))
}

var singular = map[string]string{"conversations": "conversation", "messages": "message", "memories": "memory"}

type counting struct {
	to io.Writer
	n  int64
}

func (c *counting) Write(b []byte) (int, error) {
	n, err := c.to.Write(b)
	c.n += int64(n)
	return n, err
}

// spooled writes to out only when all is written, so that a slow reader does not keep a
// transaction open, and an error writes nothing.
func spooled(out io.Writer, archive func(io.Writer) error) error {
	f, err := os.CreateTemp("", "memoria-export-*")
	if err != nil {
		return err
	}
	defer func() {
		_ = f.Close()
		_ = os.Remove(f.Name())
	}()
	if err := archive(f); err != nil {
		return err
	}
	if _, err := f.Seek(0, io.SeekStart); err != nil {
		return err
	}
	_, err = io.Copy(out, f)
	return err
}

// watchData does something to the data of an agent and tells how far it is, when it takes
// long, with an estimate.
func (c *Console) watchData(message string, do func(portable.Progress) error) error {
	var done, total atomic.Int64
	begun := c.Now()
	return Watched(func() error {
		return do(func(n, of int) {
			done.Store(int64(n))
			total.Store(int64(of))
		})
	}, func() {
		if n, of := done.Load(), total.Load(); n > 0 && n <= of {
			c.remark(message, n, of, c.Words.Seconds(c.Now().Sub(begun)*time.Duration(of-n)/time.Duration(n)))
		}
	})
}

// AgentImport says what is imported, and how the user is asked.
type AgentImport struct {
	File    string
	To      string // the agent, empty: that of the export
	Unknown error  // says that there is no agent To; it may be that of the export
	Preview bool   // only show
	// Unseen says that the user agreed before the rules were shown: they wait in the inbox.
	Unseen bool
	Secret transfer.Secret
	Agree  func(what string) error
}

// ImportAgent brings an export of an agent into the memory (D1): it shows what will come,
// and asks unless this memory wrote the file and the agent is empty.
func ImportAgent(ctx context.Context, c *Console, i AgentImport) (Result, error) {
	a, err := transfer.Open(i.File, i.Secret, transfer.Limits{})
	var file *fs.PathError
	if errors.As(err, &file) {
		return c.refuse("import.unread", clean.Line(c.Words.Error(err)))
	}
	if err != nil {
		return Result{}, err
	}
	defer func() { _ = a.Close() }()
	w, o := portable.New(c.Memory.Core), portable.Options{To: i.To, Current: c.Agent.ID}
	if i.Unknown != nil && !slices.ContainsFunc(a.Manifest.Agents, func(exported transfer.Agent) bool { return exported.ID == i.To }) {
		return Result{}, i.Unknown
	}
	var coming portable.Report
	err = c.watchData("import.checking", func(progress portable.Progress) error {
		coming, err = w.Look(ctx, a, o, progress)
		return err
	})
	if errors.Is(err, write.ErrGroup) {
		return c.refuse("import.group", cmp.Or(i.To, a.Manifest.Agents[0].ID))
	}
	if err != nil {
		return Result{}, err
	}
	r := Result{Data: portableData{Report: coming}, Lines: reportLines(c, coming)}
	if i.Preview || coming.Nothing() {
		return r, nil
	}
	shown := !coming.Trusted() && !i.Unseen
	if shown {
		for _, line := range r.Lines {
			c.Aside(line)
		}
	}
	if !coming.Trusted() {
		if err := i.Agree(c.Say("import.agent.really", cmp.Or(coming.Name, coming.From), coming.Agent)); err != nil {
			return Result{}, err
		}
		o.HoldRules = i.Unseen
	}
	var done portable.Report
	err = c.watchData("import.data", func(progress portable.Progress) error {
		done, err = w.ImportAgent(ctx, a, o, progress)
		return err
	})
	if err != nil {
		return Result{}, err
	}
	after := doneLines(c, done)
	if shown { // what was announced is not said again
		after = slices.DeleteFunc(after, func(line string) bool { return slices.Contains(r.Lines, line) })
		after = append([]string{c.Say("import.into", cmp.Or(done.Name, done.From), done.Agent)}, after...)
	}
	r = Result{Data: portableData{Report: done, Imported: true}, Lines: after}
	if o.HoldRules && len(done.Rules) > 0 {
		r.Notes = append(r.Notes, c.Say("import.held", c.Words.Count(done.Held, "rule waits")))
		for _, rule := range done.Rules {
			if rule.Kind == portable.RulePersona && done.Agent == o.Current {
				r.Notes = append(r.Notes, c.Say("import.left", clean.Line(rule.Text)))
			}
		}
	} else if done.Held > 0 {
		r.Notes = append(r.Notes, c.Say("import.rivals", c.Words.Count(done.Held, "memory waits")))
	}
	return r, nil
}

// portableData is what import --json prints.
type portableData struct {
	portable.Report
	Imported bool `json:"imported"`
}

// Messages by the kinds of a rule and of a conflict.
var (
	ruleSaid = map[string]string{
		portable.RuleMemory: "import.rule.memory", portable.RuleProfile: "import.rule.profile", portable.RulePersona: "import.rule.persona",
	}
	differs = map[string]string{
		"session": "import.differs.session", "memory": "import.differs.memory", "journal": "import.differs.journal",
	}
)

// reportLines says what an import would do.
func reportLines(c *Console, r portable.Report) []string {
	where := "import.elsewhere"
	if r.Own {
		where = "import.own"
	}
	lines := []string{c.Say(where, cmp.Or(r.Name, r.From), words.Moment(r.ExportedAt, c.Now().Location()))}
	lines = append(lines, sums(c, r)...)
	if !r.DeletedAt.IsZero() {
		lines = append(lines, c.Say("import.agent.deleted", r.Agent, words.Moment(r.DeletedAt, c.Now().Location())))
	}
	if len(r.Rules) > 0 {
		lines = append(lines, c.Say("import.rules", len(r.Rules)))
	}
	for _, rule := range r.Rules {
		lines = append(lines, "  "+c.Say(ruleSaid[rule.Kind], clean.Line(rule.Text)))
	}
	return append(lines, conflicts(c, r)...)
}

// doneLines says what an import did.
func doneLines(c *Console, r portable.Report) []string {
	return append(sums(c, r), conflicts(c, r)...)
}

// sums says for each kind how much is new, newer, here already, deleted and different.
func sums(c *Console, r portable.Report) (lines []string) {
	for _, of := range []struct {
		portable.Sum
		total string
	}{
		{r.Conversations, c.Words.Count(r.Conversations.Total, "conversation")}, {r.Messages, c.Words.Count(r.Messages.Total, "message")},
		{r.Memories, c.Words.Count(r.Memories.Total, "memory")}, {r.Profile, c.Say("import.versions", r.Profile.Total)},
		{r.Journal, c.Words.Count(r.Journal.Total, "journal file")},
	} {
		var parts []string
		for _, part := range []struct {
			n  int
			id string
		}{
			{of.New, "import.new"}, {of.Newer, "import.newer"}, {of.Known, "import.here"},
			{of.Deleted, "import.stays"}, {of.Kept, "import.kept"},
		} {
			if part.n > 0 {
				parts = append(parts, c.Say(part.id, part.n))
			}
		}
		if of.Total > 0 {
			lines = append(lines, of.total+c.Say("sep.colon")+strings.Join(parts, c.Say("sep.comma")))
		}
	}
	if len(lines) == 0 {
		lines = append(lines, c.Say("import.nothing"))
	}
	return lines
}

// conflicts names what differs and is kept.
func conflicts(c *Console, r portable.Report) (lines []string) {
	for i, k := range r.Conflicts {
		if i == maxListed {
			return append(lines, c.Say("import.more", len(r.Conflicts)-i))
		}
		id := k.ID
		if k.Kind != "journal" {
			id = words.ShortID(id)
		}
		lines = append(lines, c.Say(differs[k.Kind], clean.Line(id)))
	}
	if r.Refusals {
		lines = append(lines, c.Say("import.refusals"))
	}
	return lines
}
