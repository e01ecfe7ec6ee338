// Package prompts holds all texts for language models, and counts tokens.
//
// # Prompts
//
// A prompt is a text/template in a file below this folder, named by its path
// ("chat/system.txt") and embedded in the binary. No other package writes sentences for
// a model (I6). A [Set] is all prompts, with the user's overrides from
// <config>/prompts/<name>. An invalid override is reported with its line, and the
// embedded text is the fallback, so that a typo never stops the chat. data.go lists the
// prompts and their data.
//
// The system prompt takes only settings. Servers cache a prompt's prefix up to the
// first differing byte, so data that changes from turn to turn (numbers of notes, date
// and time) comes later, at each fence. The fixed text is short: at most 200 tokens of
// the system prompt, and 60 for all fences and headings (C6).
//
// # Fences
//
// Memories reach the model as data (C6): under one heading for all layers of a message,
// between two marks with a random nonce, one line each, as one JSON string. Text cannot
// leave its line or contain the nonce, so pasted text cannot pass for an instruction by
// its form. [Set.FenceHead], [Line] and [FenceTail] are pure functions of their input:
// a stored nonce reproduces the same bytes (C5). The user's own answer preferences come
// outside the fence, since they are to be followed.
//
// # Tokens
//
// [Tokens] estimates without a vocabulary. [Calibration] corrects the estimate by the
// server's reports. Counts are shown with "~" (C7).
//
// The package does not depend on the rest of the program. It reads files only in New
// and keeps no state except a Calibration's ratios.
package prompts
