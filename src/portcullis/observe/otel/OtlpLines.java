package portcullis.observe.otel;

import io.opentelemetry.api.logs.Logger;
import io.opentelemetry.api.logs.Severity;
import io.opentelemetry.sdk.logs.SdkLoggerProvider;
import io.opentelemetry.sdk.logs.data.LogRecordData;
import io.opentelemetry.sdk.logs.export.LogRecordExporter;
import io.opentelemetry.sdk.resources.Resource;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import portcullis.observe.decisions.EventLine;

/**
 * Sends lines to a collector, each as the body of a log record, and waits for the answer: a line that the collector has
 * not taken fails. For one thread.
 */
final class OtlpLines extends OutputStream {
  /** Longer than the exporter waits, which ends by its own timeout. */
  private static final long WAIT_SECONDS = 30;
  private static final String OF_EVENTS = "portcullis.event";
  private static final int BATCH = 512;

  private final LogRecordExporter exporter;
  private final InstantSource clock;
  private final String event;
  private final List<LogRecordData> batch = new ArrayList<>();
  private final SdkLoggerProvider provider;
  private final Logger logger;
  private volatile boolean closed;

  /** @param event the name of the records, as {@code portcullis.decision}; lines that are events have their own */
  OtlpLines(LogRecordExporter exporter, Resource resource, String event, InstantSource clock) {
    this.exporter = exporter;
    this.clock = clock;
    this.event = event;
    this.provider = SdkLoggerProvider.builder().setResource(resource)
        .addLogRecordProcessor((_, entry) -> batch.add(entry.toLogRecordData())).build();
    this.logger = provider.get("portcullis");
  }

  @Override
  public void write(int octet) throws IOException {
    write(new byte[] {(byte) octet}, 0, 1);
  }

  @Override
  public void write(byte[] lines, int from, int length) throws IOException {
    int begin = from;
    for (int i = from; i < from + length; i++) {
      if (lines[i] == '\n') {
        String name = EventLine.is(lines, begin, i) ? OF_EVENTS : event;
        logger.logRecordBuilder().setTimestamp(clock.instant()).setSeverity(Severity.INFO).setEventName(name)
            .setBody(new String(lines, begin, i - begin, StandardCharsets.UTF_8)).emit();
        begin = i + 1;
        if (batch.size() >= BATCH) {
          export();
        }
      }
    }
    export();
  }

  private void export() throws IOException {
    if (closed) { // then there are no records any more
      throw new IOException("the service ends");
    }
    List<LogRecordData> records = List.copyOf(batch);
    batch.clear();
    if (!records.isEmpty() && !exporter.export(records).join(WAIT_SECONDS, TimeUnit.SECONDS).isSuccess()) {
      throw new IOException("the collector has not taken it");
    }
  }

  @Override
  public void close() {
    closed = true;
    provider.close();
  }
}
