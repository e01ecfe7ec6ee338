package files

import "memoria/memory/manager/write"

// Files are the files of a data folder beside its store. It is safe for concurrent use.
type Files struct{ *write.Core }

// New returns the files of a data folder.
func New(c *write.Core) *Files { return &Files{c} }
