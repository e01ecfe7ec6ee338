package config

import (
	"errors"
	"net"
	"strconv"
	"strings"

	"memoria/memory/bounds"
)

// API is the [api] table: how other programs reach the memory.
type API struct {
	// Listen is where the terminal program serves the memory; empty is off.
	Listen string `toml:"listen" effect:"restart"`
}

// DefaultListen is the address of `memoria serve` without another one.
const DefaultListen = "127.0.0.1:7411"

func apiSettings() []bounds.Setting {
	return []bounds.Setting{bounds.Text("listen", func(address string) error {
		if address == "" {
			return nil
		}
		_, err := LocalAddress(address)
		return err
	})}
}

// Validate returns the values that are out of their bounds as [bounds.Faults].
func (c API) Validate() error { return bounds.Check(c, apiSettings()) }

var errAddress = errors.New("must be an address of this computer with a port, such as " + DefaultListen)

// LocalAddress returns an address as it is opened. It refuses all but 127.0.0.1, [::1] and
// localhost, which is 127.0.0.1 whatever the computer makes of the name. Port 0 means a free
// one. The error follows the name of the address in a sentence.
func LocalAddress(address string) (string, error) {
	host, port, err := net.SplitHostPort(address)
	if err != nil {
		return "", errAddress
	}
	if _, err := strconv.ParseUint(port, 10, 16); err != nil {
		return "", errAddress
	}
	switch strings.ToLower(host) {
	case "localhost", "127.0.0.1":
		return net.JoinHostPort("127.0.0.1", port), nil
	case "::1":
		return net.JoinHostPort("::1", port), nil
	}
	return "", errAddress
}
