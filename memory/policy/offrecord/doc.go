// Package offrecord recognises sentences that ask to keep nothing of a message (U5): "don't keep that", 这个你别记. The
// forms are in offrecord.txt of package lang.
package offrecord
