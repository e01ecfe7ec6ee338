package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"memoria/ui/app"
	"memoria/ui/cli"
)

// recordings holds what the program prints, one file per command:
//
//	help/       --help of every command
//	text/       every command that only reads, on the data folder v1
//	json/       the same with --json
//	chinese/    what a command prints in Chinese
//	line-mode, line-mode-chinese   conversations line by line
//
// A change of structure leaves them alone; a change of wording is reviewed as their diff.
// Write them again with
//
//	go test -run TestRecordings -update .
const recordings = "testdata/recordings"

// reads are the commands that change nothing, with arguments that v1 answers.
var reads = []string{
	"agent list", "agent show luna",
	"archive search tea", "archive search 乌龙茶",
	"config show", "config show memory.rag_top_n", "config check", "config path",
	"context",
	"group list", "group show club",
	"inbox list",
	"journal status", "journal list",
	"memory list", "memory list --all", "memory stats", "memory review",
	"profile show", "profile history",
	"recall tea", "recall 我晚上喜欢喝什么茶？",
	"session list",
	"working",
	"backup list",
	"version",
	// mistakes
	"memory show nothing", "session show nothing", "memory lsit", "config show nothing", "recall", "--agent lnua memory list",
}

// D1, I5, U1: what the program prints is what was recorded.
func TestRecordings(t *testing.T) {
	f := unpack(t, "v1", v1Read)
	f.run("journal", "run") // later commands find it complete, however slow the machine is
	r := &recorder{t: t, folder: f}
	for _, command := range helpTopics(t, f) {
		r.record("help", command, f.with(append(strings.Fields(command), "--help")...))
	}
	for _, command := range reads {
		r.record("text", command, f.with(strings.Fields(command)...))
		r.record("json", command, f.with(append(strings.Fields(command), "--json")...))
	}
	f.locale = "zh_CN.UTF-8"
	for _, command := range reads {
		r.record("chinese", command, f.with(strings.Fields(command)...))
	}
	talk := unpack(t, "v1", v1Read)
	talk.run("journal", "run")
	r.record(".", "line-mode", talk.talk(strings.Join([]string{
		"/help", "My sister is called Mei.", "What is my sister called?", "/memories", "/recall tea", "/context", "/inbox",
		"what do you know about me?", "forget that my sister is called Mei", "/undo", "/sessions", "/settings", "/set rag_top_n 3", "/nonsense", "/quit",
	}, "\n")+"\n", "--screen-reader", "--typed"))
	chinese := unpack(t, "v1", v1Read)
	chinese.locale = f.locale
	chinese.run("journal", "run")
	r.record(".", "line-mode-chinese", chinese.talk(strings.Join([]string{
		"我妹妹叫小梅。", "我的手机号是 13812345678", "我妹妹叫什么？", "/记忆", "/why 1", "/recall 茶", "/上下文", "/收件箱", "你知道我什么？",
		"忘记我妹妹叫小梅", "/撤销", "/会话", "/设置 language", "/set rag_top_n 3", "/nonsense", "/健康", "/画像", "/quit",
	}, "\n")+"\n", "--screen-reader", "--typed"))
	r.leftovers()
}

// with runs a command and returns everything that came of it.
func (f *folder) with(args ...string) string { return f.talk("", args...) }

// talk is with for a command that reads its standard input.
func (f *folder) talk(input string, args ...string) string {
	var out, errs bytes.Buffer
	p := cli.Program{
		Options: app.Options{
			Env: []string{"HOME=" + f.home, "XDG_CONFIG_HOME=" + f.home, "XDG_STATE_HOME=" + f.home, "LANG=" + f.locale},
			Now: func() time.Time { return f.at }, Version: "test",
		},
		Args:  append([]string{"--data-dir", f.dir, "--agent", f.agent}, args...),
		Stdin: strings.NewReader(input), Stdout: &out, Stderr: &errs, Lines: lines,
	}
	if slices.Contains(args, "--agent") {
		p.Args = append([]string{"--data-dir", f.dir}, args...)
	}
	code := p.Run(context.Background())
	said := fmt.Sprintf("exit code %d\n-- standard output --\n%s-- standard error --\n%s", code, out.String(), errs.String())
	return strings.NewReplacer(f.dir, "DATA", f.home, "HOME").Replace(said)
}

// listed is a command in the help of the one above it.
var listed = regexp.MustCompile(`(?m)^  ([a-z-]+) {2,}\S`)

// helpTopics returns every command, "" for the program itself.
func helpTopics(t *testing.T, f *folder) (all []string) {
	t.Helper()
	open := []string{""}
	for len(open) > 0 {
		command := open[0]
		open = open[1:]
		all = append(all, command)
		help := f.with(append(strings.Fields(command), "--help")...)
		_, list, found := strings.Cut(help, "Available Commands:\n")
		list, _, _ = strings.Cut(list, "\n\n")
		if !found || strings.HasPrefix(command, "completion") {
			continue
		}
		for _, m := range listed.FindAllStringSubmatch(list, -1) {
			open = append(open, strings.TrimSpace(command+" "+m[1]))
		}
	}
	if len(all) < 50 {
		t.Fatalf("%d commands were found in the help: %q", len(all), all)
	}
	return all
}

// recorder compares what was printed with the recordings.
type recorder struct {
	t      *testing.T
	folder *folder
	made   []string
}

// drawn are durations, times of files, sizes of indexes and of backups, from which the background
// removes what was forgotten, and the ids that the run itself made: they differ each time.
var drawn = regexp.MustCompile(`\b\d+(\.\d+)? ?(ms|µs)\b|\b\d\.\d MB\b|\b\d+ kB\b|"bytes": \d{7}\b|\b01KJNJ2780[0-9A-Z]{16}\b|"changed": "[^"]*"`)

// unfit are characters that a file's name should not have.
var unfit = regexp.MustCompile(`[^\p{L}\p{N}]+`)

func (r *recorder) record(kind, command, said string) {
	r.t.Helper()
	name := strings.Trim(unfit.ReplaceAllString(command, "-"), "-")
	if name == "" {
		name = "memoria"
	}
	file := filepath.Join(recordings, kind, name+".golden")
	r.made = append(r.made, file)
	said = drawn.ReplaceAllString(said, "DRAWN")
	if *update {
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			r.t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(said), 0o644); err != nil {
			r.t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(file)
	if err != nil {
		r.t.Errorf("%v; go test -run TestRecordings -update . writes it", err)
		return
	}
	if diff := cmp.Diff(strings.Split(string(want), "\n"), strings.Split(said, "\n")); diff != "" {
		r.t.Errorf("memoria %s (-recorded +now):\n%s", command, diff)
	}
}

// leftovers reports recordings of commands that are gone.
func (r *recorder) leftovers() {
	r.t.Helper()
	all, err := filepath.Glob(filepath.Join(recordings, "*", "*.golden"))
	if err != nil {
		r.t.Fatal(err)
	}
	for _, file := range all {
		if slices.Contains(r.made, file) {
			continue
		}
		if !*update {
			r.t.Errorf("%s records a command that is gone", file)
		} else if err := os.Remove(file); err != nil {
			r.t.Error(err)
		}
	}
}
