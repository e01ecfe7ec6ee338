// Package tools has the tools by which a model uses the memory (I2): their names, their
// descriptions from package prompts, their arguments, and the search. The chat offers the
// search to its model; package ui/mcp offers all of them to other programs.
//
// # Files
//
//	search.go  the search tool
//	args.go    its arguments, as a model writes them
//	texts.go   texts for the models of other programs
package tools
