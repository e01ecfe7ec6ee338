// Package owner lets several processes of one user work with one memory. The first process
// that opens a data folder owns the store and listens; the others send it their commands.
//
//	caller                                    owner
//	read owner.json ── nonce, address
//	connect ───────────────────────────────►  accept          both check the user
//	        ◄───────── hello: challenge ────
//	        ────────── auth: challenge, MAC ►                 both check nonce and version
//	        ◄───────── welcome: MAC ────────
//	        ────────── run: args, env … ────►  runs the command on its open memory
//	        ◄───────── begun ───────────────   from here on it may change something
//	        ◄── want ─ stdin ► ◄ stdout … ──
//	        ◄───────── exit: code ──────────
//
// A command is relayed whole: its arguments, the environment variables that it may read, its
// folder, and what is known of its terminal. The owner runs it as another run of the same
// program, with the caller's configuration and keys, on the memory that is open
// ([memoria/ui/app.Shared]). It keeps none of that and logs none of it. Standard input is
// pulled: the caller reads only what the command asks for, so that a command that reads
// nothing takes nothing away from a shell loop.
//
// # Who may connect
//
// The socket is in a new folder of mode 0700, on Windows a named pipe for this user alone.
// owner.json in the data folder (0600) has its address and a random nonce, new for each
// owner. Both sides prove by a MAC of the other's challenge that they know the nonce, which is
// never sent. Where the system tells the user of the other side, both compare it with their
// own (peer_*.go). A caller of another version is refused and told so.
//
// Nothing that a foreign process sends is acted on: before the proof a frame has at most 4 KiB
// and must come within seconds; later frames have bounds too, and memory is taken only as bytes
// arrive. An unreadable frame ends its connection and nothing else.
//
// # Who becomes the owner
//
// The lock of the store decides, and nothing else. Its holder writes owner.json and removes
// what a crashed owner left. A caller that finds the store locked and nobody listening, because
// the owner is just starting or ending, tries both again until a deadline.
//
// # The end of an owner
//
// When the run that opened the memory ends, the owner accepts no one any more. Commands
// that it runs for others get [drainTime] to end, and are cancelled then. A command that lasts
// until its user ends it, such as the terminal program, is ended at once and told to move: its
// caller begins it again, at the next owner or in its own process, whichever gets the lock.
//
// If the owner dies, a caller whose command had not begun begins it again by itself, with the
// same standard input; so does one whose command lasts. Any other command may have been done
// or not. The caller says so and does not repeat it. What a command reported as done is on
// disk.
//
// Such a command keeps where it was with its caller ([State]): the agent, whether the
// conversation is temporary, the draft. Input that it has not taken goes back as well. The
// messages of a temporary conversation end with the owner: they were nowhere else.
//
// A process that takes over runs its command through the same protocol, over a pipe in memory:
// its terminal and its standard input stay where they are.
//
// # Terminal
//
// The caller sets its own terminal to raw mode when the owner asks for it, reports its size,
// and passes interrupts on. The system clipboard is the caller's. An external editor would
// need the caller's terminal as its own and is not available.
//
//	frame.go         frames and their bounds
//	handshake.go     the proof, on both sides
//	place.go         owner.json
//	listen_*.go      sockets and pipes; peer_*.go the user of the other side
//	owner.go         Owner: listening, draining
//	run.go           the owner's side of one command
//	streams.go       its streams
//	relay.go         the caller: connecting, retrying, taking over
//	caller.go        the caller's side of one command
//	stdin.go         its standard input
//	console_*.go     its terminal
package owner
