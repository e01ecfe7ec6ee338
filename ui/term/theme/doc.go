// Package theme holds the looks of the terminal program in one place: every
// style that a part may use, for dark and light backgrounds and for none.
//
// No style carries meaning alone. What is focused, selected, wrong or unsaved is
// also said by a character, because colour is missing under NO_COLOR, on dumb
// terminals and to some eyes.
package theme
