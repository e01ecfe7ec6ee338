package kv

import (
	"context"
	"errors"
	"fmt"
)

// checkShown is the number of findings of one kind that a [CheckError] keeps.
const checkShown = 100

// CheckError holds the findings of [DB.Check]. It is an [ErrDamaged].
type CheckError struct {
	Records []*RecordError // the first 100 records that cannot be read
	Pages   []error        // the first 100 errors of the file's structure
	Total   int            // findings of both kinds
}

func (e *CheckError) Error() string {
	first := error(nil)
	if len(e.Pages) > 0 {
		first = e.Pages[0]
	} else if len(e.Records) > 0 {
		first = e.Records[0]
	}
	return fmt.Sprintf("%v: %d findings, first: %v", ErrDamaged, e.Total, first)
}

// Unwrap returns [ErrDamaged] and all kept findings.
func (e *CheckError) Unwrap() []error {
	errs := append([]error{ErrDamaged}, e.Pages...)
	for _, r := range e.Records {
		errs = append(errs, r)
	}
	return errs
}

func (e *CheckError) addRecord(r *RecordError) {
	if e.Total++; len(e.Records) < checkShown {
		e.Records = append(e.Records, r)
	}
}

func (e *CheckError) addPage(err error) {
	if e.Total++; len(e.Pages) < checkShown {
		e.Pages = append(e.Pages, err)
	}
}

// Check reads the whole store file: every page, and the checksum of every record. It
// returns nil, a [*CheckError], or the context's cause. Readers run meanwhile, writers
// wait: 100 MB take about 50 ms. progress may be nil.
func (db *DB) Check(ctx context.Context, progress Progress) error {
	tx, err := db.begin(!db.bolt.IsReadOnly())
	if err != nil {
		return err
	}
	w, err := walkFile(ctx, db.opts.Path, progress)
	if err := errors.Join(err, tx.end()); err != nil {
		return err
	}
	return w.all()
}
