// Package when writes spans of time for a person to read: always with digits, in
// the order year, month, day; and why a turn looked into the archive, with its.
package when
