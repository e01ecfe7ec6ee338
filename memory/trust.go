package memory

import "fmt"

// Trust is the provenance of a text, lowest first. It is set when a text enters the
// program. No automatic edit or merge raises it.
type Trust int

// The levels of trust, in order.
const (
	TrustForeign Trust = iota // a tool, an import or another program
	TrustPasted               // the user pasted it
	TrustModel                // a model wrote it
	TrustUser                 // the user typed it
)

var trustNames = [...]string{"foreign", "pasted", "model", "user"}

// String returns the name used in JSON and on screen.
func (t Trust) String() string {
	if t < 0 || int(t) >= len(trustNames) {
		return fmt.Sprintf("trust(%d)", int(t))
	}
	return trustNames[t]
}

// MarshalText implements [encoding.TextMarshaler].
func (t Trust) MarshalText() ([]byte, error) {
	if t < 0 || int(t) >= len(trustNames) {
		return nil, fmt.Errorf("trust %d is unknown", int(t))
	}
	return []byte(trustNames[t]), nil
}

// UnmarshalText implements [encoding.TextUnmarshaler].
func (t *Trust) UnmarshalText(b []byte) error {
	for i, name := range trustNames {
		if string(b) == name {
			*t = Trust(i)
			return nil
		}
	}
	return fmt.Errorf("trust %q is unknown", b)
}
