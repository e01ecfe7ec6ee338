package cli

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	xterm "golang.org/x/term"

	"memoria/memory"
)

// maxStdin bounds what is read from standard input, in bytes.
const maxStdin = 2 << 20

// patience is how long standard input may stay open before the user is told
// what the program waits for.
const patience = 2 * time.Second

// isTerminal reports whether a stream is a terminal.
func isTerminal(stream any) bool {
	f, ok := stream.(*os.File)
	return ok && xterm.IsTerminal(int(f.Fd()))
}

// interruptible waits for a read, but no longer than ctx. A read that was left
// behind ends with the process.
func interruptible[T any](ctx context.Context, read func() (T, error)) (T, error) {
	type result struct {
		v   T
		err error
	}
	done := make(chan result, 1)
	go func() {
		v, err := read()
		done <- result{v, err}
	}()
	select {
	case r := <-done:
		return r.v, r.err
	case <-ctx.Done():
		var none T
		return none, context.Cause(ctx)
	}
}

// addStdin adds standard input to a text when it is not a terminal. Without a
// text it is the message of another program: what it would teach waits in the
// inbox. Beside one it is a document, which teaches only what it asks for.
func (p *Program) addStdin(ctx context.Context, text string) (string, []memory.Span, error) {
	if p.Stdin == nil || isTerminal(p.Stdin) {
		return text, nil, nil
	}
	waiting := time.AfterFunc(patience, func() {
		p.say("memoria: waiting for the end of standard input, which is added to the message; for none, add </dev/null")
	})
	b, err := interruptible(ctx, func() ([]byte, error) { return io.ReadAll(io.LimitReader(p.Stdin, maxStdin+1)) })
	waiting.Stop()
	if err != nil {
		return "", nil, fmt.Errorf("reading standard input: %w", err)
	}
	if len(b) > maxStdin {
		return "", nil, wrongUsage("standard input is longer than %d MB", maxStdin>>20)
	}
	added := strings.TrimRight(strings.ToValidUTF8(string(b), "\uFFFD"), "\r\n")
	if strings.TrimSpace(added) == "" {
		return text, nil, nil
	}
	if text != "" {
		text += "\n\n"
	}
	span := memory.Span{Offset: len(text), Length: len(added), Kind: memory.SpanStdin}
	if text == "" {
		span.Kind = memory.SpanPiped
	}
	return text + added, []memory.Span{span}, nil
}

// readLine reads one line of standard input, but waits no longer than ctx.
func (p *Program) readLine(ctx context.Context) (string, error) {
	if p.lines == nil {
		p.lines = bufio.NewReader(p.Stdin)
	}
	return interruptible(ctx, func() (string, error) { return p.lines.ReadString('\n') })
}

// confirm asks on the terminal whether to do what cannot be undone; elsewhere
// --yes is needed. what is a sentence's end: "delete 2 memories for good".
func (p *Program) confirm(ctx context.Context, yes bool, what string) error {
	return p.decide(ctx, yes, what, "deleted")
}

// decide is confirm for what does something else; done is the word for it.
func (p *Program) decide(ctx context.Context, yes bool, what, done string) error {
	err := p.agree(ctx, yes, what)
	if errors.Is(err, errTold) {
		p.say("nothing was %s", done)
	}
	return err
}

// agree is confirm for what deletes nothing.
func (p *Program) agree(ctx context.Context, yes bool, what string) error {
	if yes {
		return nil
	}
	if !isTerminal(p.Stdin) {
		return wrongUsage("this would %s; add --yes to do it", what)
	}
	_, _ = fmt.Fprintf(p.Stderr, "Really %s? [y/N] ", what)
	line, err := p.readLine(ctx)
	if err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	switch strings.ToLower(strings.TrimSpace(line)) {
	case "y", "yes", "是":
		return nil
	}
	return errTold
}
