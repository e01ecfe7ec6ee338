package main

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"memoria/chat"
	"memoria/memory/manager"
	"memoria/memory/manager/portable"
	"memoria/memory/manager/write"
	"memoria/memory/transfer"
	"memoria/ui/app/demo"
)

// carrier exports and imports in a data folder.
type carrier struct {
	t   *testing.T
	dir string
	at  time.Time
}

// open runs fn with the memory of the folder.
func (c carrier) open(fn func(*manager.Manager, *portable.Writer)) {
	c.t.Helper()
	m, err := manager.Open(c.t.Context(), manager.Options{
		Dir: c.dir, Config: write.DefaultConfig(), Now: func() time.Time { return c.at },
	})
	if err != nil {
		c.t.Fatal(err)
	}
	fn(m, portable.New(m.Core))
	if err := m.Close(); err != nil {
		c.t.Error(err)
	}
}

// export writes an agent to a file and returns its name.
func (c carrier) export(agent string) string {
	c.t.Helper()
	var out bytes.Buffer
	c.open(func(_ *manager.Manager, w *portable.Writer) {
		if _, err := w.ExportAgent(c.t.Context(), agent, "test", &out, nil); err != nil {
			c.t.Fatal(err)
		}
	})
	name := filepath.Join(c.t.TempDir(), agent+".zip")
	if err := os.WriteFile(name, out.Bytes(), 0o600); err != nil {
		c.t.Fatal(err)
	}
	return name
}

// load imports a file, as after a yes to its rules.
func (c carrier) load(file string, o portable.Options) (report portable.Report) {
	c.t.Helper()
	a, err := transfer.Open(file, nil, transfer.Limits{})
	if err != nil {
		c.t.Fatal(err)
	}
	defer a.Close()
	c.open(func(_ *manager.Manager, w *portable.Writer) {
		coming, err := w.Look(c.t.Context(), a, o, nil)
		if err != nil {
			c.t.Fatal(err)
		}
		if report, err = w.ImportAgent(c.t.Context(), a, o, nil); err != nil {
			c.t.Fatal(err)
		}
		if diff := cmp.Diff(coming, report); diff != "" {
			c.t.Errorf("what was shown and what was done differ (-shown +done):\n%s", diff)
		}
	})
	return report
}

// contents returns the files of an export and its manifest without what differs between
// two exports of the same data.
func archiveContents(t *testing.T, name string) map[string]string {
	t.Helper()
	a, err := transfer.Open(name, nil, transfer.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	out := map[string]string{}
	for file := range a.Names("") {
		r, err := a.Open(t.Context(), file)
		if err != nil {
			t.Fatal(err)
		}
		var text bytes.Buffer
		if _, err := text.ReadFrom(r); err != nil {
			t.Fatal(err)
		}
		out[file] = text.String()
	}
	for _, agent := range a.Manifest.Agents {
		for what, n := range agent.Counts {
			out["count of "+what] = string(rune('0' + n%10))
		}
	}
	return out
}

// roundTrip checks that an export, imported into an empty folder, is exported as the same
// bytes, and that importing it again changes nothing (D1).
func roundTrip(t *testing.T, from carrier, agent string) {
	t.Helper()
	first := from.export(agent)
	want := archiveContents(t, first)
	to := carrier{t, filepath.Join(t.TempDir(), "memory"), from.at}
	report := to.load(first, portable.Options{})
	if report.Own || !report.Empty || report.Memories.New != report.Memories.Total || report.Conversations.New != report.Conversations.Total {
		t.Errorf("%s: the import is %+v", agent, report)
	}
	if diff := cmp.Diff(want, archiveContents(t, to.export(agent))); diff != "" {
		t.Errorf("%s (-exported +exported again):\n%s", agent, diff)
	}
	report = to.load(first, portable.Options{})
	if !report.Nothing() || len(report.Conflicts) > 0 {
		t.Errorf("%s: the second import is %+v", agent, report)
	}
	if diff := cmp.Diff(want, archiveContents(t, to.export(agent))); diff != "" {
		t.Errorf("%s (-exported +after the second import):\n%s", agent, diff)
	}
	(&folder{t: t, dir: to.dir, home: t.TempDir(), at: from.at, agent: agent}).healthy()
}

// D1: a data folder of version 1 comes through an export whole, with all that is in it.
func TestExportRoundTripV1(t *testing.T) {
	t.Parallel()
	oneByOne(t)
	f := unpack(t, "v1", v1Read)
	for _, agent := range []string{"memoria", "luna", "sol"} {
		roundTrip(t, carrier{t, f.dir, v1Read}, agent)
	}
}

// D1: so does the demo.
func TestExportRoundTripDemo(t *testing.T) {
	t.Parallel()
	oneByOne(t)
	at := time.Date(2026, 11, 25, 12, 0, 0, 0, time.UTC)
	dir := filepath.Join(t.TempDir(), "demo")
	if err := demo.Fill(t.Context(), demo.Options{Dir: dir, Agent: chat.Agent{ID: "memoria", Name: "memoria"}, Now: at}); err != nil {
		t.Fatal(err)
	}
	c := carrier{t, dir, at}
	var agents []string
	c.open(func(m *manager.Manager, _ *portable.Writer) {
		all, err := m.Lookup().Agents(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		for _, a := range all {
			if !a.Group {
				agents = append(agents, a.ID)
			}
		}
	})
	if len(agents) == 0 {
		t.Fatal("the demo is empty")
	}
	for _, agent := range agents {
		roundTrip(t, c, agent)
	}
}
