// Package status draws the first and the last line of the screen: who talks
// about what and whether it is stored, and which keys work here. It also draws the tabs of the panel.
package status
