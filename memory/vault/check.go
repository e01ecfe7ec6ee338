package vault

import (
	"context"
	"fmt"
)

// Verdict says how an area of a data folder is.
type Verdict string

// The healths of an area.
const (
	HealthGood Verdict = "good"
	HealthNote Verdict = "note" // works, and the user should know something
	HealthBad  Verdict = "bad"
)

// Area is one part of a data folder, in words.
type Area struct {
	Name   string  `json:"name"`
	Health Verdict `json:"health"`
	Text   string  `json:"text"`
	Hint   string  `json:"hint,omitempty"` // what to do about it
}

// Report is what [Check] found.
type Report struct {
	Areas   []Area   `json:"areas"`
	Backups []Backup `json:"backups"` // newest first
	// Good is the newest backup that is whole; where none is and the store cannot
	// be opened, the newest that is [Backup.Partial]; nil when there is none. It is
	// looked for only when the store is not whole.
	Good *Backup `json:"good,omitempty"`
	// Replaced is what restoring has set aside, oldest first.
	Replaced []Replaced `json:"replaced,omitempty"`
	// Repair says that the store is bad and [PrepareRepair] may mend it.
	Repair bool `json:"repair"`
}

// OK reports whether nothing is bad.
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
)

// Check looks at a data folder that need not be openable and says what is wrong,
// area by area. It changes nothing. The error is that of ctx alone.
func Check(ctx context.Context, dir string) (Report, error) {
	var r Report
	if !r.folder(dir) {
		return r, nil
	}
	r.store(ctx, dir)
	r.messages(dir)
	r.index(ctx, dir)
	r.backups(ctx, dir)
	r.replaced(dir)
	if ctx.Err() != nil {
		return Report{}, context.Cause(ctx)
	}
	return r, nil
}
