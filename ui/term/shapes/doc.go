// Package shapes computes pictures of numbers in terminal cells: bars of several parts, the
// budget of a turn, a calendar. Its functions are pure and know neither colours nor text;
// package theme says how a part looks.
//
//	bar.go       Stack, a bar in eighths of a cell, and Split, one in whole cells
//	calendar.go  Grid, the days of some weeks, and Level, how dark a day is
//
// # What holds
//
// A picture is never wider than it may be. The parts of a bar add up to its length. A greater
// number is never shown smaller than a lesser one beside it, and a number above zero is never
// invisible where there is room for it.
package shapes
