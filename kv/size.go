package kv

// Size returns the size of the file and of its unused pages, which may hold deleted
// text. It reads no page.
func (db *DB) Size() (file, free int64, err error) {
	err = db.View(func(tx *Tx) error {
		pages := db.bolt.Stats()
		file = tx.btx.Size()
		free = int64(pages.FreePageN+pages.PendingPageN) * int64(db.bolt.Info().PageSize)
		return nil
	})
	return file, free, err
}
