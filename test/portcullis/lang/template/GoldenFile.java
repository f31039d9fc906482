package portcullis.lang.template;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import portcullis.lang.value.Value;

/** The files of the corpora that have templates. */
enum GoldenFile {
  TEMPLATES("golden/templates-heimdall.json"),
  SPRIG_ALL("golden/sprig-all.json"),
  EXEC("go-templates/exec.json"),
  PARSE("go-templates/parse.json"),
  SPRIG("go-templates/sprig.json");

  private final String path;

  GoldenFile(String path) {
    this.path = path;
  }

  String path() {
    return path;
  }

  /** As it is called in reports. */
  String shortName() {
    return path.replaceFirst(".*/", "").replace(".json", "");
  }

  boolean exists() {
    return Corpora.has(path);
  }

  List<GoldenRow> rows() {
    Value file = Corpora.read(path);
    return switch (this) {
      case TEMPLATES, SPRIG_ALL -> Corpora.items(file, "cases").stream().map(row -> golden(file, row)).toList();
      case EXEC -> Corpora.items(file, "cases").stream().filter(row -> Corpora.isTrue(row, "portable"))
          .map(row -> new GoldenRow(name(row), template(row), Corpora.member(row, "data").orElse(Value.NULL),
              Corpora.isTrue(row, "ok") ? wanted(row, "expect") : GoldenRow.EITHER))
          .toList();
      case SPRIG -> Corpora.items(file, "cases").stream().filter(row -> Corpora.isTrue(row, "verified"))
          .map(row -> new GoldenRow(Corpora.text(row, "test").orElse("") + " " + template(row), template(row),
              Corpora.member(row, "vars").orElse(Value.Dict.EMPTY), wanted(row, "expect")))
          .toList();
      case PARSE -> parse(file);
    };
  }

  private static String name(Value row) {
    return Corpora.text(row, "name").orElse("");
  }

  private static String template(Value row) {
    return Corpora.text(row, "template").orElse("");
  }

  private static String wanted(Value row, String member) {
    return GoldenRow.bytes(Corpora.text(row, member).orElse(""));
  }

  private static GoldenRow golden(Value file, Value row) {
    Value context = Corpora.member(row, "context").orElse(Value.Dict.EMPTY);
    Value named = context instanceof Value.Text name
        ? Corpora.member(Corpora.member(file, "contexts").orElseThrow(), name.value())
            .orElseThrow()
        : context;
    String wanted = Corpora.text(row, "output").map(GoldenRow::bytes)
        .or(() -> Corpora.text(row, "output_b64")
            .map(b -> new String(Base64.getDecoder().decode(b), StandardCharsets.ISO_8859_1)))
        .orElse(Corpora.text(row, "stage").orElse("").equals("parse") ? GoldenRow.REFUSED : GoldenRow.FAILS);
    return new GoldenRow(name(row), template(row), CorpusContext.of(named), wanted);
  }

  private static List<GoldenRow> parse(Value file) {
    List<GoldenRow> out = new ArrayList<>();
    for (String group : List.of("parseTests", "errorTests")) {
      Corpora.items(file, group).forEach(row -> out.add(new GoldenRow(name(row), Corpora.text(row, "input").orElse(""),
          Value.NULL, Corpora.isTrue(row, "ok") ? GoldenRow.PARSES : GoldenRow.REFUSED)));
    }
    Corpora.items(file, "numberTests").forEach(row -> {
      String number = Corpora.text(row, "text").orElse("");
      out.add(new GoldenRow("number " + number, "{{ $x := " + number + " }}", Value.NULL, GoldenRow.PARSES));
    });
    return out;
  }
}
