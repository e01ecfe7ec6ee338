// Package chat drives conversations: it decides, and the memory records.
//
// # Glossary
//
//	message       what the user sends; a record of role user
//	answer        what an agent says to it; a turn has one, in a group one of each member asked
//	turn          a message on its way from Send to Finished, with its answers
//	session       a run of turns on one topic, which ends; the conversation is in one or in none
//	conversation  all sessions of one agent or group, as one Chat sees them
//	operation     a call of Chat that changes the conversation, such as Send or DeleteSession
//	ticket        the place of an operation in the order of operations
//	at rest       no message is being answered, waits or is unsaved
//	unsaved       in memory only, because the disk takes no writes; written later, in order
//	stuck         of a turn: on disk, but its session could not be read or written
//	package       everything that one answer sends to the model (chat/compose)
//	round         one step of an answer in which the model calls the search tool
//	judgement     the decision whether a message continues a session that has timed out
//	overrule      the user's decision against a judgement
//	branch        one of several continuations of a session, after an edit or a regeneration
//	retry         to answer a message again that has no complete answer
//	instruction   a message to the memory itself, such as "forget that"
//
// # A message
//
//	Send      the text is on disk as incoming before Send returns (A1); while an answer
//	          streams it waits in the queue, and Unsend removes it (C8)
//	resolve   which session? (session.go); a judge may decide (judgement.go) (S3, S4)
//	begin     one write moves the message into that session
//	learn     the rules write what they learn; [Learned] reports it before any model
//	          has answered (L2, U6)
//	compose   what goes to the model, layer by layer, within its budgets (C1–C7)
//	pack      one write stores the package by reference; what was stored is sent
//	stream    deltas become events; the partial answer is written every second, so that a
//	          crash loses at most a second
//	search    the model may call search_memories instead of answering: one write for
//	          the calls and their results, and the model is asked again (tools.go)
//	finish    one write stores the answer, complete or not, and queues the turn's analysis
//	learn     in the background, by rules at once, and by the model when the conversation
//	          is at rest: it may correct what the rules made (L2, P7)
//
// Sending never decides which session a message is in, and resolving never sends (S11). One
// value, the turn (turn.go), carries the message through all steps.
//
// # Concurrency
//
// A [Chat] belongs to one agent or group. It shares a conversation, the state under one lock,
// with four workers: the worker answers turns one after the other, the learner learns in the
// background, storage watches the disk, and the sweeper ends idle sessions.
//
// The lock is held for moments, and never while the memory reads or writes, because a screen
// asks for the session, the queue and the settings while it is drawn. A ticket keeps order
// instead: an operation waits until the operations before it are done, and then reads and
// writes without the lock. No turn begins while an operation holds the ticket, so what an
// operation found at rest stays at rest. A turn holds the ticket only when it begins: messages
// can be sent while it runs. This is the lock of S7: judging, making or resuming a session and
// overruling happen in the order of sending.
//
// Only one process has the data folder, but several conversations in it may be with the same
// agent: another terminal's, or that of a command. They have [Options].Shared in common. Turns
// of one agent run one at a time across them; a message that waits for another conversation's
// turn is in its own queue. Each turn is held ([manager.HeldTurns]), so that no other
// conversation takes it up as left by a crash. After a turn the others read their session
// again. One learner at a time asks the model about an agent's turns.
//
// Operations that depend on the end of an answer, UndoTurn and Overrule, cancel the answer
// and leave a function with the queue, which the worker runs before the next turn.
//
// Events arrive in order on one channel. Deltas may be merged while the reader is slow, and
// are limited to about thirty a second. All other events arrive as they are, and the end of a
// turn always arrives. While nothing reads the channel, no further turn begins and outdated
// events are dropped, so that the queue of events stays small (stream.go).
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
//	              read again: its words or memories were deleted or restored
//
// Each arrow is one function of memory/manager/session_life.go, which begins with a table of
// them. A session ends by a message that does not continue it, or when no judge could say
// whether it does (S2, S4); by a new session on request (S10) or another one resumed (S9a);
// and after hard_timeout of silence (S6, sweep.go). Between passive_timeout and hard_timeout
// only its working memory ends, which is kept with the session in case it is revived (W4).
//
// For one message, in this order: read the clock (the message's own time, which may be long
// past after a crash), judge, and then one write that ends or revives the session, moves the
// message in and counts the turn. An ended session is read in the background under a
// generation with the session's epoch. Reviving undoes the generation and increments the
// epoch in one write: what the generation made is gone, what it had superseded is in force
// again, and a late writer finds another epoch and writes nothing.
//
// The judgement is stored with its message ([memory.Judgement]). [Chat.Overrule] decides
// otherwise, also while the answer arrives: the message and everything that depends on it
// move to the other session, which is revived or created. Other branches stay. Overruling
// twice restores the first state.
//
// # Settings
//
// [Chat.SetConfig] and the memory's SetConfig change settings at any time (I5). A turn uses
// the settings of its beginning to its end (settings.go). [Chat.SetAgent] changes how the
// agent is called and described, from the next turn on. A conversation with another agent is
// another Chat; [Chat.Leave] closes this one.
//
// # Groups
//
// A conversation with a group is a [Chat] whose agent is the group and whose Members answer. A
// message is for the members that it names, @name or ＠name, or for all ([Addressed]). They
// answer in their order, each hearing the answers before its own. What members say to each
// other makes no member speak, so a turn has at most as many answers as members. Each answer
// has the persona, profile, memories, summaries and evidence of its member alone, and the
// member's own window, in which its own answers have the role assistant and everything else
// has the role user with a name before it ("Bo: …", "User: …"). Head.Sender names the member,
// and [Finished].More says that another answer follows. A failed answer does not keep the
// others from answering, and Retry asks only the members whose complete answer is missing;
// after Cancel no other member is asked. A member that names a model is answered by it, and
// that model also learns from what the member heard. The conversation's own model answers for
// the others, judges and sums up. [Chat.SetModelForAll] lets one model answer for everybody. A
// group has no search tool, since its results would be among what all members hear, and only
// one branch ([manager.ErrInGroup]).
//
// # The search tool
//
// With [Chat.SetSearches] on, the model is offered one tool of package tools (I2). A turn may call it as many
// times as the configuration says; then the model is asked without it. Calls are records of
// role tool between the records of the answer, which refer to what was found, and rounds in
// the turn's package, so that every request can be shown again (C5). Every call is answered:
// bad arguments, an unknown tool and a failed search come back in words. Later turns see the
// words of the answer and no calls. Nothing is learned from results (P3).
//
// # Branches
//
// Regenerate answers a message once more, SendEdited replaces a message, UndoTurn undoes the
// last turn, Step goes to another branch, and Fork begins a session after a message. They are
// refused with [ErrBusy] unless the conversation is at rest, except UndoTurn, which cancels
// the answer. The conversation continues from the branch that is shown.
//
// # Instructions to the memory
//
// A message that is nothing but an instruction to the memory (memory/instruct) is carried out
// when its turn has begun, except in groups, without memory, and while the disk takes no
// writes. An overview replaces what the message would recall, or is the answer if there is no
// model. Forgetting is between the user and the program: the program asks back if needed, with
// a question that the session keeps for one message, and answers. No model judges, reads or
// answers such a message, nor the messages that the forgotten memory is based on
// ([memory.Record].NotForMemory). The model is told of withdrawn rules, undone changes and
// corrections in a section of their own; [Instructed] reports them. Decisions in words about
// what waits for approval (manager.DecideSaid) are answered by the program, too.
//
// # Without a model, without a disk
//
// Only the reply waits for the model. In the background it is asked one request at a time
// while the conversation is at rest, and a message cancels that request first; it is repeated
// later. Requests for the memories' vectors to the same server wait until the message is
// answered and learned from. Cancelling keeps what has arrived and is not an error.
//
// A full disk does not end the conversation either. A turn that cannot be written is answered,
// marked as unsaved, seen by the window of the next turn, and written before anything later
// when the disk takes writes again (unsaved_turns.go). [StorageChanged] reports both. A stuck
// turn is tried again with the next message. A panic ends its turn and nothing else. Errors are
// worded for a person by [Explain].
//
// With [Options].Temporary nothing is kept (U5): all turns stay in memory as if the disk took
// no writes (temporary.go).
//
// # Files
//
//	chat.go            Options, Chat, Start and Close
//	agent.go           the persona of the agent; Leave
//	settings.go        the settings that are in force for a turn
//	config.go          the [chat] table of the configuration
//	event.go           the events
//	stream.go          the channel of events; which are dropped without a reader
//	explain.go         errors in words for a person
//
//	conversation.go    what the workers share: its parts, the state and its lock
//	ticket.go          the order of operations
//	shared.go          conversations of one process with the same agent
//	queue.go           the turns that wait, and the one that runs
//	turn.go            one message from Send to Finished
//
//	send.go            operations: Send, Unsend, Cancel, Retry
//	ask.go             one message and its end, for the command line
//	session.go         which session a message goes to; new, resume, rename
//	branch.go          regenerate, step, undo and redo a turn, fork
//	delete.go          delete sessions and messages, and undo that
//	overrule.go        decide against a judgement
//
//	worker.go          the worker: a turn from the queue to its end
//	begin.go           the write that begins a turn
//	judgement.go       the judge, by model or rules
//	answer.go          one answer: ask the model and store what it says
//	tools.go           rounds of the search tool
//	search.go          one call of the search tool
//	instruct.go        instructions to the memory; package said has the answers
//	temporary.go       turns that are never written
//	unsaved_turns.go   turns that the disk did not take
//	storage.go         watches the disk
//
//	learn.go           the learner: analysis in the background
//	journal.go         the journal: preview and summaries
//	warm.go            loads the model while the user types
//	sweep.go           the sweeper: ends idle sessions
//
//	group.go           the members of a group
//	address.go         whom a message is for
//	unknown_member.go  a name that no member has
//
// Sub-packages: compose makes the package of a turn, judge decides whether a message continues
// a session, model talks to language models, and measure evaluates learning with a model.
package chat
