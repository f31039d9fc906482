package portcullis.lang.template;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import portcullis.fixture.Corpora;
import portcullis.fixture.GoldenContext;
import portcullis.fixture.GoldenRow;
import portcullis.lang.value.Value;

/** The files of golden templates and of templates in the corpora. */
enum TemplateFile {
  TEMPLATES("golden/templates-heimdall.json"),
  SPRIG_ALL("golden/sprig-all.json"),
  EXEC("go-templates/exec.json"),
  PARSE("go-templates/parse.json"),
  SPRIG("go-templates/sprig.json");

  private final String path;

  TemplateFile(String path) {
    this.path = path;
  }

  String path() {
    return path;
  }

  String shortName() {
    return path.replaceFirst(".*/", "").replace(".json", "");
  }

  boolean exists() {
    return Corpora.has(path);
  }

  List<TemplateRow> rows() {
    Value file = Corpora.read(path);
    return switch (this) {
      case TEMPLATES, SPRIG_ALL -> GoldenRow.read(path).stream().map(TemplateFile::golden).toList();
      case EXEC -> Corpora.items(file, "cases").stream().filter(row -> Corpora.isTrue(row, "portable"))
          .map(row -> new TemplateRow(Corpora.text(row, "name"), Corpora.text(row, "template"),
              Corpora.member(row, "data").orElse(Value.NULL),
              Corpora.isTrue(row, "ok") ? TemplateRow.bytes(Corpora.text(row, "expect")) : TemplateRow.EITHER))
          .toList();
      case SPRIG -> Corpora.items(file, "cases").stream().filter(row -> Corpora.isTrue(row, "verified"))
          .map(row -> new TemplateRow(Corpora.text(row, "test") + " " + Corpora.text(row, "template"),
              Corpora.text(row, "template"), Corpora.member(row, "vars").orElse(Value.Dict.EMPTY),
              TemplateRow.bytes(Corpora.text(row, "expect"))))
          .toList();
      case PARSE -> parse(file);
    };
  }

  private static TemplateRow golden(GoldenRow row) {
    String wanted = row.has("output") ? TemplateRow.bytes(row.text("output"))
        : row.has("output_b64")
            ? new String(Base64.getDecoder().decode(row.text("output_b64")), StandardCharsets.ISO_8859_1)
            : row.text("stage").equals("parse") ? TemplateRow.REFUSED : TemplateRow.FAILS;
    return new TemplateRow(row.name(), row.text("template"), GoldenContext.of(row.context("context")), wanted);
  }

  private static List<TemplateRow> parse(Value file) {
    List<TemplateRow> out = new ArrayList<>();
    for (String group : List.of("parseTests", "errorTests")) {
      Corpora.items(file, group).forEach(row -> out.add(new TemplateRow(Corpora.text(row, "name"),
          Corpora.text(row, "input"), Value.NULL,
          Corpora.isTrue(row, "ok") ? TemplateRow.PARSES : TemplateRow.REFUSED)));
    }
    Corpora.items(file, "numberTests").forEach(row -> {
      String number = Corpora.text(row, "text");
      out.add(new TemplateRow("number " + number, "{{ $x := " + number + " }}", Value.NULL, TemplateRow.PARSES));
    });
    return out;
  }
}
