package main

import (
	"archive/tar"
	"compress/gzip"
	"context"
	"errors"
	"flag"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"memoria/memory"
	"memoria/memory/manager"
	"memoria/memory/manager/write"
)

// folders holds the data folders that earlier versions of the program wrote. Its README.md
// says what is in them.
const folders = "testdata/folders"

var writeFolder = flag.String("write-folder", "", "write the data folder `NAME`, such as v2")

// TestWriteFolder writes testdata/folders/NAME.tar.gz with write-NAME.txt, when
// -write-folder asks for it. A folder is written once, by the program of its time; later
// versions of the program read it.
func TestWriteFolder(t *testing.T) {
	if *writeFolder == "" {
		t.Skip("no -write-folder")
	}
	archive, err := filepath.Abs(filepath.Join(folders, *writeFolder+".tar.gz"))
	if err != nil {
		t.Fatal(err)
	}
	commands := maps.Clone(scriptCommands)
	commands["at"], commands["api"] = clockAt, callAPI
	commands["pack"] = func(ts *testscript.TestScript, neg bool, args []string) {
		usage(ts, !neg && len(args) == 0, "pack")
		ts.Check(packFolder(archive, ts.Getenv("DATA")))
	}
	testscript.Run(t, testscript.Params{
		Files: []string{filepath.Join(folders, "write-"+*writeFolder+".txt")}, Cmds: commands, Setup: setUpScript,
		RequireExplicitExec: true, RequireUniqueNames: true,
	})
}

// clockAt implements the command at TIME: from now on the program's clock runs from TIME.
func clockAt(ts *testscript.TestScript, neg bool, args []string) {
	usage(ts, !neg && len(args) == 1, "at TIME")
	at, err := time.Parse(time.RFC3339, args[0])
	ts.Check(err)
	ts.Setenv(clockVariable, time.Until(at).String())
}

// operations are calls of the Go API that no command makes, or whose result a command does
// not leave behind.
var operations = map[string]func(ctx context.Context, ts *testscript.TestScript, m *manager.Manager, args []string) error{
	"mute": func(ctx context.Context, _ *testscript.TestScript, m *manager.Manager, args []string) error {
		_, err := m.Learning().EditItem(ctx, args[0], args[1], func(it *memory.Item) { it.State = memory.StateMuted })
		return err
	},
	"expire": func(ctx context.Context, _ *testscript.TestScript, m *manager.Manager, args []string) error {
		end, err := time.Parse(time.RFC3339, args[2])
		if err == nil {
			_, err = m.Learning().EditItem(ctx, args[0], args[1], func(it *memory.Item) { it.ValidTo = end })
		}
		return err
	},
	"paste": func(ctx context.Context, ts *testscript.TestScript, m *manager.Manager, args []string) error {
		parts := strings.SplitN(ts.ReadFile(args[1]), "---\n", 3)
		pasted := memory.Span{Offset: len(parts[0]), Length: len(parts[1]), Kind: memory.SpanPasted}
		_, err := m.KeepIncoming(ctx, args[0], strings.TrimSpace(strings.Join(parts, "")), []memory.Span{pasted}, "")
		return err
	},
	"draft": func(ctx context.Context, ts *testscript.TestScript, m *manager.Manager, args []string) error {
		return m.SaveDraft(ctx, args[0], memory.Draft{Text: strings.TrimSpace(ts.ReadFile(args[1]))})
	},
	"delete-agent": func(ctx context.Context, ts *testscript.TestScript, m *manager.Manager, args []string) error {
		d, err := m.DeleteAgent(ctx, args[0])
		ts.Logf("deletion %s", d.ID)
		return err
	},
	"delete-session": func(ctx context.Context, ts *testscript.TestScript, m *manager.Manager, args []string) error {
		d, err := m.DeleteSession(ctx, args[0], args[1], true)
		ts.Logf("deletion %s", d.ID)
		return err
	},
}

// callAPI implements these commands of a script:
//
//	api mute AGENT ITEM
//	api expire AGENT ITEM TIME
//	api paste AGENT FILE              keep an unanswered message; what is between two lines of --- is pasted
//	api draft AGENT FILE
//	api delete-agent AGENT            log the deletion's id
//	api delete-session AGENT SESSION  the same
func callAPI(ts *testscript.TestScript, neg bool, args []string) {
	usage(ts, !neg && len(args) >= 2 && operations[args[0]] != nil, "api OPERATION AGENT …")
	ahead, err := time.ParseDuration(ts.Getenv(clockVariable))
	ts.Check(err)
	ctx := context.Background()
	m, err := manager.Open(ctx, manager.Options{
		Dir: ts.Getenv("DATA"), Config: write.DefaultConfig(),
		Now: func() time.Time { return time.Now().Add(ahead).UTC() },
	})
	ts.Check(err)
	err = operations[args[0]](ctx, ts, m, args[1:])
	ts.Check(errors.Join(err, m.Close()))
}

// packFolder writes the files below dir to a new compressed archive. The same files make
// the same archive.
func packFolder(archive, dir string) (err error) {
	f, err := os.OpenFile(archive, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644) // never over one that is there
	if err != nil {
		return err
	}
	defer func() {
		if cerr := f.Close(); err == nil {
			err = cerr
		}
	}()
	zipped, err := gzip.NewWriterLevel(f, gzip.BestCompression)
	if err != nil {
		return err
	}
	out := tar.NewWriter(zipped)
	err = filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		rel, err := filepath.Rel(dir, name)
		if err != nil {
			return err
		}
		return packFile(out, name, filepath.ToSlash(rel))
	})
	if err != nil {
		return err
	}
	if err := out.Close(); err != nil {
		return err
	}
	return zipped.Close()
}

func packFile(out *tar.Writer, name, as string) error {
	content, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	if err := out.WriteHeader(&tar.Header{Name: as, Mode: 0o600, Size: int64(len(content)), Format: tar.FormatUSTAR}); err != nil {
		return err
	}
	_, err = out.Write(content)
	return err
}
