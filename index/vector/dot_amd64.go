//go:build !purego

package vector

import "golang.org/x/sys/cpu"

var hasAVX = cpu.X86.HasAVX

// dotRowsAVX is dotRows for a dimension that is a positive multiple of 8.
//
//go:noescape
func dotRowsAVX(q, rows *float32, dim, n int, out *float32)

// dotRows computes the inner products of q with the vectors of its dimension stored
// contiguously in rows, into out.
func dotRows(q, rows, out []float32) {
	dim, n := len(q), len(out)
	if !hasAVX || n == 0 || dim == 0 || dim%8 != 0 {
		dotRowsPlain(q, rows, out)
		return
	}
	dotRowsAVX(&q[0], &rows[:dim*n][0], dim, n, &out[0])
}
