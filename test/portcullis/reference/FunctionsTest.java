package portcullis.reference;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import portcullis.http.message.Authority;
import portcullis.http.message.Body;
import portcullis.http.message.Fields;
import portcullis.http.message.Request;
import portcullis.http.message.RequestPath;
import portcullis.lang.source.LocatedText;
import portcullis.lang.source.Problems;
import portcullis.lang.template.Template;
import portcullis.lang.value.Value;

/** The pages of templates and expressions name what can be called and read, and nothing else. */
class FunctionsTest {
  private static final Pattern READ = Pattern.compile("(?m)^\\| `(\\.?Request[^`]*)` \\|");

  private static String page(String name) {
    return Reference.topics().stream().filter(topic -> topic.name().equals(name)).findFirst().orElseThrow().page().get()
        .text();
  }

  private static List<String> read(String page) {
    return READ.matcher(page).results().map(found -> found.group(1)).filter(path -> path.contains("t.")).toList();
  }

  private static Value.Dict scope() throws Exception {
    return Value.dict("Request", new Request("GET", "https", Authority.parse("app.example").orElseThrow(),
        RequestPath.read("/orders/42"), "page=2", Fields.NONE, List.of("127.0.0.1"), Body.none()));
  }

  @Test
  void whatTemplatesReadOfTheRequestExists() throws Exception {
    for (String path : read(page("templates"))) {
      Problems problems = new Problems();
      Optional<Template> template = Template.compile(LocatedText.of("t", "{{ " + path + " }}"), problems);
      assertTrue(template.isPresent(), () -> path + ": " + problems.sorted());
      template.get().render(scope());
    }
  }

  @Test
  void membersOfTheRequestAreOnThePages() throws Exception {
    Request request = (Request) scope().get("Request").orElseThrow();
    Set<String> names = new HashSet<>(request.members());
    names.addAll(request.functions());
    Set<String> shown = read(page("templates")).stream().map(path -> path.split("[. ]")[2])
        .collect(Collectors.toSet());
    assertEquals(names, shown);
    assertTrue(read(page("expressions")).size() >= read(page("templates")).size() - 1);
  }
}
