// Package theme holds the looks of the terminal program in one place: every
// style that a part may use, for dark and light backgrounds and for none.
//
// No style carries meaning alone. Focus, selection, errors and unsaved text are
// also said by a character, because colour is missing under NO_COLOR, on dumb
// terminals and to some eyes.
package theme
