package portcullis.cli;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SequencedMap;
import java.util.Set;

/**
 * The files to start from, made of samples in {@code start}. A line {@code ?WORD|…} of a sample is for this word only,
 * and {@code @NAME@} stands for a value. Immutable.
 *
 * @param kind what the names of its samples begin with
 * @param words whose lines belong to the files
 */
record StartFiles(String kind, Set<String> words, Map<String, String> values) {
  static final String CONFIG = "portcullis.yaml";
  static final String RULES = "rules.yaml";

  /** Returns the texts by the names of the files. */
  SequencedMap<String, String> texts() {
    SequencedMap<String, String> out = new LinkedHashMap<>();
    out.put(CONFIG, filled(sample(kind + "-config") + sample("common")));
    out.put(RULES, filled(sample(kind + "-rules")));
    out.put("rules_test.yaml", filled(sample(kind + "-rules_test")));
    out.put("portcullis.schema.json", SchemaCommand.text("config"));
    out.put("rules.schema.json", SchemaCommand.text("rules"));
    return out;
  }

  private String filled(String sample) {
    StringBuilder out = new StringBuilder();
    for (String line : sample.lines().toList()) {
      int end = line.startsWith("?") ? line.indexOf('|') : 0;
      if (end == 0 || words.contains(line.substring(1, end))) {
        out.append(end == 0 ? line : line.substring(end + 1)).append('\n');
      }
    }
    String text = out.toString();
    for (Map.Entry<String, String> value : values.entrySet()) {
      text = text.replace("@" + value.getKey() + "@", value.getValue());
    }
    return text;
  }

  private static String sample(String name) {
    String file = "start/" + name + ".txt";
    try (InputStream in = StartFiles.class.getResourceAsStream(file)) {
      if (in == null) {
        throw new IllegalStateException(file + " is missing");
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
