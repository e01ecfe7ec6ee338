// Package manager joins the rooms of memory into whole operations: what chat and
// ui talk to. Each operation is one transaction of the store, so that after a
// crash it happened or it did not.
//
// # The way of a turn
//
//	KeepIncoming   the user's words are on disk before anything else (A1)
//	BeginTurn      one write: the session is made or continued, the message
//	               moved into it, working memory counted (W2, W3)
//	Retrieve       keywords, candidates, score, choice; marks nothing
//	SavePackage    one write: what will be sent, and which items were used (L4)
//	SavePartial    now and then, what has arrived of the answer
//	FinishTurn     one write: the answer, and the job of learning from the turn
//	Learn          one write for each job: what the turn taught by rules (L2,
//	               P2–P4); the same write leaves the job to a model, or ends it
//	Analyse        one question to a model for each such job, and one write: what
//	               its answer taught, what was refused and why, what it took
//
// A crash between two of these leaves a message that is still incoming, or a
// turn without an answer, or a job that is still queued; [Manager.Recover] and
// the next Learn go on from there.
//
// # What lies in memory
//
// For each agent that was asked for: the heads of its items (L3), loaded in the
// background, and a follower for each of its indexes, opened when first needed.
// Both are derived. Contents are read when they are shown.
//
// # When the disk fails
//
// A store that was not closed, or changed since, is checked in a child process
// with a time limit before it is opened ([Options.Verify], [InChild]), because
// damage can crash or hold whoever reads it. The whole check is done each time:
// it costs a tenth of a second for 400 MB that the system still holds in memory. One
// that is damaged, empty or gone is never touched; [LostError] names the newest
// good backup and [Restore] puts it in its place, with the old one kept aside.
// Single records that cannot be read keep nobody from the others; [Status] says
// so.
//
// Backups are compact copies in backups/, checked when they are made: by
// themselves once a day, some seconds after a start ([BackupConfig]), on request, and
// before a change of the store's layout. What was deleted for good is taken out
// of them as well (D2), by rewriting those that hold it. They do not hold the
// files of long messages, which carry a checksum in their record.
//
// A write that the disk refuses is remembered as [Trouble] until one succeeds;
// a probe tries every few seconds. What a turn could not write meanwhile is a
// [LateTurn]: [Manager.Rehearse] shows the store as it would be with it, and
// [Manager.WriteLate] writes it in one transaction when the disk is back.
//
// # Deleting
//
// DeleteItems and DeleteSession take what they delete out of every view at once,
// in one write, and keep it for [TakeBackTime]; then it is destroyed, with its
// files, by a timer or at the next start.
//
// # Agents
//
// Every method takes the agent whose data it touches, and none can reach
// another's.
//
// A Manager is safe for concurrent use. Tests run against a real store and a
// real index in a temporary folder.
package manager
