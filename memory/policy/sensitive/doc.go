// Package sensitive knows which texts are sensitive.
package sensitive
