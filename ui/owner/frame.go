package owner

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// kind is what a frame is about.
type kind byte

// The kinds of frames, of the owner and of the caller. Numbers are part of the protocol.
const (
	kindHello   kind = 1
	kindAuth    kind = 2
	kindWelcome kind = 3
	kindRefused kind = 4

	kindRun       kind = 16 // caller: the command
	kindStdin     kind = 17 // caller: bytes of standard input
	kindStdinEnd  kind = 18 // caller: standard input ended
	kindSize      kind = 19 // caller: the terminal's size
	kindInterrupt kind = 20 // caller: an interrupt that the command has taken over
	kindCancel    kind = 21 // caller: the command is to end
	kindBroken    kind = 22 // caller: standard output cannot be written

	kindWant       kind = 32 // owner: more of standard input
	kindStdout     kind = 33 // owner: bytes of standard output
	kindStderr     kind = 34 // owner: bytes of standard error
	kindBegun      kind = 35 // owner: from now on something may be changed
	kindLasts      kind = 36 // owner: the command lasts until its user ends it
	kindKeep       kind = 37 // owner: what to begin it again with
	kindRaw        kind = 38 // owner: raw mode on or off
	kindInterrupts kind = 39 // owner: the command takes interrupts over, or not any more
	kindClipboard  kind = 40 // owner: text for the clipboard
	kindExit       kind = 41 // owner: the command ended
	kindMoved      kind = 42 // owner: begin the command again elsewhere, with the input that it did not take
)

// Bounds of a frame's payload, in bytes.
const (
	maxProof = 4 << 10  // before the proof
	maxFrame = 64 << 10 // of bytes that pass through
	maxRun   = 8 << 20  // of a command: a system passes on no longer arguments
)

// errFrame says that what arrived is no frame of this protocol.
var errFrame = errors.New("not a frame of memoria")

// bound is the longest payload of a kind; 0 for an unknown kind.
func (k kind) bound() int {
	switch {
	case k >= kindHello && k <= kindRefused:
		return maxProof
	case k == kindRun, k == kindClipboard, k == kindKeep:
		return maxRun
	case k >= kindStdin && k <= kindBroken, k >= kindWant && k <= kindMoved:
		return maxFrame
	}
	return 0
}

// frame is one message of the protocol.
type frame struct {
	kind    kind
	payload []byte
}

// writeFrame writes a frame with one call of w.
func writeFrame(w io.Writer, k kind, payload []byte) error {
	if len(payload) > k.bound() {
		return fmt.Errorf("%w: %d bytes of kind %d", errFrame, len(payload), k)
	}
	out := make([]byte, 5, 5+len(payload))
	out[0] = byte(k)
	binary.BigEndian.PutUint32(out[1:], uint32(len(payload))) //nolint:gosec // bounded
	_, err := w.Write(append(out, payload...))
	return err
}

// readFrame reads one frame with at most most bytes. It takes memory as bytes arrive, whatever
// length the frame claims. The error is io.EOF at the end of the stream.
func readFrame(r io.Reader, most int) (frame, error) {
	var head [5]byte
	if _, err := io.ReadFull(r, head[:]); err != nil {
		return frame{}, err
	}
	k, size := kind(head[0]), binary.BigEndian.Uint32(head[1:])
	if b := k.bound(); b == 0 || int64(size) > int64(min(b, most)) {
		return frame{}, fmt.Errorf("%w: kind %d, %d bytes", errFrame, k, size)
	}
	var b bytes.Buffer
	if _, err := io.CopyN(&b, r, int64(size)); err != nil {
		if errors.Is(err, io.EOF) {
			err = io.ErrUnexpectedEOF
		}
		return frame{}, err
	}
	return frame{k, b.Bytes()}, nil
}

// writeJSON writes a frame whose payload is a JSON value.
func writeJSON(w io.Writer, k kind, v any) error {
	b, err := json.Marshal(v)
	if err != nil {
		return err
	}
	return writeFrame(w, k, b)
}

// readJSON reads a frame of one kind whose payload is a JSON value.
func readJSON(r io.Reader, k kind, most int, v any) error {
	f, err := readFrame(r, most)
	if err != nil {
		return err
	}
	if f.kind != k {
		return unexpected(f)
	}
	return f.into(v)
}

// into decodes a payload that is a JSON value.
func (f frame) into(v any) error {
	if err := json.Unmarshal(f.payload, v); err != nil {
		return fmt.Errorf("%w: %w", errFrame, err)
	}
	return nil
}

func unexpected(f frame) error { return fmt.Errorf("%w: kind %d here", errFrame, f.kind) }
