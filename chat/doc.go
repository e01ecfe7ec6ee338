// Package chat drives conversations: it decides, and memory records.
//
// # The way of one message
//
//	Send      the text is on disk as incoming before Send returns (A1); while
//	          an answer streams it waits in the queue and can be taken back (C8)
//	resolve   which session? see session.go, and judgement.go for when that is to be
//	          judged (S3, S4)
//	begin     one write moves the message into that session
//	learn     the rules write what they learn; [Learned] reports it before any model
//	          has answered (L2, U6)
//	compose   what goes to the model, layer by layer, within its budgets
//	          (C1–C7): see compose.go, window.go, and evidence.go for what is
//	          looked up in the archive (A2, A3)
//	package   one write stores it by reference; what is sent is what was stored
//	stream    deltas become events; what has arrived is kept on disk now and
//	          then, so that a crash loses at most a second of an answer
//	search    where it may, the model calls search_memories instead of going on:
//	          what it called and got is one write, and it is asked again (tools.go)
//	finish    one write stores the answer, complete or not, and queues the turn's
//	          analysis; a background worker updates working memory and condenses
//	          ended sessions (P7) by rules at once, and lets the model read them
//	          when the conversation rests: it may correct what the rules made (L2)
//
// Sending never decides which session it is in, and resolving never sends
// (S11).
//
// # The life of a session
//
//	         first message
//	              │
//	              ▼                   ┌─ less than passive_timeout: goes on (S1)
//	         ┌─ active ◄──────────────┤
//	         │    ▲                   └─ later, judged to go on: revived (S3)
//	ended by │    │ a message after the user opened it (S9a), or a
//	         │    │ judgement overruled: rolled back (S5)
//	         ▼    │
//	       archiving ────► archived
//	            ▲ its end is read (S8): summary, consolidation
//	            └────────────┘
//	              read again: words or a memory of it were deleted, or came back
//
// Each arrow is one function of memory/manager/session_life.go, which begins with
// the table of them. What of them is decided here is in session.go (resolve).
//
// What ends it: a message that does not go on with it, or of which nobody could
// say so (S2, S4); a new session on request (S10); another one resumed (S9a); and,
// without any message, more than hard_timeout of silence (S6, sweep.go). Between
// passive_timeout and hard_timeout nothing happens by itself but that its working
// memory ends, and is kept with the session for when it goes on (W4).
//
// Inside the lock, in this order, for one message: look at the clock (the message's
// own time, which may be long past after a crash), judge, and then one write that
// ends or revives, moves the message in and counts the turn. What that write ends is
// read in the background, under a generation with the session's epoch. Reviving takes
// the generation back and counts the epoch up, in the same write: what the generation
// made is gone, what it had superseded is in force again, and a late writer of it
// finds another epoch and writes nothing (memory/manager: rollBack, current).
//
// The judgement stays with its message ([memory.Judgement]). [Chat.Overrule] decides
// otherwise, also while the answer arrives: the message and all that hangs from it move
// to the other session, which is revived or made, with what they taught and what was
// sent. Other branches stay. Overruled again, it stands where it stood.
//
// # Concurrency
//
// A [Chat] belongs to one agent and has two workers: one takes messages from
// the queue, one after the other, and one learns from finished turns. The first
// is the lock of S7: judging, making or resuming a session, writing the message and
// overruling happen in it, in the order of sending. What is sent meanwhile waits. Of
// two processes only one has the data folder, so no two can judge.
//
// How the agent is called and described may change between two turns
// ([Chat.SetAgent]). Who talks to another agent leaves this conversation
// ([Chat.Leave]) and makes one for that agent: there is no state that two agents
// share.
//
// Events arrive in order on one channel. Deltas may be merged while the reader
// is slow, and are held back to about thirty a second; all other events arrive
// as they are, and the end of a turn always arrives. While nobody reads at all no
// further turn begins, and old news are dropped, so that little piles up (stream.go).
//
// # Settings
//
// [Chat.SetConfig] and the memory's SetConfig change settings at any time (I5). A
// turn takes what is in force when it begins (settings, in settings.go) and ends with
// it; the next one has what is new.
//
// # Groups
//
// A conversation with a group is a [Chat] whose agent is the group and whose Members
// answer (group.go). The one worker is the group's lock (S7). A message is for those
// whom it names, @name or ＠name, or for all ([Addressed]); they answer in their order,
// each hearing the answers before its own. What they say to each other makes nobody
// speak, so a turn has at most as many answers as members. Each answer is an attempt of
// its own: with the persona, profile, memories, summaries and evidence of that member
// alone, with a package under the member's id, and with the member's window, in which
// its own answers are those of the assistant and all else is the user's role behind a
// name ("Bo: …", "User: …"). Events carry the member in Head.Sender; [Finished].More says
// that another answers next. Who fails keeps nobody from answering, and Retry asks those
// alone who gave no whole answer; Cancel ends the answer and asks nobody else. After a
// crash the answer under way is interrupted, and who was not asked yet does not answer.
// A member that names a model is answered by it, and so is what is learned from what it
// heard; the conversation's own model answers as the others, judges and sums up. One
// that is chosen for all ([Chat.SetModelForAll]) answers as everybody.
// The search tool is not offered in a group: its results would lie among what all hear.
// A group's conversation has one branch ([ErrInGroup]).
//
// # The search tool
//
// With [Chat.SetSearches] on, the model is offered one tool (I2). A turn may call it
// so many times as the configuration says; then the model is asked without it. The
// calls are records with role tool between the records of the answer, which hold
// references to what was found and no copy of it, and rounds in the turn's package,
// so that every request can be shown again (C5). Whatever is called is answered:
// bad arguments, another tool, a failing search come back in words. Later turns see
// the words of the answer and no calls, so that no result is ever sent without its
// call. Results are nobody's statement: nothing is learned from them (P3).
//
// # Branches
//
// Regenerate answers a message anew, SendEdited puts another in its place, UndoTurn
// lets the conversation be as before its last turn, Step goes to another branch, Fork
// begins a session behind a message (branch.go). All of them are refused with ErrBusy
// while a message is answered, waits or is not written, but for UndoTurn, which
// cancels the answer and is done by the worker behind it. The conversation goes on
// from the branch that is shown.
//
// # Temporary chats
//
// With [Options].Temporary nothing is kept (U5): the turns stay in memory, in the order
// in which they were said, and every read and package is made in a rehearsal of them
// (temporary.go). The conversation is in no session, so that none can be resumed.
//
// # What people say to their memory
//
// A message that is nothing but an instruction to the memory ([memoria/memory/instruct])
// is carried out when its turn has begun (instruct.go), but for groups, without memory,
// and while the disk takes no writes. An overview goes with the message in place of what
// its words recall, or is the answer where there is no model. Forgetting is between the
// user and the program: the program asks, where that is needed, with a question that the
// session keeps for one message, and answers; no model judges, reads or answers such a
// message, nor those that the forgotten memory rests on ([memory.Record].NotForMemory).
// The model is told of withdrawn rules, undone changes and corrections in a block of
// their own; [Instructed] reports them to the reader of the events.
//
// # A model is a guest
//
// Nothing waits for a model but the reply itself. While nothing is being answered
// the same worker that learns by rules lets the model read the finished turns,
// one request at a time (learn.go); Enter cancels that request before anything
// else, and it is asked again when the conversation rests. The same keeps requests for
// the memories' vectors from that server until the answer is there and learned from. Cancelling keeps what has
// arrived and is not an error. Problems are told in words for a person, see
// [Explain].
//
// Nor does a disk end the conversation. What it does not take is answered all
// the same, marked as unsaved, and owed: kept in memory with its order, seen by
// the window of the next turn, and written before anything later when the disk
// is back (unsaved_turns.go). [StorageChanged] tells of both. A message whose turn cannot
// begin for another reason is tried again with the next one. A fault of the program ends its turn and no more.
package chat
