/** The log: lines, access events, and the writer. */
package portcullis.observe.telemetry;
