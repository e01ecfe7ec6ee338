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
//	Learn          one write for each job: what the turn taught (L2, P2–P4)
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
// # Deleting
//
// DeleteItems takes items out of every view at once and keeps them for
// [TakeBackTime]; then they are destroyed, by a timer or at the next start.
//
// # Agents
//
// Every method takes the agent whose data it touches, and none can reach
// another's.
//
// A Manager is safe for concurrent use. Tests run against a real store and a
// real index in a temporary folder.
package manager
