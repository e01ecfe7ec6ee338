package words

// Temporary says what a temporary chat keeps and reads (U5).
const Temporary = "temporary chat: nothing is kept; memories may be read"

// TemporaryEnds says that what is said is kept again.
const TemporaryEnds = "the temporary chat has ended; nothing of it is kept"
