package cli

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"filippo.io/age"
	"github.com/spf13/pflag"

	"memoria/memory/transfer"
	"memoria/ui/app"
)

// withFlags is a command with these flags and an empty standard input.
func withFlags(t *testing.T, args ...string) *input {
	t.Helper()
	flags := pflag.NewFlagSet("", pflag.ContinueOnError)
	flags.Bool("encrypt", false, "")
	flags.String("passphrase-file", "", "")
	flags.String("identity", "", "")
	flags.StringSlice("recipient", nil, "")
	if err := flags.Parse(args); err != nil {
		t.Fatal(err)
	}
	p := &Program{Stdin: strings.NewReader("")}
	return &input{Program: p, Console: p.console(nil), flags: flags}
}

// D1: flags say how a file is encrypted and opened; what cannot be used is refused.
func TestEncryptionFlags(t *testing.T) {
	dir := t.TempDir()
	file := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	id, err := age.GenerateX25519Identity()
	if err != nil {
		t.Fatal(err)
	}
	phrase := file("phrase", "kiln and clay\r\nsecond line\n")
	for _, tt := range []struct {
		args   string
		phrase string
		to     int
	}{
		{"", "", 0},
		{"--passphrase-file " + phrase, "kiln and clay", 0},
		{"--encrypt --passphrase-file " + phrase, "kiln and clay", 0},
		{"--recipient " + id.Recipient().String(), "", 1},
		{"--encrypt --recipient " + id.Recipient().String() + " --recipient " + id.Recipient().String(), "", 2},
	} {
		e, err := withFlags(t, strings.Fields(tt.args)...).encryption(t.Context())
		if err != nil || e.Passphrase != tt.phrase || len(e.Recipients) != tt.to || e.On() == (tt.args == "") {
			t.Errorf("%s: %+v, %v", tt.args, e, err)
		}
	}
	for args, usage := range map[string]bool{
		"--encrypt": true, "--recipient age1nobody": true, "--recipient " + id.Recipient().String() + " --passphrase-file " + phrase: true,
		"--passphrase-file " + filepath.Join(dir, "none"): false, "--passphrase-file " + file("empty", "\n"): false,
	} {
		_, err := withFlags(t, strings.Fields(args)...).encryption(t.Context())
		var wrong app.UsageError
		if err == nil || errors.As(err, &wrong) != usage || strings.Contains(err.Error(), "kiln") {
			t.Errorf("%s: %v", args, err)
		}
	}

	if s := withFlags(t).secret(t.Context()); s != nil {
		t.Error("without a terminal there is a secret")
	}
	for args, want := range map[string]error{
		"--passphrase-file " + phrase:                         nil,
		"--identity " + file("id", id.String()+"\n"):          nil,
		"--identity " + file("other", "AGE-SECRET-KEY-1XX\n"): transfer.ErrIdentity,
	} {
		ids, err := withFlags(t, strings.Fields(args)...).secret(t.Context())()
		if !errors.Is(err, want) || err == nil && len(ids) != 1 || err != nil && strings.Contains(err.Error(), "SECRET") {
			t.Errorf("%s: %d identities, %v", args, len(ids), err)
		}
	}
}

// D1: on the terminal of another process a passphrase is typed in raw mode.
func TestReadTyped(t *testing.T) {
	for typed, want := range map[string]string{
		"kiln\r": "kiln", "kiln\nrest": "kiln", "窑x\x7f\x7fkiln\r": "kiln", "wrong\x15right\r": "right", "\b\x7fa\r": "a", "\r": "",
	} {
		if got, err := readTyped(strings.NewReader(typed)); err != nil || string(got) != want {
			t.Errorf("%q: got %q, %v, want %q", typed, got, err, want)
		}
	}
	for typed, want := range map[string]error{"kil\x03": app.ErrInterrupted, "\x04": app.ErrInterrupted, "kiln": io.EOF} {
		if got, err := readTyped(strings.NewReader(typed)); !errors.Is(err, want) || len(got) > 0 {
			t.Errorf("%q: got %q, %v, want %v", typed, got, err, want)
		}
	}
}
