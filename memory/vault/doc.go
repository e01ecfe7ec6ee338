// Package vault keeps the files of a data folder.
package vault
