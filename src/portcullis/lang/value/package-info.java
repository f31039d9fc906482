/** JSON-like immutable values that templates, expressions, payloads and claims share, and Go's formats of them. */
package portcullis.lang.value;
