// Package panetest has helpers for tests of panes.
//
//	Show, Key, Press, Type       prepare a pane and press keys
//	View, Shows, Lacks, Cleans   check a view
//	Views                        compares views with golden files at four sizes
//	Asks                         checks the actions of keys
//	Fills                        presses random keys at random sizes
package panetest
