/** Traces as the rest of the program sees them; who makes and exports them stands on a higher floor. */
package portcullis.observe.tracing;
