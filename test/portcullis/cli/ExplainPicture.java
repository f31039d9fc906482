package portcullis.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/** The picture of a decision on the first screen of the README, drawn from what {@code explain} prints. */
final class ExplainPicture {
  static final Path FILE = Path.of("config/docs/explain.svg");

  private static final String CONFIGURATION = """
      mechanisms:
        authenticators:
          - { id: password, type: basic_auth, config: { user_id: ann, password: secret } }
        authorizers:
          - id: office
            type: cel
            config:
              expressions:
                - expression: Request.ClientIPAddresses.all(ip, ip in networks("10.0.0.0/8"))
                  message: only from the office network
        finalizers:
          - { id: user, type: header, config: { headers: { X-User: "{{ .Subject.ID }}" } } }
      """;
  private static final String RULES = """
      version: "1alpha4"
      rules:
        - id: orders
          match: { routes: [ { path: /orders/:id } ] }
          forward_to: { host: shop.internal, rewrite: { strip_path_prefix: /orders } }
          execute:
            - authenticator: password
            - authorizer: office
              if: Request.Method != "GET"
            - finalizer: user
      """;
  private static final Pattern TIME = Pattern.compile(" +\\d+\\.\\d+ ms");
  private static final int LINE_HEIGHT = 20;
  private static final double CHARACTER_WIDTH = 7.85;
  private static final int MARGIN = 18;

  private ExplainPicture() {}

  static String svg() throws IOException {
    Path folder = Files.createTempDirectory("picture");
    try {
      Path config = Files.writeString(folder.resolve("portcullis.yaml"), CONFIGURATION
          + "providers: { file_system: { src: '" + folder.resolve("rules.yaml") + "' } }\n");
      Files.writeString(folder.resolve("rules.yaml"), RULES);
      List<String> lines = new ArrayList<>();
      explain(List.of("https://shop.example/orders/42", "-u", "ann:secret"), config, lines);
      lines.add("");
      explain(List.of("DELETE", "https://shop.example/orders/42", "-u", "ann:secret"), config, lines);
      return drawn(lines);
    } finally {
      Files.deleteIfExists(folder.resolve("portcullis.yaml"));
      Files.deleteIfExists(folder.resolve("rules.yaml"));
      Files.deleteIfExists(folder);
    }
  }

  private static void explain(List<String> request, Path config, List<String> lines) {
    List<String> words = new ArrayList<>(List.of("explain", "--insecure", "-c", config.toString()));
    words.addAll(request);
    lines.add("$ portcullis explain " + String.join(" ", request));
    CommandResult reported = CommandResult.of(words.toArray(String[]::new));
    String folder = config.getParent() + "/";
    reported.out().lines().skip(1).map(line -> TIME.matcher(line.replace(folder, "")).replaceAll("").stripTrailing())
        .forEach(lines::add);
  }

  private static String drawn(List<String> lines) {
    int longest = lines.stream().mapToInt(String::length).max().orElse(0);
    int width = (int) (longest * CHARACTER_WIDTH) + 2 * MARGIN;
    int height = lines.size() * LINE_HEIGHT + 2 * MARGIN;
    StringBuilder out = new StringBuilder("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"" + width + "\" height=\""
        + height + "\" viewBox=\"0 0 " + width + " " + height
        + "\" font-family=\"ui-monospace, Menlo, Consolas, monospace\" "
        + "font-size=\"13\">\n<title>Two decisions explained by portcullis explain</title>\n"
        + "<rect width=\"100%\" height=\"100%\" rx=\"8\" fill=\"#16202b\"/>\n");
    for (int i = 0; i < lines.size(); i++) {
      out.append("<text x=\"" + MARGIN + "\" y=\"" + (MARGIN + (i + 1) * LINE_HEIGHT - 6) + "\" fill=\""
          + colour(lines.get(i)) + "\" xml:space=\"preserve\">" + escaped(lines.get(i)) + "</text>\n");
    }
    return out.append("</svg>\n").toString();
  }

  private static String colour(String line) {
    if (line.startsWith("$")) {
      return "#ffffff";
    }
    if (line.startsWith("result")) {
      return line.contains("refused") ? "#ff8a80" : "#9be28f";
    }
    return line.contains(" failed ") ? "#ff8a80" : "#b9c7d6";
  }

  private static String escaped(String text) {
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
  }
}
