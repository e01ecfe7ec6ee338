// Package manager is what chat and ui talk to: it opens a data folder and joins the packages
// of the memory into complete operations. Each operation is one transaction of the store,
// so that after a crash it happened or it did not.
//
//	manager             sessions, turns, branches, groups, agents, profile, deletions, journals
//	manager/learning    items: written by the user, learned, undone, forgotten; Manager.Learning
//	manager/write       what writers share: the core and the transaction
//	memory/lookup       reads by id and in lists; Manager.Lookup
//	memory/recall       retrieval and search; Manager.Recall
//	memory/vault        files, backups, the health of the disk; Manager.Vault
//
// # The way of a turn
//
//	KeepIncoming   the user's words are on disk before anything else (A1)
//	BeginTurn      one write: the session is made or continued, the message
//	               moved into it, working memory counted (W2, W3)
//	LearnTurn      one write: what the rules make of the message (L2, P2–P4), before
//	               it is answered; BeginTurn has queued it, so that it happens once
//	               Then package recall retrieves items, and evidence for the message
//	               (A2); it marks nothing.
//	SavePackage    one write: what will be sent, and which items were used (L4)
//	SaveRound      one write for each time the model called a tool: what it said
//	               and called and got, and the request that carries it (I2, C5)
//	SavePartial    now and then, what has arrived of the answer
//	FinishTurn     one write: the answer, and the job of learning from the turn
//	Learn          one write for each job: working memory after the answer, and what
//	               a crash kept LearnTurn from; the same write leaves the job to a
//	               model, or ends it
//	Analyse        one question to a model for each such job, and one write: what
//	               its answer taught, what was refused and why, what it took; then
//	               one question for each session that has ended
//
// A crash between two of these leaves a message that is still incoming, or a
// turn without an answer, or a job that is still queued; [Manager.Recover] and
// the next Learn go on from there.
//
// # Where things are
//
// Files of one subject begin alike:
//
//	manager                            opening and closing
//	incoming  turn  round  package     a message before, in and around its turn; what is sent
//	unsaved_turns                      turns that a full disk did not take
//	session_  branch_  overrule        sessions: their life, sweep and titles; branches; moving turns
//	working_  draft                    the subject of a session, the text in the input
//	profile_                           the profile, which follows the items
//	record_                            single messages; long contents in files
//	journal                            the journal's files (memory/journal): opened, searched, moved with its agent
//	delete  ignore_list  refusal_keys  deletions, and what keeps deleted content from being learned again
//	forget_said  withhold  unkept      forgetting what a message names; messages that are not for memory, or not kept
//	tidy                               the removal of leftovers
//	agents  agent_  group_             agents and groups
//
// # Branches
//
// The records of a session are a tree over their parents (A1), and a session is in
// one branch of it, which ends at [memory.Session.LastRecordID]: the window, the
// transcript, analyses, summaries and exports read that and nothing else, through
// lookup.RecordsOf; the archive and its search see all. Moving that end is all that happens
// to records:
//
//	RegenerateTurn      another answer beside those there are, a turn of its own, so that
//	              the package of each stays what it was (C5). It teaches nothing twice.
//	KeepEdited    a message that takes the place of another: a branch of its own
//	UndoLastTurn  the branch ends before the last turn; RedoTurn takes that back
//	StepBranch    goes to another branch, where it was left last
//	Fork          a session whose first record hangs from one of another session
//
// What turns had taught that are left so is taken back in the same write, as by
// UndoTurn, and comes back by undoing that, not by going to the branch again. Working
// memory has again what it had before them; its count goes on, because packages name
// what they showed by it. A deleted record leaves where it stood ([store.Tx.Path]), so
// that what was said behind it still has what was said before.
//
// # The end of a session
//
// session_life.go has each step of a session's life: made, ended, read, read again,
// revived.
//
// A session that ends, and a running one after many turns, is condensed by one
// generation (P7, S12), whose id is on all that it writes. Archiving queues it in
// the same write. Learn does it by rules: the summary, an episode of what was told
// over several messages, a topic that several sessions share. Where a model took
// part the summary by rules stands until Analyse has its answer, and all else of the
// generation is one write with that. A writer holds the session's epoch and what it
// read against the session as it is (current), so that it writes once or not at all.
// Sending in such a session takes the generation back in the write that opens it
// (rollBack, S5). Consolidate does it by hand. What must not be remembered is not
// read: turns without memory, messages that ask for that, pasted text, secrets, and
// words of which the user deleted a memory ([memory.Session].Silenced).
//
// A summary goes with the first message of the user that is deleted from its
// session, and another is made of the rest.
//
// # The inbox
//
// What the policy does not let in by itself waits: personal data, what pasted text
// or another program wants to have remembered, what a machine concludes against
// the user's word. Inbox lists it; Accept, AcceptEdited and Reject decide, each in
// one write, about exactly the version that was shown ([Shown], [ErrChanged]).
// What is rejected goes like what is deleted, and leaves a keyed hash under which
// the same is known again.
//
// # Forgetting
//
// [learning.Writer.Forget] does what policy says for the moment: expired items are put
// aside, unimportant ones that nobody uses fade, too many are evicted where that is
// configured, and what lay aside for long is deleted. It runs in the background,
// some seconds after a start and every hour, for the agents in use, in writes of a
// few items with a pause between. Each change is a version with its entry in the
// history, by origin system, so that it can be undone.
//
// # When the disk fails
//
// Package vault opens the store and watches the disk. A write that the disk refuses is
// remembered there as [vault.Trouble] until one succeeds. What a turn could not write
// meanwhile is an [UnsavedTurn]: [Manager.DryRun] shows the store as it would be with it, and
// [Manager.WriteUnsaved] writes it in one transaction when the disk is back.
//
// # Undoing
//
// Every change of an item is in the ledger with the process, the reason, and the turn or
// generation that it belongs to: [lookup.Reader.Changes]. For [UndoTime], Undo, UndoTurn and
// UndoGeneration undo changes in one write, whose plan memory/ledger makes, and leave what
// was changed since. The undo is in the ledger too and can be undone once. A background
// process that writes an item names its generation in the change. Each Forget trims the
// versions that neither an undo nor a package needs.
//
// The table shows how each writing method of [Manager] and [learning.Writer] is undone, and until when.
// TestUndoTable makes and undoes every change, and fails if a method has no row.
//
//	noun            change                                    undo               until             how
//	item            AddItem, EditItem                         Undo               30 days           reversed by the ledger
//	item            LearnTurn, Learn, Analyse                 UndoTurn           30 days           reversed by the ledger
//	item            CorrectSaid, WithdrawSaid                 UndoLast           30 days           reversed by the ledger
//	item            Accept, AcceptEdited                      Undo               30 days           reversed by the ledger
//	item            Forget                                    Undo               30 days           reversed by the ledger
//	item            ForgetPeriodically                        none                                 each run is a Forget
//	item            DeleteItems, ClearItems, Reject,          UndoDeletion       10 s              restored from the trash
//	                ForgetSaid, ForgetAnswered
//	generation      Consolidate, Learn                        UndoGeneration     30 days           reversed by the ledger
//	undo            Undo, UndoTurn, UndoGeneration, UndoLast  Undo               30 days           reversed by the ledger
//	message         KeepIncoming, KeepEdited, KeepUnsaved     DropIncoming       the turn begins   changed back
//	message         DropIncoming                              KeepIncoming       always            changed back
//	message         CollectRecord                             CollectRecord      always            changed back
//	message         DeleteRecords                             UndoDeletion       10 s              restored from the trash
//	message         Overrule                                  Overrule           always            judged the other way
//	turn            BeginTurn, FinishTurn, WriteUnsaved       UndoLastTurn       the session ends  the branch ends elsewhere
//	turn            UndoLastTurn                              RedoTurn           the next message  the branch ends elsewhere
//	turn            RedoTurn                                  UndoLastTurn       the session ends  the branch ends elsewhere
//	turn            RegenerateTurn                            StepBranch         always            the branch ends elsewhere
//	turn            RetryTurn                                 none                                 its message had no complete answer
//	turn            SavePackage, SaveRound, SavePartial,      none                                 a record of what was sent; it goes with its message
//	                Recover
//	branch          StepBranch                                StepBranch         always            the branch ends elsewhere
//	session         Fork                                      DeleteSession      always            changed back
//	session         Import, Conversations                     DeleteSession      always            changed back
//	session         ArchiveSession, Sweep                     BeginTurn          always            going on rolls the end back
//	session         RenameSession                             RenameSession      always            changed back
//	session         KeepSession                               KeepSession        it is deleted     changed back
//	session         DeleteSession                             UndoDeletion       10 s              restored from the trash
//	working memory  EditWorking                               EditWorking        the session ends  changed back
//	profile         SetProfile, UndoProfile                   UndoProfile        30 days           version history
//	profile         DeleteProfile                             UndoDeletion       10 s              restored from the trash
//	profile         Profile                                   none                                 it follows the items, which are undone
//	agent           CreateAgent                               DeleteAgent        always            changed back
//	agent           EditAgent                                 EditAgent          always            changed back
//	agent           DeleteAgent                               UndoAgentDeletion  10 s              restored from the trash
//	agent           UndoAgentDeletion                         DeleteAgent        always            changed back
//	group           AddGroup                                  DeleteGroup        always            changed back
//	group           EditGroup                                 EditGroup          always            changed back
//	group           DeleteGroup                               UndoDeletion       10 s              restored from the trash
//	deletion        UndoDeletion                              DeleteItems        always            changed back
//	deletion        Purge                                     none                                 the user asks for it to be final
//	draft           SaveDraft                                 SaveDraft          always            changed back
//	journal         RunJournal                                none                                 derived from the messages; an edited file is the user's
//	setting         SetConfig                                 SetConfig          always            changed back
//	setting         SetJournalConfig                          SetJournalConfig   always            changed back
//	store           DryRun                                    none                                 its transaction is rolled back
//	store           Close                                     none                                 it removes empty indexes alone
//
// # The profile
//
// One short document about the user, of lines that follow items and lines of his own
// (memory/profile). Every write that touches items ends with bringing the profile up
// to date, in the same transaction (followItems), so that no line outlives its
// item; each difference is a version with who made it and why. Lines of items hold
// references, no words, so that a deleted item is in no version any more, and comes
// back with the take-back. [Manager.SetProfile] is the user's hand,
// [Manager.UndoProfile] takes a version back.
//
// # Deleting
//
// DeleteItems, DeleteSession and DeleteRecords take what they delete out of every
// view at once, in one write, and keep it for [DeletionUndoTime]; then it is
// destroyed, with its files, by a timer or at the next start. With a message go
// the keywords, topics and titles that were made of its words.
//
// What the user says to the memory itself is carried out by Overview, ForgetSaid and
// ForgetAnswered, WithdrawSaid, UndoLast and CorrectSaid. Forgetting marks the messages
// behind a memory as not for memory (withhold.go): the history shows them, and nothing
// else reads them.
//
// # Settings
//
// [write.Core.SetConfig] puts another configuration in force while the memory is in use
// (package write). A configuration in force is never changed, only replaced: an operation
// that reads it twice may see two. How many heads are in memory is decided at [Open].
//
// # Agents
//
// Every method takes the agent whose data it touches, and none can reach
// another's.
//
// How an agent is called, who it is, which model answers as it and in which colour
// is in the store ([Manager.CreateAgent], [Manager.EditAgent]); what the
// configuration gives ([Options.Agents]) wins field by field and is not written
// over. Whoever has data is an agent, described or not.
//
// [Manager.DeleteAgent] moves everything of an agent into the trash in one write,
// so that it is empty at once; it can come back whole as long as it was not begun
// anew. What lies in memory of it is thrown away first, and whoever still holds
// that writes nothing any more. Its indexes go at once: they can be made again.
// Backups that are older than the deletion lose all that they hold of it.
//
// # Groups
//
// A [memory.Group] owns a transcript as an agent does (S9): its sessions, messages,
// partial answers and drafts lie under its id, and the methods above take it where
// they take an agent. It has no items and no profile. Each member has of every
// session what it heard: a session of the same id with [memory.Session].Group, and
// references to the records, of the same ids, without words. Reading resolves them, so
// that evidence, archive, index and consolidation of a member work over its own id and
// never look elsewhere. Who joins later has what was said since; who leaves keeps what
// it heard, and that ends for it.
//
// Writing for a group is one transaction over it and all who hear it (package write). A
// message is heard by all, an answer by all; archiving queues a generation for each,
// going on takes all of them back, deleting takes the words, every reference and what
// each made of them, under one deletion. What was heard is not ended, continued or
// deleted at a member's door ([GroupSessionError]). With its own answer a member gets the job
// of learning from (the user's message, its answer); with the last answer of a turn
// those who only heard get one of the message alone. What one agent says teaches
// another nothing.
//
// A Manager is safe for concurrent use. A method whose context is done returns the
// cause and begins no transaction of the store; a transaction that has begun is
// finished. So a caller that ends, and must not lose what it has to write, passes
// context.WithoutCancel of its own context.
//
// Tests run against a real store and a
// real index in a temporary folder.
package manager
