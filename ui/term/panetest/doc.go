// Package panetest is the harness of the panes' tests: keys by name, checked views, goldens
// at four sizes, and random keys at random sizes.
//
//	panetest.go  keys, views, goldens, random keys
package panetest
