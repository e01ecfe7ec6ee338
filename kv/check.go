package kv

import (
	"bytes"
	"context"
	"errors"
	"fmt"
)

// checkShown is how many of the findings of one kind a [CheckError] keeps.
const checkShown = 100

// CheckError is what [DB.Check] found. It is an [ErrDamaged].
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

// Unwrap returns [ErrDamaged] and every finding that was kept.
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

// Check reads the whole store: the checksum of every record, then the structure
// of the file as bbolt checks it. It returns nil, a [*CheckError], or the
// context's cause. Readers and writers go on during the first part; writers
// wait during the second, which is not interruptible. progress may be nil.
func (db *DB) Check(ctx context.Context, progress Progress) error {
	err := db.checkRecords(ctx, progress)
	found := &CheckError{}
	if err != nil && !errors.As(err, &found) {
		return err
	}
	// bbolt checks on a goroutine of its own, where a fault ends the process:
	// only a file that could be read through is given to it.
	if len(found.Pages) == 0 {
		if err := db.checkPages(found); err != nil {
			return err
		}
	}
	if found.Total > 0 {
		return found
	}
	return nil
}

func (db *DB) checkRecords(ctx context.Context, progress Progress) error {
	found := &CheckError{}
	err := db.View(func(tx *Tx) error {
		return newSweep(tx, progress).run(ctx, func(bucket string, k, v []byte) error {
			if _, _, err := openRecord(bucket, k, v); err != nil {
				found.addRecord(&RecordError{Bucket: bucket, Key: bytes.Clone(k), Err: err})
			}
			return nil
		})
	})
	switch {
	case errors.Is(err, ErrDamaged):
		found.addPage(err)
	case err != nil:
		return err
	}
	if found.Total > 0 {
		return found
	}
	return nil
}

func (db *DB) checkPages(found *CheckError) error {
	// A writable transaction, as the check must not run beside a writer; a file
	// that is open for reading has none.
	tx, err := db.begin(!db.bolt.IsReadOnly())
	if err != nil {
		return err
	}
	for err := range tx.btx.Check() {
		found.addPage(err)
	}
	return tx.end()
}
