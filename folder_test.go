package main

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"memoria/ui/app"
	"memoria/ui/cli"
)

// v1Read is the time at which tests read v1, ten minutes after it was last written.
var v1Read = time.Date(2026, 3, 1, 20, 40, 0, 0, time.UTC)

// folder is a copy of a data folder, on which it runs the program.
type folder struct {
	t         *testing.T
	dir, home string
	at        time.Time // the program's clock, which stands still
	binary    string    // the program that checks a store that was not closed
	agent     string    // the agent or group that commands are for
	locale    string    // LANG; English without one
}

// unpack returns a copy of the data folder name, which the program uses at the given time.
func unpack(t *testing.T, name string, at time.Time) *folder {
	t.Helper()
	oneByOne(t)
	binary, err := exec.LookPath("memoria")
	if err != nil {
		t.Fatal(err)
	}
	f := &folder{t: t, dir: filepath.Join(t.TempDir(), name), home: t.TempDir(), at: at, binary: binary, agent: "memoria"}
	packed, err := os.ReadFile(filepath.Join(folders, name+".tar.gz"))
	if err != nil {
		t.Fatal(err)
	}
	if err := unpackTo(f.dir, bytes.NewReader(packed)); err != nil {
		t.Fatal(err)
	}
	return f
}

// unpackTo writes the files of a compressed archive below dir, for their owner alone.
func unpackTo(dir string, packed io.Reader) error {
	plain, err := gzip.NewReader(packed)
	if err != nil {
		return err
	}
	for in := tar.NewReader(plain); ; {
		h, err := in.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		content, err := io.ReadAll(in)
		if err != nil {
			return err
		}
		name := filepath.Join(dir, filepath.FromSlash(h.Name))
		if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
			return err
		}
		if err := os.WriteFile(name, content, 0o600); err != nil {
			return err
		}
	}
}

// of returns the same folder for commands for another agent or group.
func (f *folder) of(agent string) *folder {
	out := *f
	out.agent = agent
	return &out
}

// try runs a command in this process and returns its output and exit code.
func (f *folder) try(args ...string) (stdout, stderr string, code int) {
	var out, errs bytes.Buffer
	p := cli.Program{
		Options: app.Options{Env: []string{"HOME=" + f.home}, Now: func() time.Time { return f.at }, Version: "test"},
		Args:    append([]string{"--data-dir", f.dir, "--agent", f.agent}, args...),
		Stdin:   strings.NewReader(""), Stdout: &out, Stderr: &errs, Lines: lines,
	}
	code = p.Run(context.Background())
	return out.String(), errs.String(), code
}

// run runs a command that must succeed and returns its output.
func (f *folder) run(args ...string) string {
	f.t.Helper()
	stdout, stderr, code := f.try(args...)
	if code != 0 {
		f.t.Fatalf("memoria %s: exit code %d\n%s%s", strings.Join(args, " "), code, stdout, stderr)
	}
	return stdout
}

// object is a JSON object as the program prints it.
type object = map[string]any

// read runs a command with --json and decodes its output.
func (f *folder) read(args ...string) object {
	f.t.Helper()
	out := object{}
	if err := json.Unmarshal([]byte(f.run(append(args, "--json")...)), &out); err != nil {
		f.t.Fatalf("memoria %s: %v", strings.Join(args, " "), err)
	}
	return out
}

// list runs a command with --json and returns the objects in a field of its output.
func (f *folder) list(field string, args ...string) []object {
	f.t.Helper()
	return objects(f.t, f.read(args...)[field])
}

func objects(t *testing.T, v any) (out []object) {
	t.Helper()
	all, ok := v.([]any)
	if !ok {
		t.Fatalf("%v is no list", v)
	}
	for _, v := range all {
		o, ok := v.(object)
		if !ok {
			t.Fatalf("%v is no object", v)
		}
		out = append(out, o)
	}
	return out
}

// text returns a field that is a string.
func text(t *testing.T, o object, field string) string {
	t.Helper()
	s, ok := o[field].(string)
	if !ok {
		t.Fatalf("%s is %v", field, o[field])
	}
	return s
}

// healthy expects that doctor finds nothing wrong.
func (f *folder) healthy() {
	f.t.Helper()
	if stdout, stderr, code := f.try("doctor"); code != 0 {
		f.t.Errorf("doctor: exit code %d\n%s%s", code, stdout, stderr)
	}
}
