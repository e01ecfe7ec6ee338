package chat

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"memoria/chat/compose"
	"memoria/chat/model"
	"memoria/memory"
	"memoria/memory/learn"
	"memoria/memory/lookup"
	"memoria/memory/manager"
	"memoria/memory/manager/agents"
	"memoria/memory/manager/learning"
	"memoria/memory/manager/profiles"
	"memoria/memory/manager/write"
	"memoria/memory/transfer"
	"memoria/memory/vault"
)

// Explain turns any error of this program into words for a person: what happened, one
// sentence, and what to do about it.
func Explain(err error) Problem {
	var (
		fromModel *model.Error
		locked    *vault.LockedError
		schema    *vault.SchemaError
		lost      *vault.LostError
		heard     *write.GroupSessionError
		long      *compose.TooLongError
		unknown   *UnknownMemberError
		stopped   *learn.StoppedError
	)
	switch {
	case err == nil:
		return Problem{}
	case errors.As(err, &fromModel):
		return Problem{Title: fromModel.Kind.Title(), Text: fromModel.Message, Hint: fromModel.Hint}
	case errors.As(err, &locked):
		return Problem{
			Title: "Another memoria has this memory open", Text: lockedText(locked),
			Hint: "Close it and all others that use this memory (terminals, serve, mcp), or give another folder with --data-dir.",
		}
	case errors.As(err, &schema):
		return Problem{
			Title: "This memory is newer than the program",
			Text: fmt.Sprintf("%s was written by a newer memoria (layout %d; this one knows layouts up to %d).",
				schema.Path, schema.Have, schema.Want),
			Hint: "Install " + schema.Reader() + ". Nothing was changed.",
		}
	case errors.As(err, &lost):
		return explainLost(lost)
	case errors.As(err, &heard):
		return Problem{Title: "It belongs to a group", Text: err.Error() + ".", Hint: "Open the group: memoria --agent " + heard.Group}
	case errors.As(err, &unknown):
		return Problem{
			Title: "No such member", Text: "N" + strings.TrimPrefix(unknown.Error(), "n") + ".",
			Hint: `Nothing was sent. To send the text as it is, write \@ for the @.`,
		}
	case errors.As(err, &long):
		return Problem{
			Title: "The message is too long", Text: "The" + strings.TrimPrefix(long.Error(), "the") + ".",
			Hint: "Send it in parts, or set context_tokens under [model] if the model takes more. Nothing was sent.",
		}
	case errors.As(err, &stopped):
		return Problem{
			Title: "Learning from the model has stopped",
			Text:  fmt.Sprintf("The last %d answers of %s were unusable.", stopped.Answers, stopped.Model),
			Hint: "Rules go on learning. It begins again with another model (/model) or after a restart; " +
				"/set analysis rules never asks a model.",
		}
	case errors.Is(err, learning.ErrChanged):
		return Problem{Title: "It changed meanwhile", Text: err.Error() + "; nothing was done.", Hint: "Look at it again, then decide."}
	}
	for _, p := range problems {
		if errors.Is(err, p.err) {
			text := p.text
			switch {
			case text == "":
				text = err.Error() + "."
			case p.file:
				text += at(err) + "."
			}
			return Problem{Title: p.title, Text: text, Hint: p.hint}
		}
	}
	return Problem{Title: "Something went wrong", Text: err.Error() + "."}
}

const unknownFormatHint = "For files of other programs: memoria import chatgpt, claude or jsonl. Nothing was changed."

