package profiles

import "memoria/memory/manager/write"

// Writer reads and writes the profiles of the agents. It is safe for concurrent use.
type Writer struct{ *write.Core }

// New returns a writer for a data folder.
func New(c *write.Core) *Writer { return &Writer{c} }
