package modeltest

import (
	"context"
	"flag"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"time"
)

// Main serves until ctx ends and returns the exit code: 0 done, 1 failed, 2 wrong usage. args are the arguments after
// the program's name: -addr HOST:PORT (a free port on loopback by default), -script FILE, -delay DURATION,
// -model NAME. The base URL is the first line on stdout; each request is one line on stderr.
func Main(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	flags := flag.NewFlagSet("modeltest", flag.ContinueOnError)
	flags.SetOutput(stderr)
	addr := flags.String("addr", "127.0.0.1:0", "`address` to listen on")
	script := flags.String("script", "", "`file` with one step a line; afterwards, and without it, messages are echoed")
	delay := flags.Duration("delay", 0, "wait before each event of an answer")
	name := flags.String("model", "scripted", "`name` of the model that is listed")
	if err := flags.Parse(args); err != nil {
		return 2
	}
	if flags.NArg() > 0 {
		_, _ = fmt.Fprintln(stderr, "modeltest: there are no arguments beside the flags")
		return 2
	}
	fail := func(err error) int {
		_, _ = fmt.Fprintln(stderr, "modeltest:", err)
		return 1
	}
	s := New()
	s.quit = make(chan struct{})
	s.Delay, s.Models = *delay, []string{*name}
	if *script != "" {
		steps, err := readScript(*script)
		if err != nil {
			return fail(err)
		}
		s.Add(steps...)
	}
	l, err := net.Listen("tcp", *addr)
	if err != nil {
		return fail(err)
	}
	logged := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = fmt.Fprintf(stderr, "%s %s (%d steps left)\n", r.Method, r.URL.Path, s.Left())
		s.ServeHTTP(w, r)
	})
	server := &http.Server{Handler: logged, ReadHeaderTimeout: 10 * time.Second}
	stop := context.AfterFunc(ctx, func() {
		s.Close()
		_ = server.Close()
	})
	defer stop()
	_, _ = fmt.Fprintf(stdout, "http://%s/v1\n", l.Addr())
	if err := server.Serve(l); ctx.Err() == nil {
		return fail(err)
	}
	return 0
}

func readScript(path string) (steps []Step, err error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }()
	return ParseScript(f)
}
