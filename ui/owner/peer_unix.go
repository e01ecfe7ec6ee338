//go:build unix

package owner

import (
	"net"
	"os"
)

// checkPeer returns an error if another user is on the other side.
func checkPeer(conn net.Conn) error {
	c, ok := conn.(*net.UnixConn)
	if !ok {
		return nil // the pipe of a process with itself
	}
	uid, known, err := peerUID(c)
	if err != nil {
		return err
	}
	if known && uid != os.Getuid() {
		return errForeign
	}
	return nil
}
