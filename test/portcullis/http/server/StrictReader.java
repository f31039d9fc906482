package portcullis.http.server;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A second reader of HTTP/1.1 requests, made of regular expressions straight from the RFC's grammar and of nothing of
 * the program: what the two read differently one of them reads wrong.
 */
final class StrictReader {
  private static final String TOKEN = "[!#$%&'*+.^_`|~0-9A-Za-z-]+";
  private static final String VALUE = "[\\t\\x20-\\x7e\\x80-\\xff]*";
  private static final Pattern LINE = Pattern.compile("(?:\\r\\n)?(" + TOKEN + ") ([\\x21-\\x22\\x24-\\x7e]+) "
      + "HTTP/([0-9])\\.([0-9])\\r\\n");
  private static final Pattern FIELD = Pattern.compile("(" + TOKEN + "):[\\t ]*(" + VALUE + ")\\r\\n");
  private static final Pattern CHUNK = Pattern.compile("([0-9A-Fa-f]+)((?:[\\t ]*;[\\t ]*" + TOKEN
      + "(?:[\\t ]*=[\\t ]*(?:" + TOKEN
      + "|\"(?:[\\t \\x21\\x23-\\x5b\\x5d-\\x7e\\x80-\\xff]|\\\\[\\t\\x20-\\x7e\\x80-\\xff])*\"))?[\\t ]*)*)\\r\\n");
  private static final Pattern HOST = Pattern.compile("(?i)(?=.{1,261}$)[a-z0-9](?:[a-z0-9_-]|\\.(?!\\.))*"
      + "(?::0*(?:[1-9][0-9]{0,3}|[1-5][0-9]{4}|6[0-4][0-9]{3}|65[0-4][0-9]{2}|655[0-2][0-9]|6553[0-5])(?<!:[0-9"
      + "]{6,99}))?");

  /** A request, or the status of what is none; after that nothing is read. */
  sealed interface Found {
    record Request(String method, String target, String body) implements Found {}

    record Refused() implements Found {}
  }

  private static final class Wrong extends Exception {
    private static final long serialVersionUID = 1;
  }

  private final String raw;
  private int at;

  private StrictReader(String raw) {
    this.raw = raw;
  }

  /** All requests of a connection that ends behind that text. */
  static List<Found> read(String raw) {
    StrictReader reader = new StrictReader(raw);
    List<Found> out = new ArrayList<>();
    try {
      while (reader.at < raw.length() && !raw.substring(reader.at).equals("\r\n")) {
        out.add(reader.request());
      }
    } catch (Wrong e) {
      out.add(new Found.Refused());
    }
    return out;
  }

  private Matcher next(Pattern pattern) throws Wrong {
    Matcher found = pattern.matcher(raw).region(at, raw.length()).useTransparentBounds(true);
    require(found.lookingAt());
    at = found.end();
    return found;
  }

  private static void require(boolean fits) throws Wrong {
    if (!fits) {
      throw new Wrong();
    }
  }

  private Found.Request request() throws Wrong {
    Matcher line = next(LINE);
    require(line.group(3).equals("1"));
    boolean old = line.group(4).equals("0");
    List<String[]> fields = fields();
    List<String> lengths = values(fields, "content-length");
    List<String> codings = values(fields, "transfer-encoding");
    List<String> hosts = values(fields, "host");
    require(hosts.size() == 1 && HOST.matcher(hosts.getFirst()).matches() || hosts.isEmpty() && old);
    require(!line.group(1).equals("CONNECT"));
    require(line.group(2).startsWith("/") || line.group(2).equals("*") && line.group(1).equals("OPTIONS"));
    require(old || values(fields, "expect").stream().allMatch("100-continue"::equalsIgnoreCase));
    require(codings.isEmpty()
        || codings.size() == 1 && codings.getFirst().equalsIgnoreCase("chunked") && lengths.isEmpty() && !old);
    require(lengths.isEmpty() || lengths.size() == 1 && lengths.getFirst().matches("[0-9]{1,18}"));
    String body = !codings.isEmpty() ? chunks() : taken(lengths.isEmpty() ? 0 : Long.parseLong(lengths.getFirst()));
    return new Found.Request(line.group(1), line.group(2), body);
  }

  private List<String[]> fields() throws Wrong {
    List<String[]> out = new ArrayList<>();
    while (!raw.startsWith("\r\n", at)) {
      Matcher field = next(FIELD);
      out.add(new String[] {field.group(1).toLowerCase(Locale.ROOT), field.group(2).replaceAll("[\\t ]+$", "")});
    }
    at += 2;
    return out;
  }

  private static List<String> values(List<String[]> fields, String name) {
    return fields.stream().filter(f -> f[0].equals(name)).map(f -> f[1]).toList();
  }

  private String taken(long length) throws Wrong {
    require(length <= raw.length() - at);
    String out = raw.substring(at, at + (int) length);
    at += (int) length;
    return out;
  }

  private String chunks() throws Wrong {
    StringBuilder out = new StringBuilder();
    for (String size = size(); !size.isEmpty(); size = size()) {
      require(size.length() < 8);
      out.append(taken(Long.parseLong(size, 16)));
      require(taken(2).equals("\r\n"));
    }
    fields();
    return out.toString();
  }

  /** Without zeros in front. */
  private String size() throws Wrong {
    return next(CHUNK).group(1).replaceAll("^0+", "");
  }
}
