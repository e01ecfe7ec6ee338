package classify

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
)

// ReadExamples reads the examples of a file of JSON lines.
func ReadExamples(path string) (out []Example, err error) {
	err = ReadLines(path, func(line []byte) error {
		var e Example
		err := json.Unmarshal(line, &e)
		out = append(out, e)
		return err
	})
	return out, err
}

// ReadLines calls take for each line of a file. An error names the file and the line.
func ReadLines(path string, take func(line []byte) error) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	for n := 1; lines.Scan(); n++ {
		if err := take(lines.Bytes()); err != nil {
			return fmt.Errorf("%s, line %d: %w", path, n, err)
		}
	}
	return lines.Err()
}
