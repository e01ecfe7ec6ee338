// Package vault keeps the files of a data folder: it opens and locks the store, backs it
// up, checks, restores and repairs it, watches the disk, and erases what was deleted. It
// knows nothing of turns, recall or learning, and reads records only to find deleted ones
// in a backup.
//
// A [Vault] is one open folder. Package manager opens it and writes to its store through
// [Vault.Update]; front ends reach it with Manager.Vault. What works on a folder that
// cannot be opened is a function: [Check], [Verify], [Backups], [Restore],
// [PrepareRestore], [PrepareRepair], [ReplacedIn], [ErasingIn], [Adopt].
//
// # Files
//
// In the package:
//
//	vault           Vault: open, stop, close; the status and the size of the files
//	errors          the errors of opening and writing
//	backup          the list of backups; making and checking one; which ones expire
//	backup_keep     automatic backups: when one is due
//	backup_scrub    removing deleted data from the backups
//	backup_file     a backup in a file of the user: its format, writing and unpacking it
//	restore         LostError; replacing the store with a backup
//	restore_file    replacing the store with a backup in a file
//	repair          making a whole store of a damaged one
//	replaced        the stores that a restore or a repair has set aside
//	replaced_scrub  removing deleted data from them
//	erasing         the state of removing deleted data from all files
//	adopt           accepting a store that was copied from another folder
//	verify          the check of one file
//	check           the report of doctor; check_areas has one function for each area
//	trouble         a disk that refuses writes, and its probes
//	wipe            erasing free pages
//
// In a data folder:
//
//	memoria.db          the store, with its lock and its identity beside (package kv)
//	content/<agent>/    messages that are too long for the store; package manager writes them
//	index/<agent>/      indexes; derived from the store
//	journal/<agent>/    journals; package manager follows them
//	backups/            memoria-<time>-<kind>.db
//	replaced-<time>/    a store that was replaced
//	erasing.json        the state of erasing
//
// # A damaged store
//
// The store is checked page by page before it is opened (package kv), because damage can
// crash or hang a reader, and neither the size nor the time of the file shows it. A store
// that is damaged, empty or missing is never written. [Open] returns a [LostError] with the
// backup to restore. [PrepareRepair] makes a whole store of three sources: every record
// that can be read, the newest good backup for the gaps, and the lists of deletions (in the
// store, and in the file beside it, package gone), so that no deleted data returns. The
// damaged file is set aside.
//
// Single records that cannot be read do not prevent the opening; [Status] names them.
//
// # Backups
//
// A backup is a compact copy of the store, and is checked when it is made: automatically
// once a day, some seconds after a start ([Config]); on request; and before a change of
// the store's layout. It does not hold the files of long messages. A store with unreadable
// records makes partial backups; a whole backup is always restored before a partial one.
//
// Data that is destroyed in the store is removed from the backups as well (D2): those that
// hold it are rewritten under the same name. A deletion that can still be undone
// ([Options].UndoTime) is left. The same is done to stores that were set aside
// ([Replaced]), except damaged ones. Package manager/trash decides when; [Erasing] is the
// state of it.
//
// [Vault.WriteBackup] writes a backup for the user: a ZIP archive with the store, the files
// of long messages, and a manifest with their checksums. It has no data in the trash.
// [PrepareRestore] reads it, or a store of the folder backups, checks it, removes what was
// deleted in the present folder, and [Restoration.Apply] puts it in place.
//
// # A failing disk
//
// An error of a write is remembered as [Trouble] until a write succeeds. Meanwhile the disk
// is probed every few seconds, with the store and with a file in the folder. A folder that
// cannot be written is opened for reading, with a trouble that stays.
//
// # Background work
//
// Timers make backups, probe the disk and erase free pages. Each task is counted, survives
// a panic (package guard) and ends with the context of the vault. [Vault.Stop] cancels and
// waits for all; [Vault.Close] then erases the free pages, for half a second at most, and
// closes the store.
package vault
