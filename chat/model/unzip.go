package model

import (
	"compress/gzip"
	"io"
	"net/http"
	"strings"
)

// unzip reads an answer that a server compresses although it was not asked to. What the limits count is what comes
// out. Of any other compression an error tells.
func unzip(res *http.Response) error {
	switch how := strings.ToLower(strings.TrimSpace(res.Header.Get("Content-Encoding"))); how {
	case "", "identity":
	case "gzip", "x-gzip":
		res.Body = &unzipped{ReadCloser: res.Body}
		res.Header.Del("Content-Encoding")
	default:
		return newError(KindBadResponse, "the server compresses its answer as "+shown(how)+", which it was not asked to")
	}
	return nil
}

// unzipped opens its reader with the first Read: making one reads from the network.
type unzipped struct {
	io.ReadCloser
	plain *gzip.Reader
}

func (u *unzipped) Read(p []byte) (int, error) {
	if u.plain == nil {
		plain, err := gzip.NewReader(u.ReadCloser)
		if err != nil {
			return 0, err
		}
		u.plain = plain
	}
	return u.plain.Read(p)
}
