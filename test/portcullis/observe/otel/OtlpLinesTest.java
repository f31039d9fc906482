package portcullis.observe.otel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import portcullis.lang.source.Problems;
import portcullis.observe.telemetry.Level;
import portcullis.observe.telemetry.Log;
import portcullis.observe.telemetry.LogFormat;
import portcullis.observe.telemetry.LogWriter;

/** Lines that are sent to a collector as log records. */
class OtlpLinesTest {
  private static Otel started(String url, String protocol) {
    Log log = new Log(Level.DISABLED, LogFormat.GELF, new LogWriter(new ByteArrayOutputStream()),
        InstantSource.system(), "h");
    return Otel.start(Map.of("OTEL_EXPORTER_OTLP_ENDPOINT", url, "OTEL_EXPORTER_OTLP_PROTOCOL", protocol,
        "OTEL_EXPORTER_OTLP_TIMEOUT", "2000"), new Otel.Options(false, List.of(), false, Optional.empty(), true, "1.0"),
        log, InstantSource.system(), new Problems()).orElseThrow();
  }

  private static void write(OutputStream out, String lines) throws IOException {
    byte[] bytes = lines.getBytes(StandardCharsets.UTF_8);
    out.write(bytes, 0, bytes.length);
  }

  @ParameterizedTest
  @ValueSource(strings = {"http/protobuf", "grpc"})
  void eachLineIsARecord(String protocol) throws Exception {
    try (Collector collector = Collector.of(protocol);
        Otel otel = started(collector.url(), protocol);
        OutputStream out = otel.lines("portcullis.decision")) {
      write(out, "{\"a\":\"ä\"}\n{}\n");
      assertEquals(List.of("portcullis.decision {\"a\":\"ä\"}", "portcullis.decision {}"), collector.records());
      write(out, "{\"time\":\"x\",\"event\":\"start\"}\n");
      assertEquals("portcullis.event {\"time\":\"x\",\"event\":\"start\"}", collector.records().getLast());
      List<String> many = new ArrayList<>();
      for (int i = 0; i < 1_200; i++) {
        many.add("{\"n\":" + i + "}");
      }
      write(out, String.join("\n", many) + "\n");
      assertEquals(1_203, collector.records().size());
    }
  }

  @Test
  void failsWhereTheCollectorTakesNothing() throws Exception {
    try (Collector collector = Collector.of("http/protobuf");
        Otel otel = started(collector.url(), "http/protobuf");
        OutputStream out = otel.lines("portcullis.decision")) {
      collector.answer(400);
      assertThrows(IOException.class, () -> write(out, "{}\n"));
      collector.answer(200);
      write(out, "{\"b\":1}\n");
      assertEquals(List.of("portcullis.decision {\"b\":1}"), collector.records(), "the failed one is not sent later");
    }
  }

  @Test
  void failsOnceItIsClosed() throws Exception {
    try (Collector collector = Collector.of("http/protobuf"); Otel otel = started(collector.url(), "http/protobuf")) {
      OutputStream out = otel.lines("portcullis.decision");
      try (out) {
        write(out, "{}\n");
      }
      assertThrows(IOException.class, () -> write(out, "{}\n"));
      assertEquals(1, collector.records().size());
    }
  }
}
