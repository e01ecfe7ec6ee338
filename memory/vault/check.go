package vault

import (
	"context"
	"fmt"
)

// Verdict is the health of an area.
type Verdict string

// The verdicts.
const (
	HealthGood Verdict = "good"
	HealthNote Verdict = "note" // it works, and there is something to know
	HealthBad  Verdict = "bad"
)

// Area is the finding about one part of a data folder, in words.
type Area struct {
	Name   string  `json:"name"`
	Health Verdict `json:"health"`
	Text   string  `json:"text"`
	Hint   string  `json:"hint,omitempty"` // the remedy
}

// Report is the result of [Check].
type Report struct {
	Areas   []Area   `json:"areas"`
	Backups []Backup `json:"backups"` // newest first
	// Good is the backup to restore if the store is not whole: the newest whole one, or else
	// the newest partial one, or nil. If the store is whole, it is nil.
	Good *Backup `json:"good,omitempty"`
	// Replaced lists the stores that a restore has set aside, oldest first.
	Replaced []Replaced `json:"replaced,omitempty"`
	// Erasing is the removal of deleted data from the files; nil if there never was any.
	Erasing *Erasing `json:"erasing,omitempty"`
	// Repair says that the store is damaged and [PrepareRepair] may repair it.
	Repair bool `json:"repair"`
}

// OK reports whether no area is [HealthBad].
func (r Report) OK() bool {
	for _, a := range r.Areas {
		if a.Health == HealthBad {
			return false
		}
	}
	return true
}

func (r *Report) add(name string, h Verdict, hint, format string, args ...any) {
	r.Areas = append(r.Areas, Area{Name: name, Health: h, Text: fmt.Sprintf(format, args...), Hint: hint})
}

// Names of the areas of a [Report].
const (
	AreaFolder   = "data folder"
	AreaStore    = "store"
	AreaMessages = "long messages"
	AreaIndex    = "index"
	AreaBackups  = "backups"
	AreaReplaced = "old copies"
	AreaErasing  = "erasing"
)

// Check examines a data folder, area by area. The store need not be whole and may be open
// in another process. Check changes no file. Its only error is the cause of ctx.
func Check(ctx context.Context, dir string) (Report, error) {
	var r Report
	if !r.folder(dir) {
		return r, nil
	}
	r.store(ctx, dir)
	r.messages(dir)
	r.index(ctx, dir)
	r.backups(ctx, dir)
	r.replaced(ctx, dir)
	r.erasing(dir)
	if ctx.Err() != nil {
		return Report{}, context.Cause(ctx)
	}
	return r, nil
}
