/** Spans and traces without a dependency on the OpenTelemetry SDK, which {@code observe.otel} adds. */
package portcullis.observe.tracing;
