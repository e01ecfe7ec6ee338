package codec

import (
	"bytes"
	"testing"
	"time"

	"memoria/memory"
)

// Whatever bytes lie in the store, a head is read or refused; one that is read
// is written again as it was, but for what it never holds.
func FuzzHead(f *testing.F) {
	now := time.Date(2026, 1, 28, 12, 0, 0, 0, time.UTC)
	good, err := Head{}.Encode(memory.Head{
		ID: "01KG27K2G03Q10JBEDRWMKN6H", Type: memory.TypeGoal, State: memory.StateHeld,
		AccessCount: 7, Confidence: 0.9, Importance: 0.5, CreatedAt: now, ValidTo: now.Add(time.Hour), ContentHash: 42,
	})
	if err != nil {
		f.Fatal(err)
	}
	f.Add(good)
	f.Add(good[:fixed])
	f.Add(good[:fixed-1])
	f.Add([]byte{})
	f.Fuzz(func(t *testing.T, b []byte) {
		h, err := Head{}.Decode(0, b)
		if err != nil {
			return
		}
		again, err := Head{}.Encode(h)
		if err != nil {
			t.Fatalf("a head that was read is not written: %v", err)
		}
		same, err := Head{}.Decode(0, again)
		if err != nil {
			t.Fatalf("a head that was written is not read: %v", err)
		}
		twice, err := Head{}.Encode(same)
		if err != nil || !bytes.Equal(again, twice) {
			t.Errorf("%x became %x (%v)", again, twice, err)
		}
	})
}