// problems word errors that are values; the first that fits counts.
var problems = []struct {
	err   error
	title string
	text  string // empty: that of the error
	hint  string
	file  bool // the text goes on with the file that the system refused
}{
	{
		err: vault.ErrDamaged, title: "The memory file is damaged", text: "A part of it cannot be read.",
		hint: "Close memoria and run: memoria doctor",
	},
	{
		err: errOnlyCalls, title: "The model gave no answer", text: "It went on searching after its last search.",
		hint: "Ask again, or switch the tool off: /search-tool off",
	},
	{
		err: vault.ErrFull, title: "The disk is full", text: "Nothing can be written",
		hint: "Make room; what was acknowledged is safe, and writing goes on by itself.", file: true,
	},
	{
		err: vault.ErrUnwritable, title: "The data folder cannot be written", text: "Nothing may be written",
		hint: unwritableHint, file: true,
	},
	{
		err: fs.ErrPermission, title: "The data folder cannot be written", text: "Nothing may be written",
		hint: unwritableHint, file: true,
	},
	{
		err: vault.ErrTakenAway, title: "The data folder was taken away",
		hint: "Put it back where it was; writing goes on by itself.",
	},
	{
		err: errUnsaved, title: "Not saved yet", text: "The disk did not take what was said before this.",
		hint: "It is written by itself, in order.",
	},
	{err: manager.ErrGone, title: "Too late to undo", text: "The deletion was carried out."},
	{err: manager.ErrInUse, title: "Not restored", text: "The agent was created again after it was deleted."},
	{err: agents.ErrExists, title: "This agent is there already", hint: "Give another id, or edit that one."},
	{
		err: manager.ErrOrphaned, title: "Not restored", text: "The session that the message belongs to was deleted after it.",
		hint: "Restore the session first.",
	},
	{err: lookup.ErrAmbiguous, title: "Which one?", hint: "Give more of the id."},
	{err: lookup.ErrNotFound, title: "Not found"},
	{err: profiles.ErrFinal, title: "Not restored"},
	{
		err: write.ErrInGroup, title: "Not in a group", text: "A conversation with a group goes one way: every member has heard it.",
		hint: "/new begins another conversation with the group.",
	},
	{
		err: transfer.ErrEncrypted, title: "The file is encrypted", text: "It needs the passphrase or the identity that opens it.",
		hint: "Give --passphrase-file or --identity. Nothing was changed.",
	},
	{
		err: transfer.ErrSecret, title: "The file was not opened",
		text: "The passphrase or identity is not the one that it was encrypted for.",
		hint: "Try another one. Nothing was changed.",
	},
	{
		err: transfer.ErrIdentity, title: "The file was not opened", text: "The file of --identity has no age identity.",
		hint: "It has a line that begins with AGE-SECRET-KEY-1. Nothing was changed.",
	},
	{err: transfer.ErrDamaged, title: "The file is damaged", hint: "Take another copy of it. Nothing was changed."},
	{err: transfer.ErrVersion, title: "The file is newer than the program", hint: "Update memoria first. Nothing was changed."},
	{err: transfer.ErrLarge, title: "The file is too large", hint: "Nothing was changed."},
	{err: transfer.ErrBackup, title: "This is a backup", hint: "To restore it: memoria restore FILE. Nothing was changed."},
	{err: transfer.ErrFormat, title: "Not an export of memoria", hint: unknownFormatHint},
	{err: memory.ErrInvalid, title: "This cannot be stored"},
	{
		err: errFault, title: "The program made a mistake", text: "It is a fault of memoria's own; what you sent is stored.",
		hint: "Try again. The log says where it happened.",
	},
	{err: ErrEmpty, title: "There is nothing to send", text: "The message has no words.", hint: "Type something first."},
	{err: ErrTooLarge, title: "The message is too large", hint: "Send it in parts; nothing of it was sent."},
	{err: ErrTooLate, title: "Too late to withdraw it", text: "The message is being answered.", hint: "Esc ends the answer."},
	{err: ErrNothing, title: "There is nothing to try again", text: "Every message of this session has its answer."},
	{
		err: ErrNotJudged, title: "There is nothing to overrule",
		text: "No message of this conversation came after a pause that was judged.",
	},
	{err: ErrClosed, title: "The program ends", text: "The conversation was closed."},
	{err: ErrBusy, title: "An answer is still arriving", text: "Wait for it or cancel it with Esc."},
	{err: context.Canceled, title: "Cancelled"},
	{err: context.DeadlineExceeded, title: "Cancelled"},
}

const unwritableHint = "Check the owner and the mode of the data folder and whether the disk is mounted read-only, " +
	"or give another folder with --data-dir."

// at names the file that the system refused, and why; empty when it is not known.
func at(err error) string {
	var file *fs.PathError
	if !errors.As(err, &file) {
		return ""
	}
	return fmt.Sprintf(": %s (%v)", file.Path, file.Err)
}

func lockedText(e *vault.LockedError) string {
	if e.PID == 0 {
		return fmt.Sprintf("%s is open in another process.", e.Path)
	}
	return fmt.Sprintf("%s is open in process %d.", e.Path, e.PID)
}

// explainLost tells of a store that cannot be opened, and how to get it back.
func explainLost(e *vault.LostError) Problem {
	var p Problem
	switch {
	case errors.Is(e.Err, vault.ErrEmpty):
		p.Title, p.Text = "The memory file is empty", "There was a memory in "+e.Path()+", and now the file has 0 bytes."
	case errors.Is(e.Err, vault.ErrMissing):
		p.Title, p.Text = "The memory file is missing", "There was a memory in "+e.Path()+", and the file is gone."
	case errors.Is(e.Err, vault.ErrForeign):
		p.Title, p.Text = "The memory file is not the one of this folder", e.Path()+" is the memory of another data folder."
	default:
		p.Title, p.Text = "The memory file is damaged", e.Path()+" is not as it was written; memoria doctor says more."
	}
	there, b := !errors.Is(e.Err, vault.ErrMissing), e.Backup
	when := ""
	if b != nil {
		when = b.Time.Format("2006-01-02 15:04 MST")
	}
	const untouched = " Nothing was overwritten."
	switch {
	case errors.Is(e.Err, vault.ErrForeign):
		p.Hint = "If it was copied here on purpose: memoria adopt."
	case there && b == nil:
		p.Hint = fmt.Sprintf("There is no good backup. To save what of the file can be read: %s.", vault.RepairCommand)
	case there:
		p.Hint = fmt.Sprintf("To save what of the file can be read, and the rest from the backup of %s: %s.", when, vault.RepairCommand)
	case b == nil:
		p.Hint = "There is no good backup in the data folder. " +
			"Put the file back from one of your own, or give another folder with --data-dir."
	case b.Partial:
		p.Hint = fmt.Sprintf("The newest backup is of %s, and some of its records cannot be read. To restore it: %s.",
			when, vault.RepairCommand)
	default:
		p.Hint = fmt.Sprintf("The newest good backup is of %s. To restore it: %s.", when, vault.RepairCommand)
	}
	p.Hint += untouched
	return p
}
