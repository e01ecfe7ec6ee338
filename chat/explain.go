package chat

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"syscall"

	"memoria/chat/model"
	"memoria/memory/manager"
)

// Explain turns any error of this program into words for a person: what
// happened, one sentence, and what to do about it.
func Explain(err error) Problem {
	var (
		fromModel *model.Error
		locked    *manager.LockedError
		schema    *manager.SchemaError
	)
	switch {
	case err == nil:
		return Problem{}
	case errors.As(err, &fromModel):
		return Problem{Title: modelTitle(fromModel.Kind), Text: fromModel.Message, Hint: fromModel.Hint}
	case errors.As(err, &locked):
		return Problem{
			Title: "memoria is already running",
			Text:  locked.Error() + ".",
			Hint:  "Use that one, close it first, or give another folder with --data-dir.",
		}
	case errors.As(err, &schema):
		return Problem{
			Title: "This memory is newer than the program",
			Text:  fmt.Sprintf("The data folder has layout %d; this program knows layouts up to %d.", schema.Have, schema.Want),
			Hint:  "Install the newer memoria. Nothing was changed.",
		}
	case errors.Is(err, manager.ErrMissing):
		return Problem{Title: "The memory file is missing or empty", Text: err.Error() + ".", Hint: "Put the file back from a backup, or give another folder with --data-dir. Nothing was overwritten."}
	case errors.Is(err, manager.ErrDamaged):
		return Problem{Title: "The memory file is damaged", Text: err.Error() + ".", Hint: "Put the file back from a backup, or give another folder with --data-dir. Nothing was overwritten."}
	case errors.Is(err, errTooLong):
		return Problem{Title: "The message is too long", Text: err.Error() + ".", Hint: "Send it in parts, or set context_tokens under [model] if the model takes more."}
	case errors.Is(err, syscall.ENOSPC):
		return Problem{Title: "The disk is full", Text: "Nothing can be written: " + err.Error() + ".", Hint: "Make room; what was acknowledged is safe, and writing goes on by itself."}
	case errors.Is(err, fs.ErrPermission), errors.Is(err, syscall.EROFS):
		return Problem{Title: "The data folder cannot be written", Text: err.Error() + ".", Hint: "Check the owner and the mode of the data folder."}
	case errors.Is(err, manager.ErrGone):
		return Problem{Title: "Too late to take it back", Text: "The deletion was carried out.", Hint: ""}
	case errors.Is(err, manager.ErrAmbiguous):
		return Problem{Title: "Which one?", Text: err.Error() + ".", Hint: "Give more of the id."}
	case errors.Is(err, manager.ErrNotFound):
		return Problem{Title: "Not found", Text: err.Error() + ".", Hint: ""}
	case errors.Is(err, manager.ErrInvalid):
		return Problem{Title: "This cannot be stored", Text: err.Error() + ".", Hint: ""}
	case errors.Is(err, errFault):
		return Problem{Title: "The program made a mistake", Text: "It is a fault of memoria's own; what you sent is stored.", Hint: "Try again. The log says where it happened."}
	case errors.Is(err, ErrBusy):
		return Problem{Title: "An answer is still arriving", Text: "Wait for it or cancel it with Esc.", Hint: ""}
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return Problem{Title: "Cancelled", Text: err.Error() + ".", Hint: ""}
	}
	return Problem{Title: "Something went wrong", Text: err.Error() + ".", Hint: ""}
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
	case model.KindModelNotFound:
		return "The model server does not know this model"
	case model.KindQuota:
		return "Nothing is left to spend at the model server"
	case model.KindRequest:
		return "The model server refused the request"
	case model.KindOffline:
		return "No language model is connected"
	case model.KindCancelled:
		return "Cancelled"
	}
	return "The model server failed"
}
