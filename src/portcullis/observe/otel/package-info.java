/**
 * Traces and export of metrics by the SDK of OpenTelemetry, configured by its environment variables. Metrics are
 * recorded in {@code observe.metrics}; the SDK only reads and exports them. None of the SDK's classes is loaded before
 * {@link portcullis.observe.otel.Otel#start}. The SDK finds its parts by service loaders ({@code Components}) and
 * reports errors through java.util.logging ({@code SdkLogHandler}).
 */
package portcullis.observe.otel;
