package owner

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"testing"
	"testing/iotest"
)

func TestFrames(t *testing.T) {
	var b bytes.Buffer
	for _, f := range []frame{{kindWant, nil}, {kindStdin, []byte("语")}, {kindStdout, bytes.Repeat([]byte{0}, maxFrame)}} {
		if err := writeFrame(&b, f.kind, f.payload); err != nil {
			t.Fatal(err)
		}
		got, err := readFrame(iotest.OneByteReader(&b), maxFrame)
		if err != nil || got.kind != f.kind || !bytes.Equal(got.payload, f.payload) {
			t.Errorf("kind %d: %d bytes of kind %d, %v", f.kind, len(got.payload), got.kind, err)
		}
	}
	if err := writeFrame(io.Discard, kindStdin, make([]byte, maxFrame+1)); !errors.Is(err, errFrame) {
		t.Errorf("too long a frame: %v", err)
	}
}

// A frame that claims more than its kind may have is refused before memory is taken, and so
// is a kind that is not known.
func TestFrameBounds(t *testing.T) {
	for _, c := range []struct {
		kind kind
		size uint32
		most int
	}{
		{kindHello, maxProof + 1, maxRun},
		{kindAuth, 1 << 30, maxProof},
		{kindRun, 1 << 31, maxRun},
		{kindRun, maxProof + 1, maxProof}, // before the proof
		{kindStdin, maxFrame + 1, maxRun},
		{0, 0, maxRun},
		{15, 1, maxRun},
		{255, 1, maxRun},
	} {
		head := binary.BigEndian.AppendUint32([]byte{byte(c.kind)}, c.size)
		if _, err := readFrame(io.MultiReader(bytes.NewReader(head), endless{}), c.most); !errors.Is(err, errFrame) {
			t.Errorf("kind %d, %d bytes: %v", c.kind, c.size, err)
		}
	}
}

type endless struct{}

func (endless) Read(p []byte) (int, error) { return len(p), nil }

func FuzzFrame(f *testing.F) {
	for _, k := range []kind{kindHello, kindRun, kindStdin, kindExit} {
		var b bytes.Buffer
		if err := writeFrame(&b, k, []byte(`{"code":1}`)); err != nil {
			f.Fatal(err)
		}
		f.Add(b.Bytes())
	}
	f.Add([]byte("GET / HTTP/1.1\r\n\r\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		r := bytes.NewReader(data)
		for {
			got, err := readFrame(r, maxFrame)
			if err != nil {
				return
			}
			if len(got.payload) > min(got.kind.bound(), maxFrame) {
				t.Fatalf("kind %d has %d bytes", got.kind, len(got.payload))
			}
			var again bytes.Buffer
			if err := writeFrame(&again, got.kind, got.payload); err != nil {
				t.Fatal(err)
			}
			if end := len(data) - r.Len(); !bytes.Equal(again.Bytes(), data[end-again.Len():end]) {
				t.Fatal("a frame is not written as it was read")
			}
			var e exit
			_ = got.into(&e)
		}
	})
}
