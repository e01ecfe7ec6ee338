// Package manager is the interface of the memory for packages chat and ui. It opens a data
// folder and combines the packages of the memory into complete operations. Each operation is
// one transaction of the store, so it is atomic even in a crash.
//
//	manager             sessions, turns, branches, groups, deletions
//	manager/learning    items: written by the user, learned, undone, forgotten; Manager.Learning
//	manager/imported    items that imported sessions propose; Manager.Imported
//	manager/journals    the journals, opened, searched and run; Manager.Journals
//	manager/profiles    the profile, which follows the items; Manager.Profiles
//	manager/agents      descriptions of agents; Manager.Agents
//	manager/importer    conversations of other programs; Manager.Importer
//	manager/portable    exports of an agent, and their import
//	manager/files       long contents in files, folders of indexes
//	manager/trash       the end of deleted data; Manager.Trash
//	manager/write       what writers share: the core and the transaction
//	memory/lookup       reads by id and in lists; Manager.Lookup
//	memory/recall       retrieval and search; Manager.Recall
//	memory/vault        files, backups, the health of the disk; Manager.Vault
//
// # A turn
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
//	incoming  turn  round  package     an incoming message, its turn and tool rounds, the package
//	unsaved_turns                      turns that a full disk did not take
//	turns_held                         turns that a conversation of this process works on
//	session_  branch_  overrule        sessions: their life, sweep and titles; branches; moving turns
//	working_  draft                    the subject of a session, the text in the input
//	record                             single messages
//	delete  ignore_list  refusal_keys  deletions, and what keeps deleted content from being learned again
//	forget_said  take_back             forgetting what a message names, and the message before
//	decide_said                        decisions in words about what waits for approval
//	withhold  unkept                   messages that are not for memory, or not kept
//	agent_delete  group_               the deletion of agents; groups
//
// # Branches
//
// The records of a session are a tree over their parents (A1), and a session is in
// one branch of it, which ends at [memory.Session.LastRecordID]: the window, the
// transcript, analyses, summaries and exports read that and nothing else, through
// lookup.RecordsOf; the archive and its search see all. Moving that end is all that happens
// to records:
//
//	RegenerateTurn  adds an alternative answer as a turn of its own, so that the package
//	                of each answer is unchanged (C5); it learns nothing twice
//	KeepIncoming    stores an edited message, whose turn starts a new branch
//	UndoLastTurn    moves the end before the last turn; RedoTurn moves it back
//	StepBranch      switches to another branch, at its last end
//	Fork            starts a session whose first record has its parent in another session
//
// If turns leave the current branch, the same write undoes what was learned from them, as
// UndoTurn does. Undoing that restores it; switching back to the branch does not. Working
// memory returns to its state before these turns, except for its counter, which packages
// refer to. A deleted record keeps its place in the tree ([store.Tx.Path]), so later records
// still have their predecessors.
//
// # The end of a session
//
// session_life.go has each state change of a session.
//
// When a session ends, and after many turns of a running one, it is consolidated (P7, S12).
// Everything that one consolidation writes has its id, the generation. Archiving queues it
// in the same write. Learn consolidates by rules: a summary, an episode told over several
// messages, a topic shared by several sessions. If a model takes part, the summary by rules
// is preliminary until Analyse has the model's answer, and the rest of the generation is
// written together with that. Before it writes, a consolidation checks that the session's
// epoch and records are still those it read (current), so it writes at most once. A message
// sent in an archived session rolls the generation back in the write that reopens the
// session (rollBack, S5). Consolidate runs a consolidation on request. Content that must not
// be remembered is not read: turns without memory, messages that ask for that, pasted text,
// secrets, and words whose memory the user deleted ([memory.Session].Silenced).
//
// Deleting a message of the user deletes the summary of its session, and a new summary of
// the remaining messages is queued.
//
// # The inbox
//
// The inbox has the items that the policy holds for approval: personal data, content from
// pasted text or another program, and conclusions that contradict the user. Inbox lists
// them. Accept, AcceptEdited and Reject decide about exactly the version that was shown
// ([Shown], [ErrChanged]), each in one write. A rejected item is deleted; a keyed hash of it
// is kept, so that the same content is not proposed again.
//
// Other programs propose items and changes of items (package doors).
//
// # Forgetting
//
// [learning.Writer.Forget] applies the retention rules of package policy. It deactivates
// expired items, lowers the confidence of unimportant items that are long unused, evicts
// overflow if a maximum is configured, and deletes items that have been inactive for long. It
// runs in the background for the agents in use, some seconds after the start and then every hour, in small writes with
// pauses. Each change is a version with an entry in the history, of origin system, so it can
// be undone.
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
// The table shows how each writing method of [Manager] and of the writers below it is undone, and until when.
// TestUndoTable makes and undoes every change, and fails if a method has no row.
//
//	noun            change                                    undo               until             how
//	item            AddItem, EditItem                         Undo               30 days           reversed by the ledger
//	item            LearnTurn, Learn, Analyse                 UndoTurn           30 days           reversed by the ledger
//	item            CorrectSaid, WithdrawSaid                 UndoLast           30 days           reversed by the ledger
//	item            Accept, AcceptEdited                      Undo               30 days           reversed by the ledger
//	item            Propose, ProposeEdit                      Undo               30 days           reversed by the ledger
//	item            Forget                                    Undo               30 days           reversed by the ledger
//	item            ForgetPeriodically                        none                                 each run is a Forget
//	item            DeleteItems, ClearItems, Reject,          UndoDeletion       10 s              restored from the trash
//	                ForgetSaid, ForgetAnswered
//	generation      Consolidate, Learn                        UndoGeneration     30 days           reversed by the ledger
//	generation      ProposeImported                           UndoGeneration     30 days           reversed by the ledger
//	generation      ReadImported                              UndoGeneration     30 days           reversed by the ledger
//	undo            Undo, UndoTurn, UndoGeneration, UndoLast  Undo               30 days           reversed by the ledger
//	message         KeepIncoming, KeepUnsaved                 DropIncoming       the turn begins   changed back
//	message         DropIncoming                              KeepIncoming       always            changed back
//	message         CollectRecord                             CollectRecord      always            changed back
//	message         Withhold                                  none                                 the user states it again
//	message         DeleteRecords                             UndoDeletion       10 s              restored from the trash
//	message         Overrule                                  Overrule           always            judged the other way
//	turn            BeginTurn, FinishTurn, WriteUnsaved       UndoLastTurn       the session ends  the branch ends elsewhere
//	turn            UndoLastTurn                              RedoTurn           the next message  the branch ends elsewhere
//	turn            RedoTurn                                  UndoLastTurn       the session ends  the branch ends elsewhere
//	turn            RegenerateTurn                            StepBranch         always            the branch ends elsewhere
//	turn            RetryTurn                                 none                                 its message had no complete answer
//	turn            SavePackage, SaveRound, SavePartial,      none                                 deleted with its message
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
//	agent           ImportAgent                               DeleteAgent        always            changed back
//	agent           ExportAgent                               none                                 it notes which file it wrote
//	group           AddGroup                                  DeleteGroup        always            changed back
//	group           EditGroup                                 EditGroup          always            changed back
//	group           DeleteGroup                               UndoDeletion       10 s              restored from the trash
//	deletion        UndoDeletion                              DeleteItems        always            changed back
//	deletion        Prolong                                   none                                 the undo time is over
//	deletion        PurgeExpired, PurgeExpiredIn, Resume      none                                 the undo time is over
//	deletion        Erase                                     none                                 it is deleted for good
//	deletion        Purge                                     none                                 the user asks for it to be final
//	draft           SaveDraft                                 SaveDraft          always            changed back
//	journal         RunJournal                                none                                 derived from the messages
//	setting         SetConfig                                 SetConfig          always            changed back
//	setting         SetJournalConfig                          SetJournalConfig   always            changed back
//	store           DryRun                                    none                                 its transaction is rolled back
//	store           Close                                     none                                 it removes empty indexes alone
//
// # Deleting
//
// DeleteItems, DeleteSession and DeleteRecords move content to the trash in one write, so
// that no view shows it any more. After [write.DeletionUndoTime] a timer, or the next start,
// destroys it, and removes it from all files (package trash). Keywords, topics and titles derived from a message are deleted
// with it.
//
// Requests to the memory inside a message are handled by Overview, ForgetSaid,
// ForgetAnswered, WithdrawSaid, UndoLast, CorrectSaid and
// [TakeBack]. Forgetting an item withholds its
// source messages (withhold.go): they appear only in the history. So do messages that ask not
// to be kept (U5), and those of which a memory was rejected.
//
// # Settings
//
// [write.Core.SetConfig] puts another configuration in force while the memory is in use
// (package write). A configuration in force is never changed, only replaced: an operation
// that reads it twice may see two. How many heads are in memory is decided at [Open].
//
// # Agents
//
// Every method takes an agent's id and accesses only that agent's data.
//
// Package agents writes their descriptions.
//
// [Manager.DeleteAgent] moves all data of an agent to the trash in one write. The deletion
// can be undone until an agent with the same id is created. Caches of the agent are
// discarded first, and later writes through a stale handle are refused. Indexes are deleted
// at once, since they can be rebuilt. The agent's data is also removed from older backups.
//
// # Groups
//
// A [memory.Group] owns a transcript as an agent does (S9). Its sessions, messages, partial
// answers and drafts are stored under its id, and methods for transcripts accept it in place
// of an agent's. It has no items and no profile. Each member has a copy of every session of
// the group, a heard session: it has the same id and [memory.Session].Group, and references
// to the group's records instead of text. Reads resolve the references, so evidence,
// archive, index and consolidation of a member need only its own id. A new member has the
// records since it joined. A member that leaves keeps its copies, which end.
//
// A write for a group is one transaction over the group and its members (package write).
// Every member hears every message and answer. Archiving queues a generation for each member,
// reopening rolls them all back, and one deletion removes the text, the references and what
// each member learned from them. A heard session cannot be ended, continued or deleted
// through a member ([write.GroupSessionError]). A member that answers learns from the user's
// message and its own answer. After the last answer of a turn, the other members learn from
// the message alone. No agent learns from the answers of another.
//
// A Manager is safe for concurrent use. A method whose context is done returns the
// cause and begins no transaction of the store; a transaction that has begun is
// finished. So a caller that ends, and must not lose what it has to write, passes
// context.WithoutCancel of its own context.
//
// Tests run against a real store and a real index in a temporary folder.
package manager
