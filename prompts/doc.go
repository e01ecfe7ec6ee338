// Package prompts holds every text that goes to a language model, and counts
// tokens.
//
// # Prompts
//
// A prompt is a file below this folder, named by its path ("chat/system.txt"),
// a text/template, embedded in the binary. No other package writes sentences
// for a model (I6). A [Set] is all of them, with the user's own files in place
// of the embedded ones: New reads <config>/prompts/<name>. An override that
// cannot work is named together with its line, and the embedded text stands in
// for it, so that a slip in a text file never silences the chat. data.go lists
// the prompts and the data each one takes.
//
// The system prompt takes settings only. Servers keep a prompt's prefix in a
// cache up to the first byte that differs, so what changes from turn to turn
// (how many notes of how many, date and time) is said further down, at each fence.
// What is fixed is short: at most 200 tokens of the system prompt, and 60 for all
// fences and headings (C6).
//
// # Fences
//
// What was remembered reaches the model as data (C6): under one heading for all
// layers of a message, between two marks with a random nonce, one line each, the
// text as one JSON string. Text cannot leave its line, and cannot hold the nonce,
// so nothing that was once pasted into a conversation can pass for an instruction
// by its form. [Set.FenceHead], [Line] and [FenceTail] are pure functions of their
// input: a stored nonce gives the same bytes again (C5). What the user personally
// asked of answers stands beside the fence, since it is to be followed.
//
// # Tokens
//
// [Tokens] estimates without a vocabulary, [Calibration] corrects the estimate
// by what the server in use reports. Counts are shown with "~" (C7).
//
// The package knows nothing of the rest of the program. It reads files in New
// alone and keeps no state but a Calibration's ratios.
package prompts
