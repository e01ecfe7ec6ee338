package foreign

import (
	"bufio"
	"io"
	"path"
	"strings"
)

// bufferWithoutMark buffers a file and skips a byte order mark of UTF-8.
func bufferWithoutMark(r io.Reader) *bufio.Reader {
	in := bufio.NewReaderSize(r, 1<<16)
	if start, _ := in.Peek(3); string(start) == "\ufeff" {
		_, _ = in.Discard(3)
	}
	return in
}

// baseName returns a file name without folders, of whichever system.
func baseName(name string) string {
	name = path.Base(strings.ReplaceAll(name, `\`, "/"))
	if name == "." || name == "/" {
		return ""
	}
	return name
}

// blank reports whether a text has no words.
func blank(s string) bool { return strings.TrimSpace(s) == "" }
