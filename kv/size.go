package kv

// Size returns the size of the file and how much of it lies in pages that are
// not in use; those may hold deleted text. It looks at no page.
func (db *DB) Size() (file, free int64, err error) {
	err = db.View(func(tx *Tx) error {
		pages := db.bolt.Stats()
		file = tx.btx.Size()
		free = int64(pages.FreePageN+pages.PendingPageN) * int64(db.bolt.Info().PageSize)
		return nil
	})
	return file, free, err
}
