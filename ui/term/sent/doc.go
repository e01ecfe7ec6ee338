// Package sent is the panel's part called Context: what exactly went to the
// model in this turn and in any turn before it (C5), layer by layer with its
// tokens; which memories took part, chosen or not, with the parts of their
// scores (R8); what the budgets left out; and whether the text shown is, byte for
// byte, what was sent.
//
// The part holds the short form of all turns and the full text of one. When
// another turn is chosen it asks for that text with a [Load] action.
package sent
