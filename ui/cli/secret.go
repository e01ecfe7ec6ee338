package cli

import (
	"context"
	"errors"
	"io"
	"os"
	"strings"
	"unicode/utf8"

	xterm "golang.org/x/term"

	"memoria/memory/transfer"
	"memoria/ui/actions"
	"memoria/ui/app"
)

// encryption reads how a command encrypts the file that it writes: --encrypt with a
// passphrase, from --passphrase-file or typed twice, or --recipient.
func (in *input) encryption(ctx context.Context) (e transfer.Encryption, err error) {
	switch {
	case in.given("recipient") && in.given("passphrase-file"):
		return e, wrongUsage("usage.secret.both")
	case in.given("recipient"):
		e.Recipients = in.list("recipient")
		if err := e.Check(); err != nil {
			return e, wrongUsage("usage.recipient", err)
		}
		return e, nil
	case !in.on("encrypt") && !in.given("passphrase-file"):
		return e, nil
	case in.given("passphrase-file"):
		e.Passphrase, err = in.passphraseFile()
		return e, err
	}
	if !isTerminal(in.Stdin) {
		return e, wrongUsage("usage.passphrase")
	}
	if e.Passphrase, err = in.typeSecret(ctx, "secret.new"); err != nil {
		return e, err
	}
	again, err := in.typeSecret(ctx, "secret.again")
	if err == nil && again != e.Passphrase {
		err = actions.Refusal(in.Say("secret.differ"))
	}
	return e, err
}

// secret returns what opens the file that a command reads, if it is encrypted: --identity,
// --passphrase-file, or a passphrase typed on the terminal.
func (in *input) secret(ctx context.Context) transfer.Secret {
	switch {
	case in.given("identity"):
		text, err := in.secretFile("identity")
		if err != nil {
			return transfer.Passphrase(func() (string, error) { return "", err })
		}
		return transfer.Identities(text)
	case in.given("passphrase-file"):
		return transfer.Passphrase(in.passphraseFile)
	}
	if !isTerminal(in.Stdin) {
		return nil
	}
	return transfer.Passphrase(func() (string, error) { return in.typeSecret(ctx, "secret.open") })
}

// passphraseFile reads the first line of --passphrase-file.
func (in *input) passphraseFile() (string, error) {
	text, err := in.secretFile("passphrase-file")
	if err != nil {
		return "", err
	}
	line, _, _ := strings.Cut(text, "\n")
	if line = strings.TrimSuffix(line, "\r"); line == "" {
		return "", actions.Refusal(in.Say("secret.empty"))
	}
	return line, nil
}

// maxSecret bounds a file with a passphrase or identities, in bytes.
const maxSecret = 1 << 20

// secretFile reads the file that a flag names.
func (in *input) secretFile(flag string) (string, error) {
	f, err := os.Open(in.text(flag))
	if err != nil {
		return "", actions.Refusal(in.Say("secret.unread", flag, err))
	}
	text, err := io.ReadAll(io.LimitReader(f, maxSecret))
	if err = errors.Join(err, f.Close()); err != nil {
		return "", actions.Refusal(in.Say("secret.unread", flag, err))
	}
	return string(text), nil
}

// typeSecret asks for a passphrase on a terminal, which does not show it.
func (in *input) typeSecret(ctx context.Context, prompt string) (string, error) {
	_, _ = io.WriteString(in.Stderr, in.Say(prompt)+" ")
	var typed []byte
	var err error
	if f, ok := in.Stdin.(*os.File); ok {
		fd := int(f.Fd())
		before, _ := xterm.GetState(fd)
		typed, err = interruptible(ctx, func() ([]byte, error) { return xterm.ReadPassword(fd) })
		if ctx.Err() != nil && before != nil { // the abandoned read has not restored the terminal
			_ = xterm.Restore(fd, before)
		}
	} else {
		in.Raw(true)
		typed, err = interruptible(ctx, func() ([]byte, error) { return readTyped(in.Stdin) })
		in.Raw(false)
	}
	in.say("")
	if err == nil && len(typed) == 0 {
		err = actions.Refusal(in.Say("secret.empty"))
	}
	return string(typed), err
}

// readTyped reads a line from a terminal in raw mode, which edits nothing by itself.
func readTyped(terminal io.Reader) (line []byte, err error) {
	for b := []byte{0}; len(line) < maxSecret; {
		n, err := terminal.Read(b)
		switch {
		case n == 0 && err != nil:
			return nil, err
		case n == 0:
		case b[0] == '\r', b[0] == '\n':
			return line, nil
		case b[0] == '\x03', b[0] == '\x04': // Ctrl+C, Ctrl+D
			return nil, app.ErrInterrupted
		case b[0] == '\x15': // Ctrl+U
			line = line[:0]
		case b[0] == '\b', b[0] == '\x7f':
			_, size := utf8.DecodeLastRune(line)
			line = line[:len(line)-size]
		default:
			line = append(line, b[0])
		}
	}
	return nil, io.ErrShortBuffer
}
