package learning

import "memoria/memory/manager/write"

// Writer writes the items of the agents. It is safe for concurrent use.
type Writer struct{ *write.Core }

// New returns a writer for a data folder.
func New(c *write.Core) *Writer { return &Writer{c} }
