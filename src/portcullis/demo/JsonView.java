package portcullis.demo;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import portcullis.lang.value.JsonText;
import portcullis.lang.value.Value;

/** Formats a request that reached the upstream as readable JSON, one line for each member. */
final class JsonView {
  private static final String STEP = "  ";
  private static final int DEEPEST = 64;
  private static final int LONG = 40;

  private final StringBuilder out = new StringBuilder();

  private JsonView() {}

  static String of(Arrived arrived, Insight insight) {
    JsonView view = new JsonView();
    view.write(document(arrived, insight), "");
    return view.out.append('\n').toString();
  }

  private static Value.Dict document(Arrived arrived, Insight insight) {
    Map<String, Value> members = new LinkedHashMap<>();
    members.put("request", Value.of(arrived.visit().method() + " " + arrived.visit().path()));
    arrived.subject().ifPresent(subject -> members.put("subject", Value.of(subject)));
    arrived.document().ifPresent(document -> members.put("document", value(document)));
    arrived.viewable().ifPresent(all -> members.put("viewable_documents", values(all)));
    arrived.token().ifPresent(token -> members.put("token", value(token)));
    members.put("headers", Value.Dict.ofStrings(arrived.headers()));
    insight.decisions().of(arrived.visit())
        .ifPresent(decided -> members.put("decision", Value.Array.ofStrings(decided.lines())));
    if (!insight.errors().isEmpty()) {
      members.put("rule_errors", Value.Array.ofStrings(insight.errors()));
    }
    return new Value.Dict(members);
  }

  private static Value values(List<Document> documents) {
    return new Value.Array(documents.stream().map(JsonView::value).toList());
  }

  private static Value value(Document document) {
    Map<String, Value> members = new LinkedHashMap<>();
    members.put("id", Value.of(document.id()));
    members.put("title", Value.of(document.title()));
    return new Value.Dict(members);
  }

  private static Value value(OpenedToken token) {
    Map<String, Value> members = new LinkedHashMap<>();
    members.put("signed_by_the_proxy", Value.of(token.genuine()));
    members.put("header", token.header());
    members.put("claims", token.claims());
    return new Value.Dict(members);
  }

  private void write(Value value, String indent) {
    switch (value) {
      case Value.Dict(Map<String, Value> members) when !members.isEmpty() && indent.length() < DEEPEST ->
        members(members, indent);
      case Value.Array(List<Value> items) when items.stream().anyMatch(JsonView::needsLine) -> items(items, indent);
      case Value other -> out.append(JsonText.plain(other));
    }
  }

  private static boolean needsLine(Value item) {
    return item instanceof Value.Dict || item instanceof Value.Str(String text) && text.length() > LONG;
  }

  private void members(Map<String, Value> members, String indent) {
    String separator = "{\n";
    for (Map.Entry<String, Value> member : members.entrySet()) {
      out.append(separator).append(indent).append(STEP).append(JsonText.plain(Value.of(member.getKey()))).append(": ");
      write(member.getValue(), indent + STEP);
      separator = ",\n";
    }
    out.append('\n').append(indent).append('}');
  }

  private void items(List<Value> items, String indent) {
    String separator = "[\n";
    for (Value item : items) {
      out.append(separator).append(indent).append(STEP).append(JsonText.plain(item));
      separator = ",\n";
    }
    out.append('\n').append(indent).append(']');
  }
}
