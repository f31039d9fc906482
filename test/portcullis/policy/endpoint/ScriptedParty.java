package portcullis.policy.endpoint;

import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import portcullis.fixture.RawUpstream;
import portcullis.http.message.Fields;

/** A remote party that remembers what it was asked and answers what it is told to, over real sockets. */
public final class ScriptedParty implements AutoCloseable {
  public static final String OK = ok("");

  /** One question. */
  public record Asked(String method, String target, Fields fields, String body) {
    public String field(String name) {
      return fields.joined(name).orElse("");
    }
  }

  private final List<Asked> asked = new CopyOnWriteArrayList<>();
  private final RawUpstream upstream;

  /** @param answer the whole answer; an empty one ends the connection */
  public ScriptedParty(Function<Asked, String> answer) {
    upstream = RawUpstream.of(peer -> {
      for (String head = peer.head(); !head.isEmpty(); head = peer.head()) {
        String text = answer.apply(read(peer, head));
        if (text.isEmpty()) {
          return;
        }
        peer.say(text);
      }
    });
  }

  private Asked read(RawUpstream.Peer peer, String head) throws IOException {
    List<String> lines = head.lines().filter(line -> !line.isEmpty()).toList();
    String[] first = lines.getFirst().split(" ");
    List<String> fields = lines.subList(1, lines.size()).stream()
        .flatMap(line -> List.of(line.substring(0, line.indexOf(':')), line.substring(line.indexOf(':') + 1).strip())
            .stream())
        .toList();
    Fields all = Fields.of(fields.toArray(String[]::new));
    Asked out = new Asked(first[0], first[1], all,
        peer.read(Integer.parseInt(all.first("Content-Length").orElse("0"))));
    asked.add(out);
    return out;
  }

  public static String ok(String body, String... fields) {
    return answer(200, body, fields);
  }

  /** @param fields whole lines */
  public static String answer(int status, String body, String... fields) {
    StringBuilder out = new StringBuilder("HTTP/1.1 ").append(status).append(" X\r\n");
    for (String field : fields) {
      out.append(field).append("\r\n");
    }
    String length = status == 204 || status == 304 ? ""
        : String.format(Locale.ROOT, "Content-Length: %d\r\n", body.length());
    return out.append(length).append("\r\n").append(body).toString();
  }

  public List<Asked> asked() {
    return asked;
  }

  public Asked last() {
    return asked.getLast();
  }

  public String url(String path) {
    return upstream.uri(path).toString();
  }

  public String host() {
    return upstream.host();
  }

  @Override
  public void close() {
    upstream.close();
  }
}
