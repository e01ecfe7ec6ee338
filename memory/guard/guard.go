package guard

import (
	"errors"
	"fmt"
	"log/slog"
	"runtime"
	"runtime/debug"
)

// ErrFault says that a panic was caught. It does not wrap what the panic said.
var ErrFault = errors.New("a fault of the program")

// Do runs f and makes a panic an error that wraps [ErrFault] and names what was
// being done, a constant of the caller. Kind and place of the panic are logged,
// see [Kind]. Locks that f took without a deferred unlock stay taken.
func Do(log *slog.Logger, doing string, f func() error) (err error) {
	defer func() {
		if v := recover(); v != nil {
			log.Error("fault while "+doing, "fault", Kind(v), "stack", string(debug.Stack()))
			err = fmt.Errorf("%s: %w", doing, ErrFault)
		}
	}()
	return f()
}

// Kind tells a recovered panic without what it said, which may hold words of a
// conversation: the text of a runtime error, and of all else the type.
func Kind(v any) string {
	var fault runtime.Error
	if err, ok := v.(error); ok && errors.As(err, &fault) {
		return fault.Error()
	}
	return fmt.Sprintf("%T", v)
}
