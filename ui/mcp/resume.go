package mcp

import (
	"bytes"
	"encoding/json"
	"slices"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

// state is what another server needs to go on with a session: its input so far that is not
// answered.
type state struct {
	Begun []byte   `json:"begun,omitempty"` // the call that began the session
	Open  [][]byte `json:"open,omitempty"`  // calls without an answer
	Rest  []byte   `json:"rest,omitempty"`  // input that was read and not used
}

// maxState bounds a state, in bytes. A longer one has the beginning of the session alone.
const maxState = 3 << 20

// initialized is what a client sends after the answer to its first call.
const initialized = `{"jsonrpc":"2.0","method":"notifications/initialized"}`

// keepState passes the state on.
func (c *connection) keepState() {
	if c.keep == nil {
		return
	}
	c.keeping.Lock()
	defer c.keeping.Unlock()
	c.mu.Lock()
	s := state{Begun: c.begun}
	size := len(c.in.rest())
	for _, u := range c.open {
		size += len(u.line)
	}
	if size <= maxState {
		s.Rest = bytes.Clone(c.in.rest())
		for _, u := range c.open {
			s.Open = append(s.Open, u.line)
		}
	}
	c.mu.Unlock()
	if b, err := json.Marshal(s); err == nil { // it always is
		c.keep(string(b))
	}
}

// resume prepares for a session that was begun before. The client gets no second answer to
// the call that began it.
func (c *connection) resume(from string) {
	var s state
	if from == "" || json.Unmarshal([]byte(from), &s) != nil {
		return
	}
	c.in.add(s.Rest, nil)
	r, ok := asCall(s.Begun)
	if ok {
		c.begun, c.again = s.Begun, append(c.again, s.Begun)
	}
	isBegun := func(line []byte) bool { return bytes.Equal(line, s.Begun) }
	if ok && !slices.ContainsFunc(s.Open, isBegun) {
		c.silent = r.ID
		c.again = append(c.again, []byte(initialized))
	}
	for _, line := range s.Open {
		if r, ok := asCall(line); ok {
			c.open = append(c.open, unanswered{r.ID, line})
			if !isBegun(line) {
				c.again = append(c.again, line)
			}
		}
	}
	signal(c.arrived)
}

// asCall reads a line that is a call.
func asCall(line []byte) (*jsonrpc.Request, bool) {
	m, _ := parse(line)
	r, ok := m.(*jsonrpc.Request)
	return r, ok && r.IsCall()
}

// isSilent reports whether an answer is not written: the first with the id of the call that
// began a resumed session.
func (c *connection) isSilent(id jsonrpc.ID) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	silent := c.silent.IsValid() && c.silent == id
	if silent {
		c.silent = jsonrpc.ID{}
	}
	return silent
}
