package owner

import (
	"context"
	"errors"
	"io/fs"
	"log/slog"
	"net"
	"os"
	"sync"
	"time"

	"memoria/ui/config"
	"memoria/ui/words"
)

// How long the owner waits, and for how many callers it works.
const (
	// proofTime is how long a caller may take to prove itself and to send its command.
	proofTime = 5 * time.Second
	// drainTime is how long commands of others may go on when the owner ends, and stopTime
	// how long they may take to end after they were cancelled.
	drainTime = 10 * time.Second
	stopTime  = 5 * time.Second
	// patient is how long they may take before the user of the owner is told.
	patient = time.Second
	// maxCallers is the number of commands that run at one time.
	maxCallers = 64
)

// errForeign says that something belongs to another user or is open to others.
var errForeign = errors.New("it belongs to another user or is open to others")

// Options configures [New].
type Options struct {
	// Version is the program's; callers of another version are refused.
	Version string
	// Env is the environment of the process: where sockets may be, and what callers send.
	Env []string
	// Run runs a command on the open memory and returns its exit code.
	Run func(context.Context, *Command) int
	// Clipboard sets the clipboard of this process for a command that runs elsewhere; nil
	// where there is none.
	Clipboard func(string) error
}

// Owner is this process's part among the processes with one memory: it works for others while
// it has the memory open ([Owner.Opened]), and sends its own command to the owner otherwise
// ([Owner.Relay]).
type Owner struct {
	o Options

	mu       sync.Mutex
	draining bool
	working  map[*Command]context.CancelCauseFunc // for others
	ended    chan struct{}                        // receives after each end, if somebody waits
}

// New returns an Owner that works for no one yet.
func New(o Options) *Owner {
	return &Owner{o: o, working: map[*Command]context.CancelCauseFunc{}, ended: make(chan struct{}, 1)}
}

// Opened makes this process listen for the callers of a data folder whose store it has locked.
// Before the memory is closed, closing must be called: it ends the work for others. A process
// that cannot listen works for itself alone, and the log says why. If closing takes long,
// notify tells what it waits for.
func (o *Owner) Opened(dir string, log *slog.Logger, notify func(format string, args ...any)) (closing func()) {
	if old, err := readPlace(dir); err == nil { // of an owner that crashed: the lock is ours
		removeStale(old.Address)
	}
	var folders []string
	if runtime := config.Lookup(o.o.Env, "XDG_RUNTIME_DIR"); runtime != "" {
		folders = append(folders, runtime)
	}
	if temp := config.Lookup(o.o.Env, "TMPDIR"); temp != "" {
		folders = append(folders, temp)
	}
	l, address, remove, err := listen(folders...)
	if err == nil {
		p := place{PID: os.Getpid(), Version: o.o.Version, Address: address, Nonce: random()}
		if err = p.write(dir); err == nil {
			o.mu.Lock()
			o.draining = false
			o.mu.Unlock()
			done := make(chan struct{})
			go func() {
				defer close(done)
				o.accept(l, p.Nonce, log)
			}()
			return func() {
				if err := removePlace(dir); err != nil && !errors.Is(err, fs.ErrNotExist) {
					log.Warn("the place of the owner was not removed", "error", err)
				}
				remove()
				<-done
				o.drain(log, notify)
			}
		}
		remove()
	}
	log.Warn("other processes cannot use this memory", "error", err)
	return func() {}
}

// accept lets callers in until the listener is closed.
func (o *Owner) accept(l net.Listener, nonce []byte, log *slog.Logger) {
	for {
		conn, err := l.Accept()
		if errors.Is(err, net.ErrClosed) {
			return
		}
		if err != nil {
			log.Warn("a caller was not accepted", "error", err)
			time.Sleep(10 * time.Millisecond) // out of files, for one
			continue
		}
		go o.admitted(conn, nonce, log)
	}
}

// admitted serves a caller that proves itself.
func (o *Owner) admitted(conn net.Conn, nonce []byte, log *slog.Logger) {
	late := time.AfterFunc(proofTime, func() { _ = conn.Close() })
	defer late.Stop()
	err := checkPeer(conn)
	if err == nil {
		err = admit(conn, nonce, o.o.Version)
	}
	var r request
	if err == nil {
		err = readJSON(conn, kindRun, maxRun, &r)
	}
	if err != nil || !late.Stop() {
		log.Info("a caller was refused", "error", err)
		_ = conn.Close()
		return
	}
	o.serve(&link{Conn: conn}, r, false, log)
}

// enter adds a command of another process; ok is false while the owner ends, and when there
// are too many.
func (o *Owner) enter(c *Command, cancel context.CancelCauseFunc) (left func(), ok bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.draining || len(o.working) >= maxCallers {
		return nil, false
	}
	o.working[c] = cancel
	return func() {
		o.mu.Lock()
		delete(o.working, c)
		o.mu.Unlock()
		select {
		case o.ended <- struct{}{}:
		default:
		}
	}, true
}

// drain ends the work for others: what lasts at once, everything else within drainTime.
func (o *Owner) drain(log *slog.Logger, notify func(format string, args ...any)) {
	o.mu.Lock()
	o.draining = true
	for c, cancel := range o.working {
		if c.lasts.Load() {
			c.Stdin.stop()
			cancel(errMove)
			late := time.AfterFunc(stopTime, func() { _ = c.link.Close() }) // its caller takes nothing
			defer late.Stop()
		}
	}
	o.mu.Unlock()
	if o.idle(patient) {
		return
	}
	notify("%s", words.Later("owner.finishing", int(drainTime/time.Second)))
	if o.idle(drainTime - patient) {
		return
	}
	o.mu.Lock()
	log.Warn("commands of other processes are cancelled", "commands", len(o.working))
	for _, cancel := range o.working {
		cancel(errMove)
	}
	o.mu.Unlock()
	if o.idle(stopTime) {
		return
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	for c := range o.working {
		_ = c.link.Close()
	}
}

// idle waits until no command of another process runs.
func (o *Owner) idle(most time.Duration) bool {
	late := time.NewTimer(most)
	defer late.Stop()
	for {
		o.mu.Lock()
		n := len(o.working)
		o.mu.Unlock()
		if n == 0 {
			return true
		}
		select {
		case <-o.ended:
		case <-late.C:
			return false
		}
	}
}
