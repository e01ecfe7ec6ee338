package learning

import (
	"sync"

	"memoria/memory/learn"
	"memoria/memory/manager/write"
)

// Writer writes the items of the agents. It is safe for concurrent use.
type Writer struct {
	*write.Core
	failing failing
}

// New returns a writer for a data folder.
func New(c *write.Core) *Writer { return &Writer{Core: c} }

// Stopped returns an error if a model's last answers were all unusable: it is not asked any more.
func (w *Writer) Stopped(model string) error { return w.failing.stopped(model) }

// CountAnswer notes an answer of a model for [Writer.Stopped].
func (w *Writer) CountAnswer(model string, unusable bool) { w.failing.count(model, unusable) }

// failing counts the unusable answers of each model since its last usable one, and since
// the program has begun. It is safe for concurrent use.
type failing struct {
	mu     sync.Mutex
	models map[string]int
	told   map[string]bool // the model's stop was returned
}

// count notes an answer.
func (f *failing) count(model string, unusable bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if !unusable {
		delete(f.models, model)
		return
	}
	if f.models == nil {
		f.models = map[string]int{}
	}
	f.models[model]++
}

// stopped returns the error of a model that is not asked any more, or nil.
func (f *failing) stopped(model string) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	n := f.models[model]
	if n < learn.MaxFailing {
		return nil
	}
	err := &learn.StoppedError{Model: model, Answers: n, Again: f.told[model]}
	if f.told == nil {
		f.told = map[string]bool{}
	}
	f.told[model] = true
	return err
}
