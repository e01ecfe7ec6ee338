package codec

import (
	"errors"
	"fmt"

	"github.com/oklog/ulid/v2"
)

// IDs is the codec of a list of ids, 16 bytes each.
type IDs struct{}

// Encode implements [memoria/kv.Codec].
func (IDs) Encode(ids []string) ([]byte, error) {
	out := make([]byte, 0, len(ids)*len(ulid.ULID{}))
	for _, id := range ids {
		u, err := ulid.ParseStrict(id)
		if err != nil {
			return nil, fmt.Errorf("id %q: %w", id, err)
		}
		out = append(out, u[:]...)
	}
	return out, nil
}

// Decode implements [memoria/kv.Codec].
func (IDs) Decode(_ uint8, b []byte) ([]string, error) {
	const size = len(ulid.ULID{})
	if len(b)%size != 0 {
		return nil, errors.New("a list of ids is cut off")
	}
	out := make([]string, 0, len(b)/size)
	for ; len(b) > 0; b = b[size:] {
		out = append(out, ulid.ULID(b[:size]).String())
	}
	return out, nil
}
