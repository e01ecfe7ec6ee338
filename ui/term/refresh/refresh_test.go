package refresh

import (
	"fmt"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	tea "charm.land/bubbletea/v2"
)

// shownModel shows how many messages it had.
type shownModel struct{ messages int }

func (m shownModel) Init() tea.Cmd { return nil }

func (m shownModel) Update(tea.Msg) (tea.Model, tea.Cmd) { return shownModel{m.messages + 1}, nil }

func (m shownModel) View() tea.View { return tea.NewView(fmt.Sprint("messages: ", m.messages)) }

// record notes how a ticker is reset, and when something is written.
type record struct {
	mu     sync.Mutex
	ticker interface{ Reset(time.Duration) }
	pauses []time.Duration
	wrote  time.Time
}

func (r *record) Reset(pause time.Duration) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.pauses = append(r.pauses, pause)
	r.ticker.Reset(pause)
}

func (r *record) Write(p []byte) (int, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.wrote = time.Now()
	return len(p), nil
}

// TestRate runs a program of the Bubble Tea that we build with: it must be drawn seldom at rest, and at
// once when something happens.
func TestRate(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var rate Rate
		var rec record
		p := tea.NewProgram(shownModel{}, tea.WithInput(nil), tea.WithOutput(&rec), tea.WithoutSignalHandler(), tea.WithWindowSize(20, 3),
			tea.WithFPS(PerSecond), tea.WithFilter(rate.Filter))
		rate.Follow(p)
		ended := make(chan error)
		go func() {
			_, err := p.Run()
			ended <- err
		}()
		p.Send("first")
		synctest.Wait()
		rate.mu.Lock()
		if rate.ticker == nil {
			t.Fatal("this Bubble Tea has no ticker to slow: the screen is drawn at one rate")
		}
		rec.ticker, rate.ticker = rate.ticker, &rec
		rate.mu.Unlock()

		time.Sleep(10*time.Second + time.Millisecond)
		sent := time.Now()
		p.Send("after a rest")
		time.Sleep(after / 2)
		p.Send("while it is drawn often")
		time.Sleep(10 * time.Second)
		rec.mu.Lock()
		if want := []time.Duration{seldom, often, seldom}; !slices.Equal(rec.pauses, want) {
			t.Errorf("pauses %v, want %v", rec.pauses, want)
		}
		if took := rec.wrote.Sub(sent); took < after/2 || took > after/2+2*often {
			t.Errorf("what came at %v was drawn after %v", after/2, took)
		}
		rec.mu.Unlock()

		p.Quit()
		if err := <-ended; err != nil {
			t.Error(err)
		}
		rate.Stop()
	})
}
