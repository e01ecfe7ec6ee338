// Package when writes spans of time for a person to read: always with digits, in
// the order year, month, day.
package when
