//go:build !amd64 || purego

package vector

func dotRows(q, rows, out []float32) { dotRowsPlain(q, rows, out) }
