package chat

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"memoria/chat/compose"
	"memoria/chat/model"
	"memoria/memory/manager"
	"memoria/memory/vault"
)

// Explain turns any error of this program into words for a person: what
// happened, one sentence, and what to do about it.
func Explain(err error) Problem {
	var (
		fromModel *model.Error
		locked    *vault.LockedError
		schema    *vault.SchemaError
		lost      *vault.LostError
		heard     *manager.GroupSessionError
		long      *compose.TooLongError
		nobody    *NobodyError
	)
	switch {
	case err == nil:
		return Problem{}
	case errors.As(err, &fromModel):
		return Problem{Title: modelTitle(fromModel.Kind), Text: fromModel.Message, Hint: fromModel.Hint}
	case errors.As(err, &locked):
		hint := "Use that one, close it first, or give another folder with --data-dir."
		return Problem{Title: "memoria is already running", Text: lockedText(locked), Hint: hint}
	case errors.As(err, &schema):
		return Problem{
			Title: "This memory is newer than the program",
			Text:  fmt.Sprintf("%s was written by a newer memoria (layout %d; this one knows layouts up to %d).", schema.Path, schema.Have, schema.Want),
			Hint:  "Install " + schema.Reader() + ". Nothing was changed.",
		}
	case errors.As(err, &lost):
		return explainLost(lost)
	case errors.As(err, &heard):
		return Problem{
			Title: "It belongs to a group", Text: err.Error() + ".", Hint: "Open the group: memoria --agent " + heard.Group,
		}
	case errors.Is(err, vault.ErrDamaged):
		return Problem{Title: "The memory file is damaged", Text: "A part of it cannot be read.", Hint: "Close memoria and run: memoria doctor"}
	case errors.As(err, &nobody):
		return Problem{Title: "Nobody is called so", Text: "N" + strings.TrimPrefix(nobody.Error(), "n") + ".", Hint: `Nothing was sent. To send the text as it is, write \@ for the @.`}
	case errors.As(err, &long):
		return Problem{Title: "The message is too long", Text: "The" + strings.TrimPrefix(long.Error(), "the") + ".", Hint: "Send it in parts, or set context_tokens under [model] if the model takes more. Nothing was sent."}
	case errors.Is(err, errOnlyCalls):
		return Problem{Title: "The model gave no answer", Text: "It went on searching after its last search.", Hint: "Ask again, or switch the tool off: /search-tool off"}
	case errors.Is(err, vault.ErrFull):
		return Problem{Title: "The disk is full", Text: "Nothing can be written" + at(err) + ".", Hint: "Make room; what was acknowledged is safe, and writing goes on by itself."}
	case errors.Is(err, vault.ErrUnwritable), errors.Is(err, fs.ErrPermission):
		return Problem{Title: "The data folder cannot be written", Text: "Nothing may be written" + at(err) + ".", Hint: "Check the owner and the mode of the data folder and whether the disk is mounted read-only, or give another folder with --data-dir."}
	case errors.Is(err, vault.ErrTakenAway):
		return Problem{Title: "The data folder was taken away", Text: err.Error() + ".", Hint: "Put it back where it was; writing goes on by itself."}
	case errors.Is(err, errUnsaved):
		return Problem{Title: "Not saved yet", Text: "The disk did not take what was said before this.", Hint: "It is written by itself, in order."}
	case errors.Is(err, manager.ErrGone):
		return Problem{Title: "Too late to take it back", Text: "The deletion was carried out.", Hint: ""}
	case errors.Is(err, manager.ErrInUse):
		return Problem{Title: "Not taken back", Text: "The agent was begun anew since it was deleted.", Hint: ""}
	case errors.Is(err, manager.ErrExists):
		return Problem{Title: "This agent is there already", Text: err.Error() + ".", Hint: "Give another id, or edit that one."}
	case errors.Is(err, manager.ErrOrphaned):
		return Problem{Title: "Not taken back", Text: "The session that the message belongs to was deleted after it.", Hint: "Take the session back first."}
	case errors.Is(err, manager.ErrAmbiguous):
		return Problem{Title: "Which one?", Text: err.Error() + ".", Hint: "Give more of the id."}
	case errors.Is(err, manager.ErrNotFound):
		return Problem{Title: "Not found", Text: err.Error() + ".", Hint: ""}
	case errors.Is(err, manager.ErrChanged):
		return Problem{Title: "It changed meanwhile", Text: err.Error() + "; nothing was done.", Hint: "Look at it again, then decide."}
	case errors.Is(err, manager.ErrFinal):
		return Problem{Title: "Not taken back", Text: err.Error() + ".", Hint: ""}
	case errors.Is(err, manager.ErrInGroup):
		return Problem{Title: "Not in a group", Text: "A conversation with a group goes one way: every member has heard it.", Hint: "/new begins another conversation with the group."}
	case errors.Is(err, manager.ErrInvalid):
		return Problem{Title: "This cannot be stored", Text: err.Error() + ".", Hint: ""}
	case errors.Is(err, errFault):
		return Problem{Title: "The program made a mistake", Text: "It is a fault of memoria's own; what you sent is stored.", Hint: "Try again. The log says where it happened."}
	case errors.Is(err, ErrEmpty):
		return Problem{Title: "There is nothing to send", Text: "The message has no words.", Hint: "Type something first."}
	case errors.Is(err, ErrTooLarge):
		return Problem{Title: "The message is too large", Text: err.Error() + ".", Hint: "Send it in parts; nothing of it was sent."}
	case errors.Is(err, ErrTooLate):
		return Problem{Title: "Too late to take it back", Text: "The message is being answered.", Hint: "Esc ends the answer."}
	case errors.Is(err, ErrNothing):
		return Problem{Title: "There is nothing to try again", Text: "Every message of this session has its answer.", Hint: ""}
	case errors.Is(err, ErrNotJudged):
		return Problem{Title: "There is nothing to overrule", Text: "No message of this conversation came after a pause that was judged.", Hint: ""}
	case errors.Is(err, ErrClosed):
		return Problem{Title: "The program ends", Text: "The conversation was closed.", Hint: ""}
	case errors.Is(err, ErrBusy):
		return Problem{Title: "An answer is still arriving", Text: "Wait for it or cancel it with Esc.", Hint: ""}
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return Problem{Title: "Cancelled", Text: err.Error() + ".", Hint: ""}
	}
	return Problem{Title: "Something went wrong", Text: err.Error() + ".", Hint: ""}
}

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
	there, date := !errors.Is(e.Err, vault.ErrMissing), ""
	if e.Backup != nil {
		date = e.Backup.Time.Format("2006-01-02 15:04 MST")
	}
	const restore = "To restore it: " + vault.RepairCommand + "."
	switch b := e.Backup; {
	case errors.Is(e.Err, vault.ErrForeign):
		p.Hint = "If it was copied here on purpose: memoria adopt."
	case there && b == nil:
		p.Hint = "There is no good backup. To save what of the file can be read: " + vault.RepairCommand + "."
	case there:
		p.Hint = "To save what of the file can be read, and the rest from the backup of " + date + ": " + vault.RepairCommand + "."
	case b == nil:
		p.Hint = "There is no good backup in the data folder. Put the file back from one of your own, or give another folder with --data-dir."
	case b.Partial:
		p.Hint = "The newest backup is of " + date + ", and some of its records cannot be read. " + restore
	default:
		p.Hint = "The newest good backup is of " + date + ". " + restore
	}
	p.Hint += " Nothing was overwritten."
	return p
}

func modelTitle(k model.Kind) string {
	switch k {
	case model.KindAuth:
		return "The model server refused the key"
	case model.KindRate:
		return "The model server asks to slow down"
	case model.KindConnectTimeout, model.KindFirstTokenTimeout, model.KindIdleTimeout:
		return "The model server does not answer"
	case model.KindNetwork:
		return "The model server cannot be reached"
	case model.KindContextLength:
		return "The message is too long for the model"
	case model.KindTooLarge:
		return "The answer is too large"
	case model.KindBadResponse:
		return "The model server sent no proper answer"
	case model.KindIncomplete:
		return "The answer broke off"
	case model.KindLength:
		return "The answer was cut off"
	case model.KindFiltered:
		return "The answer was withheld"
	case model.KindEmpty:
		return "There is no answer"
	case model.KindModelNotFound:
		return "The model server does not know this model"
	case model.KindQuota:
		return "Nothing is left to spend at the model server"
	case model.KindTools:
		return "The model server takes no tools"
	case model.KindRequest:
		return "The model server refused the request"
	case model.KindOffline:
		return "No language model is connected"
	case model.KindCancelled:
		return "Cancelled"
	}
	return "The model server failed"
}
