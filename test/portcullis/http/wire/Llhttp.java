package portcullis.http.wire;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The texts of llhttp's tests, with what its log says of them.
 *
 * @param raw what goes over the wire
 * @param first the spans of method and target, or of status and reason, of each message
 * @param body the body bytes of all messages
 */
record Llhttp(String name, String raw, List<String> first, String body, boolean fails) {
  private static final Pattern CASE = Pattern.compile(
      "#+ ([^\n]*)\n(?:(?!\n#).)*?<!-- meta=\\{\"type\": "
          + "?\"([a-z-]+)\"[^\n]*-->\n+```http\n(.*?)```\n+```log\n(.*?)```",
      Pattern.DOTALL);
  private static final Pattern SPAN = Pattern.compile("span\\[(method|url|status|body)\\]=\"(.*)\"$",
      Pattern.MULTILINE);

  // 21 and 22 are pauses that the tests ask for
  private static final Pattern FAULT = Pattern.compile("error code=(?!2[12] )");

  /** Those of a folder whose type is exactly that one: nothing lenient. */
  static List<Llhttp> all(Path folder, String type) throws IOException {
    List<Llhttp> out = new ArrayList<>();
    try (var files = Files.list(folder)) {
      for (Path file : files.filter(f -> f.toString().endsWith(".md")).sorted().toList()) {
        Matcher found = CASE.matcher(Files.readString(file));
        while (found.find()) {
          if (found.group(2).equals(type)) {
            String name = file.getFileName() + ": " + found.group(1)
                + (type.equals("request") || !file.endsWith("pipelining.md") ? "" : " (answers)");
            out.add(of(name, found.group(3), found.group(4)));
          }
        }
      }
    }
    return out;
  }

  private static Llhttp of(String name, String text, String log) {
    List<String> first = new ArrayList<>();
    StringBuilder body = new StringBuilder();
    Matcher span = SPAN.matcher(log);
    while (span.find()) {
      String value = span.group(2).replace("\\n", "").replace("\\r", "");
      if (span.group(1).equals("body")) {
        body.append(value);
      } else if (!value.isEmpty()) {
        first.add(value);
      }
    }
    return new Llhttp(name, wire(text), first, body.toString(), FAULT.matcher(log).find());
  }

  // a line of the text is a line on the wire, except where it is continued by a backslash; escapes are control
  // characters
  private static String wire(String text) {
    String raw = text.replaceAll("\\\\\n", "").replaceAll("\n", "\r\n");
    raw = raw.endsWith("\r\n") ? raw.substring(0, raw.length() - 2) : raw;
    return raw.replace("\\r", "\r").replace("\\n", "\n").replace("\\t", "\t").replace("\\f", "\f");
  }
}
