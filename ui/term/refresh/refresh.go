package refresh

import (
	"reflect"
	"sync"
	"time"
	"unsafe"

	tea "charm.land/bubbletea/v2"
)

const (
	// PerSecond is how often the screen is drawn at most, while something happens.
	PerSecond = 60
	often     = time.Second / PerSecond
	// seldom is the pause between two drawings while nothing happens.
	seldom = time.Second
	// after is how long the screen is drawn often after a message: longer than Update and
	// View take, shorter than the pause between two ticks of a counting pane.
	after = time.Second / 4
)

// Rate is how often one program is drawn. The zero value is ready; [tea.WithFPS] must be PerSecond.
type Rate struct {
	mu      sync.Mutex
	program *tea.Program
	ticker  interface{ Reset(pause time.Duration) } // the renderer's; nil before the first message
	rest    *time.Timer                             // slows the ticker
	often   bool
}

// Follow sets the program, before it runs. Its filter must be [Rate.Filter].
func (r *Rate) Follow(p *tea.Program) { r.program = p }

// Filter sees every message before the program does, and changes none. See [tea.WithFilter].
func (r *Rate) Filter(_ tea.Model, msg tea.Msg) tea.Msg {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.program != nil {
		r.take(r.program)
		r.program = nil
	}
	if r.ticker == nil {
		return msg
	}
	if !r.often {
		r.often = true
		r.ticker.Reset(often)
	}
	if r.rest == nil {
		r.rest = time.AfterFunc(after, r.slow)
	}
	r.rest.Reset(after)
	return msg
}

func (r *Rate) slow() {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.often = false; r.ticker != nil {
		r.ticker.Reset(seldom)
	}
}

// Stop ends the change of rates, with the program.
func (r *Rate) Stop() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.program, r.ticker = nil, nil
	if r.rest != nil {
		r.rest.Stop()
	}
}

// take finds the ticker of a program that runs. Bubble Tea offers no way to change its rate; a
// version without the field is drawn at one rate, which TestRate tells.
func (r *Rate) take(program *tea.Program) {
	field := reflect.ValueOf(program).Elem().FieldByName("ticker")
	if !field.IsValid() || field.Type() != reflect.TypeFor[*time.Ticker]() || field.IsNil() {
		return
	}
	r.ticker = *(**time.Ticker)(unsafe.Pointer(field.UnsafeAddr()))
}
