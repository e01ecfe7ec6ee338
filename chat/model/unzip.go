package model

import (
	"compress/gzip"
	"io"
	"net/http"
	"strings"
)

// unzip decompresses a gzip answer that a server compresses without being asked. The limits count decompressed
// bytes. Any other compression is an error.
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

// unzipped opens its reader with the first Read, because opening it reads from the network.
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
