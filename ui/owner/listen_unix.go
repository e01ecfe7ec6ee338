//go:build unix

package owner

import (
	"context"
	"errors"
	"net"
	"os"
	"path/filepath"
	"strings"
	"syscall"
)

const (
	// socketFolder begins the name of the folder of a socket, and socketName is its name there.
	socketFolder = "memoria-"
	socketName   = "owner"
	// maxAddress is the longest path of a socket that every system takes, in bytes.
	maxAddress = 100
)

// listen opens a socket in a new folder of mode 0700, below the first of the folders that will
// do. remove closes the socket and removes the folder.
func listen(folders ...string) (l net.Listener, address string, remove func(), err error) {
	for _, parent := range append(folders, os.TempDir(), "/tmp") {
		if !filepath.IsAbs(parent) {
			continue
		}
		dir, mkErr := os.MkdirTemp(parent, socketFolder+"*")
		if mkErr != nil {
			err = errors.Join(err, mkErr)
			continue
		}
		address = filepath.Join(dir, socketName)
		if len(address) > maxAddress {
			_ = os.Remove(dir)
			continue
		}
		var listenErr error
		if l, listenErr = net.Listen("unix", address); listenErr == nil {
			return l, address, func() {
				_ = l.Close()
				_ = os.Remove(dir)
			}, nil
		}
		err = errors.Join(err, listenErr, os.RemoveAll(dir))
	}
	return nil, "", nil, errors.Join(errors.New("no folder for a socket"), err)
}

// removeStale removes the socket of an owner that crashed, and its folder.
func removeStale(address string) {
	dir := filepath.Dir(address)
	if filepath.Base(address) == socketName && strings.HasPrefix(filepath.Base(dir), socketFolder) {
		_ = os.Remove(address)
		_ = os.Remove(dir)
	}
}

// dial connects to an address.
func dial(ctx context.Context, address string) (net.Conn, error) {
	st, err := os.Lstat(filepath.Dir(address))
	if err != nil {
		return nil, err
	}
	if sys, ok := st.Sys().(*syscall.Stat_t); !ok || int(sys.Uid) != os.Getuid() || !st.IsDir() || st.Mode().Perm() != 0o700 {
		return nil, errForeign
	}
	return (&net.Dialer{}).DialContext(ctx, "unix", address)
}

// ownFile reports an error unless the file is the user's and for the user alone.
func ownFile(f *os.File) error {
	st, err := f.Stat()
	if err != nil {
		return err
	}
	if sys, ok := st.Sys().(*syscall.Stat_t); !ok || int(sys.Uid) != os.Getuid() || st.Mode() != 0o600 {
		return errForeign
	}
	return nil
}
