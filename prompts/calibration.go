package prompts

import "sync"

// Bounds and smoothing of the correction.
const (
	minRatio = 0.5
	maxRatio = 2.0
	smooth   = 0.25 // four reports move the ratio two thirds of the way
	minBasis = 32   // tokens; smaller reports reflect the framing more than the text
)

// Calibration corrects Tokens by the counts that servers report, with a ratio for each
// model (C7). The zero value is ready; it is safe for concurrent use.
type Calibration struct {
	mu     sync.RWMutex
	ratios map[string]float64
}

// Observe records that the server counted reported prompt tokens for a request that
// Tokens estimated at estimated. The first report sets the model's ratio, later ones
// move it by a quarter of the difference. Ratio and reports are clamped to 0.5–2, to
// limit the harm of wrong reports. Reports for fewer than 32 estimated tokens, or not
// above zero, are ignored.
func (c *Calibration) Observe(model string, estimated, reported int) {
	if estimated < minBasis || reported <= 0 {
		return
	}
	seen := min(max(float64(reported)/float64(estimated), minRatio), maxRatio)
	c.mu.Lock()
	defer c.mu.Unlock()
	old, known := c.ratios[model]
	if !known {
		old = seen
	}
	if c.ratios == nil {
		c.ratios = map[string]float64{}
	}
	c.ratios[model] = old + smooth*(seen-old)
}

// Ratio returns the model's correction, 0.5 to 2, or 1 for a model without reports.
func (c *Calibration) Ratio(model string) float64 {
	c.mu.RLock()
	defer c.mu.RUnlock()
	if r, ok := c.ratios[model]; ok {
		return r
	}
	return 1
}

// Tokens returns the corrected estimate for a text sent to model.
func (c *Calibration) Tokens(model, text string) int {
	return c.Correct(model, Tokens(text))
}

// Correct applies the model's ratio to a sum of estimates.
func (c *Calibration) Correct(model string, estimated int) int {
	return int(float64(estimated)*c.Ratio(model) + 0.5)
}
