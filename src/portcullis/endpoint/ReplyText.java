package portcullis.endpoint;

import java.net.http.HttpHeaders;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import portcullis.value.Json;
import portcullis.value.JsonText;
import portcullis.value.Value;
import portcullis.value.ValueFault;

/** Replies as bytes that a cache can keep. */
public final class ReplyText {
  private ReplyText() {}

  public static byte[] write(Reply reply) {
    Map<String, Value> headers = new LinkedHashMap<>();
    reply.headers().map().forEach((name, values) -> headers.put(name, Value.Array.ofTexts(values)));
    Map<String, Value> out = Map.of("status", Value.of(reply.status()), "headers", new Value.Dict(headers), "body",
        Value.of(new String(reply.body(), StandardCharsets.ISO_8859_1)));
    return JsonText.plain(new Value.Dict(out)).getBytes(StandardCharsets.UTF_8);
  }

  /** What {@link #write} wrote; empty for everything else. */
  public static Optional<Reply> read(byte[] bytes) {
    try {
      if (Json.read(bytes) instanceof Value.Dict d && d.members().get("status") instanceof Value.Int status
          && d.members().get("headers") instanceof Value.Dict headers && d.members().get("body") instanceof Value.Text body) {
        return Optional.of(new Reply((int) status.value(), headers(headers), body.value().getBytes(StandardCharsets.ISO_8859_1)));
      }
      return Optional.empty();
    } catch (ValueFault _) {
      return Optional.empty();
    }
  }

  private static HttpHeaders headers(Value.Dict headers) {
    Map<String, List<String>> out = new LinkedHashMap<>();
    headers.members().forEach((name, values) -> {
      List<String> texts = new ArrayList<>();
      if (values instanceof Value.Array array) {
        array.items().forEach(item -> texts.add(item instanceof Value.Text t ? t.value() : ""));
      }
      out.put(name, texts);
    });
    return HttpHeaders.of(out, (_, _) -> true);
  }
}
