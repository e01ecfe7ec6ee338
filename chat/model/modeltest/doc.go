// Package modeltest is a scripted server that speaks the OpenAI chat protocol, for tests and manual use.
//
// A script is a list of [Step] values. Each chat request takes the first remaining step that fits it. If none is
// left, the server echoes the last user message. A script can reproduce server faults: delays, silence, dropped
// connections, refusals, broken events, web pages, endless events.
//
// There are three ways to use it:
//
//   - [NewServer] listens on loopback for the length of a test.
//   - [Server.Transport] answers in process, without any network, so that a whole conversation with its delays runs
//     inside testing/synctest in no time.
//   - [Main] is the program in cmd: it prints its base URL and serves until it is interrupted.
//
// # Scripts as text
//
// One step a line; a line is one of
//
//	# a comment, skipped like empty lines
//	Any other text is the answer itself.
//	{"text": "a step in JSON", "deltas": 3, "delay": "30ms"}
//
// The JSON fields are those of [Step]; [ParseScript] refuses unknown ones. Examples:
//
//	{"status": 429, "retry_after": "2"}
//	{"tool_calls": [{"name": "context_judgment", "arguments": "{\"topic_relevance\": 9}"}], "when": {"tool": "context_judgment"}}
//	{"text": "You said it in March.", "when": {"result": "pnpm"}}
//	{"text": "half an ans", "deltas": 4, "drop_after": 2}
//	{"text": "then silence", "deltas": 5, "stall_after": 3}
//	{"status": 200, "content_type": "text/html", "body": "<html>Sign in to the hotel's network</html>"}
//	{"status": 200, "content_type": "application/json", "body": "{\"error\": {\"message\": \"overloaded\"}}"}
//	{"text": "no end", "no_finish": true}
//	{"giant": 400000000}
//
// The package imports nothing of this module, so tests of every room can use it.
package modeltest
