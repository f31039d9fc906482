/** Counts, levels and durations, cheap to note at the moment they happen, and the text that Prometheus reads. */
package portcullis.observe.metrics;
