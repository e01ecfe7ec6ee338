package index

import (
	"encoding/binary"
	"fmt"
)

// markerID is the id of the marker document.
const markerID = reserved + "marker"

// marker is the content of the marker document. It is part of every batch, so it always
// matches the documents of its snapshot.
type marker struct {
	sequence  uint64 // of the last batch; 0 during a rebuild
	documents uint64 // live documents, without the marker
	words     uint64 // sum of the live documents' lengths
	grams     uint64 // likewise
}

const markerSize = 4 * 8

func (m marker) document() segmentMarker {
	b := make([]byte, 0, markerSize)
	for _, v := range []uint64{m.sequence, m.documents, m.words, m.grams} {
		b = binary.BigEndian.AppendUint64(b, v)
	}
	return b
}

func decodeMarker(b []byte) (marker, error) {
	if len(b) != markerSize {
		return marker{}, fmt.Errorf("marker of %d bytes: %w", len(b), ErrBroken)
	}
	v := func(i int) uint64 { return binary.BigEndian.Uint64(b[i*8:]) }
	return marker{sequence: v(0), documents: v(1), words: v(2), grams: v(3)}, nil
}

func (m *marker) add(l lengths) {
	m.documents++
	m.words += uint64(l.words)
	m.grams += uint64(l.grams)
}

// remove subtracts the document that s holds under id, if any.
func (m *marker) remove(s *snapshot, id string) error {
	number, ok, err := s.find(id)
	if err != nil || !ok {
		return err
	}
	l, err := s.lengthsOf(number)
	if err != nil {
		return err
	}
	m.documents--
	m.words -= uint64(l.words)
	m.grams -= uint64(l.grams)
	return nil
}
