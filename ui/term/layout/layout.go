package layout

// The sizes at which the layout changes, in cells.
const (
	MinWidth  = 60  // narrower than this only a notice is shown
	MinHeight = 15  // lower than this only a notice is shown
	Wide      = 100 // from here on the panel is beside the conversation

	// MinPanel and MinTalk are the least useful widths of the two sides.
	MinPanel = 36
	MinTalk  = 48
	// MaxInput is the most lines that the input may take.
	MaxInput = 8
)

// Mode is the kind of arrangement.
type Mode int

// The arrangements.
const (
	TooSmall Mode = iota // a notice
	Single               // one pane at a time
	Split                // conversation left, panel right
)

// Rect is a rectangle of cells; X and Y count from the screen's upper left.
type Rect struct{ X, Y, W, H int }

// Empty reports whether nothing fits into r.
func (r Rect) Empty() bool { return r.W <= 0 || r.H <= 0 }

// Contains reports whether the cell x, y is in r.
func (r Rect) Contains(x, y int) bool {
	return x >= r.X && x < r.X+r.W && y >= r.Y && y < r.Y+r.H
}

// Wish is what the layout is asked for.
type Wish struct {
	Width, Height int
	// Input is the number of lines the input would like, 1–MaxInput.
	Input int
	// Panel is the wanted width of the panel in percent of the screen, 0 for
	// the default of 40.
	Panel int
	// PanelOnly says that the panel was called: without room for both it takes
	// the conversation's place.
	PanelOnly bool
	// PanelShown says that it is to be seen while the input has the keyboard: without
	// room for both it takes the place of the messages.
	PanelShown bool
}

// Screen is the answer. A rectangle that is not shown is empty. Rules are the
// rows of the horizontal lines; Divider is the column of the vertical one, or -1.
type Screen struct {
	Mode       Mode
	Width      int
	Height     int
	Top        Rect // status line
	Transcript Rect
	Input      Rect
	Panel      Rect
	Bottom     Rect // keys
	TopRule    int
	InputRule  int // -1 when the input is not shown
	BottomRule int
	Divider    int
}

// Compute lays the screen out.
func Compute(w Wish) Screen {
	s := Screen{Width: w.Width, Height: w.Height, Divider: -1, InputRule: -1}
	if w.Width < MinWidth || w.Height < MinHeight {
		return s
	}
	s.Top = Rect{0, 0, w.Width, 1}
	s.TopRule = 1
	s.Bottom = Rect{0, w.Height - 1, w.Width, 1}
	s.BottomRule = w.Height - 2
	body := Rect{0, 2, w.Width, w.Height - 4}
	if w.Width < Wide {
		s.Mode = Single
		if w.PanelOnly {
			s.Panel = body
			return s
		}
	} else {
		s.Mode = Split
		panel := panelWidth(w)
		s.Panel = Rect{w.Width - panel, body.Y, panel, body.H}
		s.Divider = s.Panel.X - 1
		body.W = s.Divider
	}
	// The conversation keeps at least as many lines as the input takes.
	input := min(max(w.Input, 1), MaxInput, max(1, (body.H-1)/2))
	s.Input = Rect{body.X, body.Y + body.H - input, body.W, input}
	s.InputRule = s.Input.Y - 1
	s.Transcript = Rect{body.X, body.Y, body.W, body.H - input - 1}
	if s.Mode == Single && w.PanelShown {
		s.Panel, s.Transcript = s.Transcript, Rect{}
	}
	return s
}

func panelWidth(w Wish) int {
	percent := w.Panel
	if percent == 0 {
		percent = 40
	}
	return min(max(w.Width*percent/100, MinPanel), w.Width-1-MinTalk)
}
