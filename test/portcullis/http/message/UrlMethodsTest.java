package portcullis.http.message;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import portcullis.lang.expression.Expression;
import portcullis.lang.expression.Variables;
import portcullis.lang.source.LocatedText;
import portcullis.lang.source.Problems;
import portcullis.lang.template.RenderFailure;
import portcullis.lang.template.Template;
import portcullis.lang.template.UrlText;
import portcullis.lang.value.Value;

/**
 * Go's methods of URLs, queries and users in templates, with what Go answers, and the members that expressions read.
 */
class UrlMethodsTest {
  private static Value.Dict scope(String query) {
    try {
      Request request = new Request("GET", "http", Authority.parse("shop.test:81").orElseThrow(),
          RequestPath.read("/t/a%20b"), query,
          Fields.NONE, List.of("127.0.0.1"), Body.of(new byte[0], ""));
      return new Value.Dict(Map.of("Request", request));
    } catch (ResponseStatusException e) {
      throw new AssertionError(e);
    }
  }

  private static String rendered(String action, String query) throws RenderFailure {
    Problems problems = new Problems();
    return Template.compile(LocatedText.of("", "{{ " + action + " }}"), problems).orElseThrow().render(scope(query));
  }

  @ParameterizedTest
  @CsvSource(delimiter = '§', quoteCharacter = '`', value = {
    ".Request.URL.Query.Encode§a=1+x&a=3&b=2",
    ".Request.URL.Query.Get \"a\"§1 x",
    ".Request.URL.Query.Has \"c\"§false", "printf \"%T\" .Request.URL.Query§*Query",
    "printf \"%T\" (.Request.URL.Parse \"/x\")§*URL", "printf \"%T\" .Request.URL§*URL",
    ".Request.URL.Redacted§http://shop.test:81/t/a%20b?b=2&a=1%20x&a=3",
    ".Request.URL.JoinPath \"x\" \"../y\"§http://shop.test:81/t/a%20b/y?b=2&a=1%20x&a=3",
    ".Request.URL.JoinPath \"/x//y/./z/\"§http://shop.test:81/t/a%20b/x/y/z/?b=2&a=1%20x&a=3",
    ".Request.URL.JoinPath§http://shop.test:81/t/a%20b?b=2&a=1%20x&a=3",
    ".Request.URL.JoinPath \"a b\" \"%20\" \"%zz\"§http://shop.test:81/t/a%20b?b=2&a=1%20x&a=3",
    ".Request.URL.JoinPath \"../../../q\"§http://shop.test:81/q?b=2&a=1%20x&a=3",
    ".Request.URL.JoinPath \"/\"§http://shop.test:81/t/a%20b/?b=2&a=1%20x&a=3",
    "(.Request.URL.JoinPath \"x\").Path§/t/a b/x",
    "(.Request.URL.JoinPath \"x y\").RawPath§/t/a%20b/x y",
    "(.Request.URL.JoinPath \"x y\").EscapedPath§/t/a%20b/x%20y",
    ".Request.URL.User§``", ".Request.URL.User.Username§``", ".Request.URL.User | default \"none\"§none",
    "if .Request.URL.User }}y{{ else }}n{{ end§n",
    ".Request.URL.Opaque§``", ".Request.URL.EscapedFragment§``", ".Request.URL.RawFragment§``",
    ".Request.URL.ForceQuery§false",
    ".Request.URL.OmitHost§false", ".Request.URL.URL.Path§/t/a b",
    ".Request.URL.Parse \"/abs?x=1\"§http://shop.test:81/abs?x=1",
    ".Request.URL.Parse \"rel\"§http://shop.test:81/t/rel",
    ".Request.URL.Parse \"../up\"§http://shop.test:81/up",
    ".Request.URL.Parse \"..\"§http://shop.test:81/",
    ".Request.URL.Parse \"?q=2\"§http://shop.test:81/t/a%20b?q=2",
    ".Request.URL.Parse \"?\"§http://shop.test:81/t/a%20b?",
    ".Request.URL.Parse \"#f\"§http://shop.test:81/t/a%20b?b=2&a=1%20x&a=3#f",
    ".Request.URL.Parse \"//other/x\"§http://other/x",
    ".Request.URL.Parse \"https://other.test/x\"§https://other.test/x",
    ".Request.URL.ResolveReference .Request.URL§http://shop.test:81/t/a%20b?b=2&a=1%20x&a=3",
    "(.Request.URL.Parse \"#f g\").EscapedFragment§f%20g", "(.Request.URL.Parse \"#f g\").Fragment§f g",
    "(.Request.URL.Parse \"https://u:p@h.test:82/x?y=1#z\").Redacted§https://u:xxxxx@h.test:82/x?y=1#z",
    "(.Request.URL.Parse \"https://u:p@h.test:82/x\").User.Username§u",
    "(.Request.URL.Parse \"https://u:p@h.test:82/x\").Hostname§h.test", "(.Request.URL.Parse "
        + "\"https://h.test:82/x\").Port§82",
    "(.Request.URL.Parse \"https://[::1]/x\").Port§``", "(.Request.URL.Parse "
        + "\"/x?b=1&a=%2F\").Query.Encode§a=%2F&b=1",
    "(.Request.URL.Parse \"mailto:a@b\").Opaque§a@b", "(.Request.URL.Parse \"mailto:a@b\").IsAbs§true",
    "(.Request.URL.Parse \"/x\").RequestURI§/x", "(.Request.URL.Parse \"mailto:a@b?s=1\").RequestURI§a@b?s=1",
    "(.Request.URL.Parse \"/x?\").RequestURI§/x?", "(.Request.URL.Parse \"/x?y=1\").RequestURI§/x?y=1",
    "(.Request.URL.Parse \"/x?\").ForceQuery§true", "(.Request.URL.Parse \"https://h.test:82/x\").Scheme§https",
    "(.Request.URL.Parse \"https://h.test:82/x\").Host§h.test:82", "(.Request.URL.Parse \"/x?y=1\").RawQuery§y=1",
    "(.Request.URL.Parse \"https://h.test/x\").String§https://h.test/x",
    "(.Request.URL.Parse \"https://u:p@h.test/x\").User§u:p",
    "(.Request.URL.Parse \"https://u:p@h.test/x\").User.String§u:p",
    "(.Request.URL.Parse \"/x\").User.String§``", "(.Request.URL.Parse \"/x#f\").RawFragment§``",
    "(.Request.URL.Parse \"/x\").OmitHost§false",
    "if (.Request.URL.Parse \"https://u@h.test/x\").User }}y{{ else }}n{{ end§y",
    "(.Request.URL.Parse \"/x?y=1\").Query.Get \"y\"§1",
    ".Request.URL.ResolveReference (.Request.URL.Parse \"https://h.test/z?q\")§https://h.test/z?q",
  })
  void urlsHaveTheMethodsOfGo(String action, String text) throws RenderFailure {
    assertEquals(text, rendered(action, "b=2&a=1%20x&a=3"));
  }

