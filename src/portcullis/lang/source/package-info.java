/** Positions in the configuration, problems at positions, suggestions, and redaction of secrets. */
package portcullis.lang.source;
