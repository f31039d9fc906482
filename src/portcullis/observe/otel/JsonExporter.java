package portcullis.observe.otel;

import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SpanExporter;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.function.Function;
import java.util.logging.Level;
import java.util.logging.Logger;
import portcullis.http.message.Field;
import portcullis.http.message.Fields;
import portcullis.lang.value.JsonText;
import portcullis.lang.value.Value;

/** Exports spans as JSON. Thread safe. */
final class JsonExporter implements SpanExporter {
  private static final Logger LOG = Logger.getLogger("io.opentelemetry.portcullis");

  private final URI endpoint;
  private final Fields fields;
  private final Exchange exchange;
  private final Function<Collection<SpanData>, Value> form;

  /** @param fields additional header fields */
  JsonExporter(URI endpoint, Fields fields, Exchange exchange, Function<Collection<SpanData>, Value> form) {
    this.endpoint = endpoint;
    this.exchange = exchange;
    this.form = form;
    List<Field> all = new ArrayList<>(
        List.of(new Field("Host", endpoint.getRawAuthority()), new Field("Content-Type", "application/json")));
    fields.forEach(all::add);
    this.fields = Fields.of(all);
  }

  @Override
  public CompletableResultCode export(Collection<SpanData> spans) {
    byte[] body = JsonText.plain(form.apply(spans)).getBytes(StandardCharsets.UTF_8);
    CompletableResultCode result = new CompletableResultCode();
    String target = endpoint.getRawPath().isEmpty() ? "/" : endpoint.getRawPath();
    exchange.post(endpoint, target, fields, body, _ -> false, answered -> {
      if (answered.status() >= 200 && answered.status() < 300) {
        result.succeed();
      } else {
        fail(result, endpoint + " answered " + answered.status());
      }
    }, error -> fail(result, error.getMessage()));
    return result;
  }

  private static void fail(CompletableResultCode result, String why) {
    LOG.log(Level.WARNING, "Failed to export spans: {0}", why);
    result.fail();
  }

  @Override
  public CompletableResultCode flush() {
    return CompletableResultCode.ofSuccess();
  }

  @Override
  public CompletableResultCode shutdown() {
    return exchange.end();
  }
}
