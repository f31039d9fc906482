/** The JSON-like values that templates, expressions, payloads and claims share: immutable, converted once. */
package portcullis.lang.value;
