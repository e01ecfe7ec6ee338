// Package oracle tells tests what a text would do to a terminal.
//
// It reads a stream of bytes as a terminal does and accepts only our own output: text,
// colours and, for a whole screen, the cursor and mode sequences of Bubble Tea. It reports
// everything else: titles, clipboard, links and other OSC, DCS, APC, PM and SOS, C0 and C1
// controls, bytes that are not UTF-8, direction marks, invisible characters, and
// characters whose width terminals disagree on. It shares no code with ui/clean, so that
// one mistake cannot hide another.
//
//	oracle.Check(t, oracle.Styled, strings.Join(pane.View(), "\n"))
//
// [Straight] asks a real terminal, tmux, for the position of borders.
//
// The package is for tests only; no product code imports it. Its functions are pure,
// except those that take a testing.TB.
package oracle
