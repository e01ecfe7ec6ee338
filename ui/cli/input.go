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
	"memoria/ui/actions"
)

// maxStdin bounds the standard input, in bytes.
const maxStdin = 2 << 20

// patience is how long standard input may stay open before the user is told
// what the program waits for.
const patience = 2 * time.Second

// isTerminal reports whether a stream is a terminal.
func isTerminal(stream any) bool {
	switch s := stream.(type) {
	case *os.File:
		return xterm.IsTerminal(int(s.Fd()))
	case interface{ IsTerminal() bool }: // of another process
		return s.IsTerminal()
	}
	return false
}

// interruptible waits for a read, but no longer than ctx. An abandoned read
// ends with the process.
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
		p.remark("ask.waiting")
	})
	b, err := interruptible(ctx, func() ([]byte, error) { return io.ReadAll(io.LimitReader(p.Stdin, maxStdin+1)) })
	waiting.Stop()
	if err != nil {
		return "", nil, fmt.Errorf("reading standard input: %w", err)
	}
	if len(b) > maxStdin {
		return "", nil, wrongUsage("usage.stdin.long", maxStdin>>20)
	}
	whole := string(b)
	p.piped = &whole
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

// confirm asks on the terminal whether to delete what cannot be restored, in a message of
// the catalogue; elsewhere --yes is needed.
func (in *input) confirm(ctx context.Context, id string, args ...any) error {
	return in.ask(ctx, in.Say(id, args...), "nothing.deleted")
}

// ask is confirm for what does something else; refused is the message after a no.
func (in *input) ask(ctx context.Context, what, refused string) error {
	err := in.agree(ctx, in.on("yes"), what)
	if errors.Is(err, errTold) {
		in.remark(refused)
	}
	return err
}

// agree asks, unless yes, and is silent after a no. what is the end of a sentence: "delete 2 memories for good".
func (p *Program) agree(ctx context.Context, yes bool, what string) error {
	if yes {
		return nil
	}
	if !isTerminal(p.Stdin) {
		return wrongUsage("really.yes", what)
	}
	if agreed, err := p.question(ctx, "really", what); agreed || err != nil {
		return err
	}
	return errTold
}

// question asks a message of the catalogue that is answered with yes or no.
func (p *Program) question(ctx context.Context, id string, args ...any) (bool, error) {
	_, _ = io.WriteString(p.Stderr, p.lang().Say(id, args...)+" ")
	line, err := p.readLine(ctx)
	if err != nil && !errors.Is(err, io.EOF) {
		return false, err
	}
	return actions.Yes(line), nil
}
