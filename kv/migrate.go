package kv

import (
	"context"
	"fmt"
	"path/filepath"
)

// migrate updates a store with an older schema after copying it, and refuses a newer
// one.
func (db *DB) migrate() error {
	have, want := db.info.Schema, db.opts.Schema
	if have == want {
		return nil
	}
	if have > want || db.opts.Migrate == nil {
		return &SchemaError{Path: db.opts.Path, Have: have, Want: want, By: db.info.By}
	}
	if !db.opts.NoSync { // otherwise it is itself a copy
		if err := db.copyBefore(have); err != nil {
			return fmt.Errorf("copying before migration: %w", err)
		}
	}
	info := db.info
	info.Schema, info.By = want, db.opts.Program
	err := db.Update(func(tx *Tx) error {
		if err := createBuckets(tx, db.opts.Buckets); err != nil {
			return err
		}
		if err := db.opts.Migrate(tx, have); err != nil {
			return err
		}
		return infoBucket.Put(tx, infoKey, info)
	})
	if err != nil {
		return fmt.Errorf("migrating from schema %d to %d: %w", have, want, err)
	}
	db.info = info
	return nil
}

// copyBefore keeps a checked copy of the store before a migration.
func (db *DB) copyBefore(have uint64) error {
	path := fmt.Sprintf("%s.schema%d.bak", db.opts.Path, have)
	if db.opts.MigrationCopy != nil {
		path = db.opts.MigrationCopy(have)
		if err := makeDir(filepath.Dir(path)); err != nil {
			return err
		}
	}
	if err := db.copyTo(context.Background(), path, db.opts.Path+newSuffix, nil); err != nil {
		return err
	}
	_, err := CheckFile(context.Background(), path, nil)
	return err
}
