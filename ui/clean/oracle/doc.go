// Package oracle tells tests what a text would do to a terminal.
//
// It reads a stream of bytes as a terminal does and knows only what is ours:
// text, colours, and, on the screen, what Bubble Tea writes to address the
// cursor and to set its modes. Whatever else is there, it reports: titles,
// clipboard, links and other OSC, DCS, APC, PM and SOS, C0 and C1 controls,
// bytes that are not UTF-8, marks of direction, and characters that nobody sees
// or about whose width terminals do not agree. It shares no code with ui/clean,
// so that a mistake there does not excuse itself here.
//
//	oracle.Check(t, oracle.Styled, strings.Join(part.View(), "\n"))
//
// [Straight] asks a real terminal, tmux, where the borders of rows stand.
//
// It is for tests only; nothing of the program imports it. Its functions are
// pure, but for those that take a testing.TB.
package oracle
