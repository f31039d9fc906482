package portcullis.reference;

import java.util.ArrayList;
import java.util.List;

/** The members and functions of the request and its URL, as templates and expressions read them. */
final class RequestTable {
  /** A member, or with parentheses a function; of arguments their names stand between the parentheses. */
  private record Entry(String path, String type, String doc) {}

  private static final List<Entry> ENTRIES = List.of(
      new Entry("Request.Method", "string", "the method"),
      new Entry("Request.Header(name)", "string", "the values of a header field, joined by commas; empty without it"),
      new Entry("Request.Cookie(name)", "string", "the value of a cookie; empty without it"),
      new Entry("Request.Headers()", "map of strings", "all header fields; in templates only"),
      new Entry("Request.Body()", "any", "the body: maps and lists of JSON, YAML or a form, else a string"),
      new Entry("Request.ClientIPAddresses", "list of strings",
          "the addresses that trusted proxies name, then that of the connection"),
      new Entry("Request.URL.Scheme", "string", "`http` or `https`"),
      new Entry("Request.URL.Host", "string", "the host in lower case, with its port if the request names one"),
      new Entry("Request.URL.Hostname()", "string", "the host without its port"),
      new Entry("Request.URL.Port()", "string", "the port that the request names, or empty"),
      new Entry("Request.URL.Path", "string", "the path, decoded"),
      new Entry("Request.URL.RawPath", "string", "the path with its escapes, as rules compare it"),
      new Entry("Request.URL.RawQuery", "string", "the query as the client sent it"),
      new Entry("Request.URL.Query()", "map of lists of strings", "the parameters of the query"),
      new Entry("Request.URL.Captures", "map of strings", "what the wildcards of the rule's path matched, by name"),
      new Entry("Request.URL.Fragment", "string", "always empty: clients do not send fragments"),
      new Entry("Request.URL.String()", "string", "the whole URL"));

  private RequestTable() {}

  /** @param dot what stands in front of variables: a dot in templates */
  static String of(String dot) {
    List<List<String>> rows = new ArrayList<>();
    for (Entry entry : ENTRIES) {
      String path = dot.isEmpty() ? entry.path.replace("(name)", "(\"name\")")
          : dot + entry.path.replace("(name)", " \"name\"").replace("()", "");
      boolean shown = !dot.isEmpty() || !entry.doc.contains("in templates only");
      if (shown) {
        rows.add(List.of(Prose.code(path), entry.type, entry.doc.replace("; in templates only", "")));
      }
    }
    return Prose.table(List.of("of the request", "type", "what it is"), rows);
  }
}
