// Package guard keeps a fault of the program where it happened. A panic that
// leaves a goroutine ends the process, and with it a terminal in raw mode; what
// runs in the background of memory therefore runs in [Do].
package guard
