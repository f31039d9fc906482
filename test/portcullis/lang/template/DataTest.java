package portcullis.lang.template;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import portcullis.fixture.StubObject;
import portcullis.lang.source.LocatedText;
import portcullis.lang.source.Problems;
import portcullis.lang.value.Value;

/** Templates read objects and data of the program. */
final class DataTest {
  private static Template template(String text) {
    return Template.compile(LocatedText.of("t", text), new Problems()).orElseThrow();
  }

  @Test
  void missingMembersListTheKnownOnes() {
    Rows.check("""
        {{ .Subject.ID }} {{ .Subject.Attributes.address.city }} {{ .Subject.Greet "x" }} => alice Köln hello x
        {{ .Subject.Nope }} => FAILS 1:4: `Subject` has no `Nope`, known: Attributes, Greet, ID
        {{ .Subject.Atributes.x }} => FAILS 1:4: `Subject` has no `Atributes`, did you mean `Attributes`?
        {{ .Subject.Greet }} => FAILS 1:4: `Greet`: takes one string
        {{ .Subject.ID "x" }} => FAILS 1:4: `ID` is not a function and takes no arguments
        {{ toJson .Subject }} => \
        {"Attributes":{"address":{"city":"Köln"},"mail":"a@b.c","none":null,"roles":["dev","ops"]},"ID":"alice"}
        {{ len .Subject }} => FAILS 1:4: `len`: *Subject has no length
        """);
  }

  @Test
  void readsMapObjectsLikeMaps() throws RenderFailure {
    Value.Dict entries = new Value.Dict(Map.of("tag", Value.Array.ofStrings(List.of("a", "b"))));
    Value query = new StubObject("Query", Map.of(), Map.of("Get", a -> Value.of("got " + StubObject.argument(a))),
        "map[...]",
        Optional.of(entries));
    String made = template("{{ .Query.tag }} {{ .Query.no }} {{ .Query.Get \"x\" }} {{ index .Query \"tag\" 1 }} {{ "
        + "index .Query \"no\" }} "
        + "{{ len .Query }} {{ range $k, $v := .Query }}{{ $k }}={{ join \",\" $v }}{{ end }} {{ toJson .Query }} {{ "
        + "kindOf .Query }}")
        .render(Value.dict("Query", query));
    assertEquals("[a b] <no value> got x b [] 1 tag=a,b {\"tag\":[\"a\",\"b\"]} map", made);
  }

  @Test
  void changesLastForOneRendering() throws RenderFailure {
    Template template = template("{{ $_ := set .map.a \"new\" 1 }}{{ toJson .map.a }}{{ $_ := unset .map \"b\" }}{{ "
        + ".map }}");
    Value.Dict data = Rows.data();
    String once = template.render(data);
    assertEquals("{\"new\":1,\"x\":\"y\"}map[a:map[new:1 x:y] k-k:1]", once);
    assertEquals(once, template.render(data));
  }

  @Test
  void knowsTemplatesWithoutActions() throws RenderFailure {
    assertTrue(template("").isLiteral());
    assertTrue(template("a {{- /* nothing */ -}} b").isLiteral());
    assertEquals("ab", template("a {{- /* nothing */ -}} b").render(Value.Dict.EMPTY));
    assertFalse(template("a{{ 1 }}").isLiteral());
  }

  @Test
  void threadsShareATemplate() {
    Template template = template("{{ range .list }}{{ . | upper }}{{ end }}{{ $x := .n }}{{ regexFind \"x+\" .s }}{{ "
        + "$x }}");
    Value.Dict data = Rows.data();
    IntStream.range(0, 200).parallel().forEach(_ -> {
      try {
        assertEquals("ABCx3", template.render(data));
      } catch (RenderFailure e) {
        throw new AssertionError(e);
      }
    });
  }

  @Test
  void failuresNameThePlaceInTheFile() {
    Rows.check("""
        a⏎b⏎  {{ .s | upper | trunc "x" }} => FAILS 3:25: expected int, found string
        a⏎{{ define "t" }}⏎ {{ .x.y.z }}{{ end }}{{ template "t" .map }} => a⏎⏎ <no value>
        a⏎{{ define "t" }}⏎ {{ fail . }}{{ end }}{{ template "t" .s }} => FAILS 3:5: `fail`: text
        """);
  }
}
