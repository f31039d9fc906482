/** Counters and histograms that are cheap to record, and Prometheus' text format. */
package portcullis.observe.metrics;
