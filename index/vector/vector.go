package vector

import (
	"errors"
	"fmt"
	"math"
)

// ErrNotFinite says that a vector holds a non-finite number or only zeros, so that it
// has no direction.
var ErrNotFinite = errors.New("the vector is not made of finite numbers, or is zero")

// DimensionError says that a vector has the wrong dimension.
type DimensionError struct{ Got, Want int }

func (e *DimensionError) Error() string {
	return fmt.Sprintf("the vector has %d numbers where %d are wanted", e.Got, e.Want)
}

// Normalise scales v to length 1, in place.
func Normalise(v []float32) error {
	// Divide by the largest first: squares may overflow where the numbers do not.
	top := 0.0
	for _, x := range v {
		a := math.Abs(float64(x))
		if math.IsNaN(a) || math.IsInf(a, 0) {
			return ErrNotFinite
		}
		top = max(top, a)
	}
	if top == 0 {
		return ErrNotFinite
	}
	sum := 0.0
	for _, x := range v {
		f := float64(x) / top
		sum += f * f
	}
	length := math.Sqrt(sum)
	for i, x := range v {
		v[i] = float32(float64(x) / top / length)
	}
	return nil
}

// Dot returns the inner product of two vectors of one dimension, for unit vectors the
// cosine. Excess elements of the longer one are ignored. The result is the same on
// every processor.
func Dot(a, b []float32) float32 {
	b = b[:min(len(a), len(b))]
	a = a[:len(b)]
	// Eight separate sums keep the processor's units busy; a single one would wait for
	// each addition. Slices of a known length need no checks. The conversions keep the
	// compiler from fusing a product with its addition, which would round differently;
	// dotRows must get the same bits.
	var s0, s1, s2, s3, s4, s5, s6, s7 float32
	for len(a) >= 8 && len(b) >= 8 {
		x, y := a[:8:8], b[:8:8]
		s0 += float32(x[0] * y[0])
		s1 += float32(x[1] * y[1])
		s2 += float32(x[2] * y[2])
		s3 += float32(x[3] * y[3])
		s4 += float32(x[4] * y[4])
		s5 += float32(x[5] * y[5])
		s6 += float32(x[6] * y[6])
		s7 += float32(x[7] * y[7])
		a, b = a[8:], b[8:]
	}
	for i, x := range a {
		s0 += float32(x * b[i])
	}
	return ((s0 + s1) + (s2 + s3)) + ((s4 + s5) + (s6 + s7))
}

// dotRowsPlain is dotRows in plain Go.
func dotRowsPlain(q, rows, out []float32) {
	for i := range out {
		out[i] = Dot(q, rows[i*len(q):(i+1)*len(q)])
	}
}