  @ParameterizedTest
  @ValueSource(strings = {".Request.URL.Query.Add \"z\" \"1\"", ".Request.URL.Query.Del \"a\"",
    ".Request.URL.Parse \"%zz\"",
    "(.Request.URL.Parse \"https://u:p@h/\").User.Password", ".Request.URL.JoinPath 1",
    ".Request.URL.UnmarshalBinary \"x\"", ".Request.URL.MarshalBinary", ".Request.URL.AppendBinary",
    ".Request.URL.Query.Encode \"x\"", ".Request.URL.Query.Set \"z\"",
    "(.Request.URL.Parse \"/x\").Redacted \"x\"", ".Request.URL.ResolveReference \"/x\"",
    ".Request.URL.ResolveReference", ".Request.URL.ResolveReference .Request.URL .Request.URL"})
  void whatCannotBeCalledFails(String action) {
    assertThrows(RenderFailure.class, () -> rendered(action, ""));
  }

  @Test
  void parametersDoNotHideMethods() throws RenderFailure {
    assertEquals("Encode=evil&Get=x", rendered(".Request.URL.Query.Encode", "Encode=evil&Get=x"));
    assertEquals("evil", rendered(".Request.URL.Query.Get \"Encode\"", "Encode=evil"));
    assertEquals("evil", rendered("index .Request.URL.Query \"Encode\" 0", "Encode=evil"));
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', value = {"Request.URL.Opaque == ''|true", "Request.URL.OmitHost|false",
    "Request.URL.ForceQuery == false|true",
    "Request.URL.RawFragment == ''|true", "has(Request.URL.User)|false", "has(Request.URL.Opaque)|false",
    "has(Request.URL.Path)|true",
    "Request.URL.URL.Path == '/t/a b'|true", "Request.URL.User == null|false"})
  void expressionsReadTheMembersOfGo(String expression, boolean holds) throws Exception {
    Problems problems = new Problems();
    String condition = "(" + expression + ") == true";
    assertEquals(holds, Expression.condition(LocatedText.of("", condition), problems).orElseThrow()
        .test(Variables.of(scope("").members())));
    assertTrue(problems.sorted().isEmpty());
  }

  @Test
  void allMembersThatAreNamedCanBeRead() throws Exception {
    UrlValue url = new UrlValue(UrlText.read("http://shop.test/x?y"));
    assertTrue(url.members().containsAll(List.of("Scheme", "User", "Host", "Path", "RawQuery")));
    for (String member : url.members()) {
      assertTrue(url.member(member).isPresent(), member);
    }
    assertTrue(url.member("Method").isEmpty());
  }
}
