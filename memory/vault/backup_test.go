package vault

import (
	"slices"
	"testing"
	"time"
)

// Of automatic backups the newest of each of the last days and weeks stay, and
// every other kind.
func TestBackupsThatAreKept(t *testing.T) {
	day := func(d, h int) Backup {
		return Backup{Time: time.Date(2026, 11, d, h, 0, 0, 0, time.UTC), Kind: BackupAuto}
	}
	all := []Backup{
		day(21, 20), day(21, 9), day(20, 9), {Time: day(20, 8).Time, Kind: BackupManual},
		day(18, 9), day(17, 9), day(16, 9), day(15, 9), day(14, 9), day(8, 9), day(1, 9),
	}
	for name, test := range map[string]struct {
		cfg  Config
		want []int // days that go, newest first
	}{
		// Weeks begin on Mondays: the 16th; the 15th and 8th end others.
		"defaults": {DefaultConfig(), []int{21, 17, 16, 14}},
		"daily":    {Config{Daily: 2}, []int{21, 18, 17, 16, 15, 14, 8, 1}},
		"weekly":   {Config{Weekly: 1}, []int{21, 20, 18, 17, 16, 15, 14, 8, 1}},
	} {
		var got []int
		for _, b := range test.cfg.surplus(all) {
			got = append(got, b.Time.Day())
		}
		if !slices.Equal(got, test.want) {
			t.Errorf("%s: %v go, want %v", name, got, test.want)
		}
	}
	// A damaged store makes partial ones, which push out none of the whole ones.
	partial := slices.Clone(all[:2])
	for i := range partial {
		partial[i].Partial = true
	}
	cfg := Config{Daily: 1}
	if gone := cfg.surplus(append(partial, all[4:6]...)); len(gone) != 2 || !gone[1].Partial || gone[0].Time.Day() != 17 {
		t.Errorf("beside partial ones go %v", gone)
	}
	if err := (Config{Weekly: -1}).Validate(); err == nil {
		t.Error("a negative number is allowed")
	}
}
