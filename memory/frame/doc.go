// Package frame recognises text that is not about the user (P5b): play, such as a game, role-play or fiction,
// and tasks on a text, such as translating or correcting it. Statements in a frame are held for approval
// instead of becoming active.
//
// Play lasts until the user ends it, several messages in a row are plainly about the user, the session ends, or a pause
// of passive_timeout. A task frames its own message and further material, at most [TaskMessages] messages.
//
// [Rules.Next] computes the frame of a message from the frame of the message before it in the same branch of
// the conversation. It is a pure function, so each record stores its own frame ([memory.Record]): a turn that
// is learned late, after a restart, or in another branch sees the frame that it was said in.
//
// The vocabulary lives in data, one file per subject and language; data/README.md describes it.
package frame
