// Package profiles keeps the profile of each agent: one short document about the user, of
// lines that follow items and of the user's own lines (memory/profile).
//
// # How a profile follows the items
//
// Every write that touches items ends with [Follow], in the same transaction, so that no
// line outlives its item. Each difference is a version with its origin and reason. Lines
// of items hold references without words. A deleted item is therefore in no version, and
// an undo of the deletion restores its lines.
//
// # How the user changes it
//
//	SetProfile     stores the edited document; its own lines stay as they are
//	UndoProfile    undoes a version and keeps later changes
//	DeleteProfile  moves all versions, or the older ones, to the trash; [Return] restores them
//
// # Files
//
//	writer.go   the writer
//	profile.go  the current profile, a version, an edit by the user
//	follow.go   the first profile, and the next version after a write of items
//	history.go  versions with their differences, undo, deletion
//	parts.go    lines as parts of a package
package profiles
