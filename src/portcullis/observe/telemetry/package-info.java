/** What the program tells of itself: log lines and access events. */
package portcullis.observe.telemetry;
