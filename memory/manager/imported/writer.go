package imported

import (
	"memoria/memory/manager/learning"
	"memoria/memory/manager/write"
)

// Writer proposes what imported sessions say. It is safe for concurrent use.
type Writer struct {
	*write.Core
	learning *learning.Writer
}

// New returns a writer that stores its proposals with another one.
func New(w *learning.Writer) *Writer { return &Writer{Core: w.Core, learning: w} }
