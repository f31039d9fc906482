/** The decision log: its settings, keyed hashes, and the outputs that its lines are written to. */
package portcullis.observe.decisions;
