/**
 * Traces and metrics by the SDK of OpenTelemetry, configured by its environment variables. Nothing of it is loaded
 * before {@link portcullis.observe.otel.Otel#start}. Two things here are not our style but the SDK's: its parts are
 * found by service loaders ({@code Components}), and its faults come by java.util.logging ({@code ExportFaults}).
 */
package portcullis.observe.otel;
