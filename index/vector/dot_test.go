package vector

import (
	"math"
	"math/rand/v2"
	"testing"
)

// compareDots compares dotRows with Dot, to the last bit.
func compareDots(t *testing.T, q, rows []float32, n int) {
	t.Helper()
	got := make([]float32, n)
	dotRows(q, rows, got)
	for i, c := range got {
		want := Dot(q, rows[i*len(q):(i+1)*len(q)])
		if math.Float32bits(c) != math.Float32bits(want) && !(c != c && want != want) {
			t.Errorf("dimension %d, row %d of %d: %v, want %v", len(q), i, n, c, want)
		}
	}
}

// R9: many inner products at a time are those of Dot, whatever the dimension and
// the number of vectors.
func TestDotRows(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 9))
	for dim := range 40 {
		for n := range 11 {
			q, rows := make([]float32, dim), make([]float32, dim*n)
			for i := range q {
				q[i] = float32(rng.NormFloat64())
			}
			for i := range rows {
				rows[i] = float32(rng.NormFloat64())
			}
			compareDots(t, q, rows, n)
		}
	}
}

// Any bits, numbers or not, give the same results.
func FuzzDotRows(f *testing.F) {
	f.Add(uint64(1), uint8(8), uint8(4), false)
	f.Add(uint64(2), uint8(24), uint8(7), true)
	f.Add(uint64(3), uint8(13), uint8(3), true)
	f.Fuzz(func(t *testing.T, seed uint64, dim, n uint8, wild bool) {
		rng := rand.New(rand.NewPCG(seed, 5))
		number := func() float32 {
			if wild {
				return math.Float32frombits(rng.Uint32())
			}
			return float32(rng.NormFloat64())
		}
		q, rows := make([]float32, dim), make([]float32, int(dim)*int(n))
		for i := range q {
			q[i] = number()
		}
		for i := range rows {
			rows[i] = number()
		}
		compareDots(t, q, rows, int(n))
	})
}
