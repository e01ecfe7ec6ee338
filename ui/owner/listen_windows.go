package owner

import (
	"context"
	"encoding/hex"
	"fmt"
	"net"
	"os"

	"github.com/Microsoft/go-winio"
	"golang.org/x/sys/windows"
)

// listen opens a named pipe that only this user may open.
func listen(...string) (l net.Listener, address string, remove func(), err error) {
	user, err := windows.GetCurrentProcessToken().GetTokenUser()
	if err != nil {
		return nil, "", nil, fmt.Errorf("finding the user: %w", err)
	}
	address = `\\.\pipe\memoria-` + hex.EncodeToString(random()[:16])
	l, err = winio.ListenPipe(address, &winio.PipeConfig{
		SecurityDescriptor: "D:P(A;;GA;;;" + user.User.Sid.String() + ")",
		InputBufferSize:    maxFrame, OutputBufferSize: maxFrame,
	})
	if err != nil {
		return nil, "", nil, err
	}
	return l, address, func() { _ = l.Close() }, nil
}

// removeStale has nothing to remove: a pipe ends with its process.
func removeStale(string) {}

// dial connects to an address.
func dial(ctx context.Context, address string) (net.Conn, error) {
	return winio.DialPipeContext(ctx, address)
}

// checkPeer has nothing to check: the pipe's descriptor admits this user alone.
func checkPeer(net.Conn) error { return nil }

// ownFile has nothing to check: the data folder is in the user's profile.
func ownFile(*os.File) error { return nil }
