package portcullis.policy.errorhandler;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import portcullis.config.Enforcement;
import portcullis.lang.source.Problems;
import portcullis.policy.pipeline.AccessGuard;
import portcullis.policy.pipeline.Observer;
import portcullis.policy.pipeline.PipelineResult;
import portcullis.policy.rule.Catalogues;
import portcullis.policy.rule.Rules;

class RedirectTest {
  private static final String STEPS = "execute: [{authenticator: no}]\non_error: [{error_handler: away}]";

  private static String mechanisms(String settings) {
    return "authenticators: [{id: no, type: unauthorized}]\nerror_handlers: [{id: away, type: redirect, config: {"
        + settings + "}}]\n";
  }

  /** Where a GET with these fields is sent, or the failure's report. */
  private static String sentTo(String settings, String path, String query, String... fields) {
    PipelineResult result = Rules.pipeline(mechanisms(settings), STEPS).run(
        Rules.request(path, query, fields), AccessGuard.OPEN,
        Observer.NONE);
    PipelineResult.Failed failed = (PipelineResult.Failed) result;
    return failed.answer().map(handled -> handled.answer())
        .map(a -> a.status() + " " + a.fields().first("Location").orElse(""))
        .orElseGet(() -> failed.stepFailure().failure().report());
  }

  private static String problems(String settings, Enforcement enforcement) {
    Problems problems = new Problems();
    Catalogues.of(mechanisms(settings), enforcement, problems);
    return Catalogues.reported(problems);
  }

  @ParameterizedTest
  @CsvSource(delimiter = '§', value = {
    "to: 'https://login.test/start'§302 https://login.test/start",
    "to: 'https://login.test/start', code: 301§301 https://login.test/start",
    "to: 'https://login.test:8443{{ .Request.URL.Path }}'§302 https://login.test:8443/a",
    "to: 'https://login.test/?back={{ .Request.URL | urlenc }}'§302 "
        + "https://login.test/?back=http%3A%2F%2Fshop.local%2Fa%3Fx%3D1",
    "to: 'https://login.test/#{{ .Request.URL.Path }}'§302 https://login.test/#/a",
    "to: 'https://LOGIN.test//twice'§302 https://LOGIN.test//twice",
    "to: 'https://{{ .Values.at }}/in', values: {at: login.test}§302 https://login.test/in",
    "to: 'https://{{ .Request.Header \"X-At\" }}/in', values: {one: a.test, other: 'b.test:444'}§302 "
        + "https://b.test:444/in",
    "to: 'https://{{ .Request.Header \"X-At\" }}/in', allowed_hosts: [a.test, 'b.test:444']§302 "
        + "https://b.test:444/in",
    "to: 'https://{{ .Request.Header \"X-At\" }}/in', allowed_hosts: ['*.test:444']§302 https://b.test:444/in",
    "to: 'https://login.{{ .Request.URL.Host }}/in', allowed_hosts: [login.shop.local]§302 "
        + "https://login.shop.local/in",
    "to: 'https://{{ .Request.URL.Host }}{{ .Request.URL.Path }}'§302 https://shop.local/a",
    "to: '{{ .Request.URL.Scheme }}://{{ .Request.URL.Host }}/login'§302 http://shop.local/login",
    "to: '{{ .Request.URL.Scheme }}://a.test/'§302 http://a.test/",
    "to: '{{ .Values.base }}/in', values: {base: 'https://login.test'}§302 https://login.test/in",
    "to: 'https://{{ .Values.at }}/', values: {at: '{{ .Request.URL.Host }}'}§302 https://shop.local/",
    "to: '/login?back={{ .Request.URL | urlenc }}'§302 /login?back=http%3A%2F%2Fshop.local%2Fa%3Fx%3D1",
    "to: '/{{ .Request.URL.Captures.x | default \"y\" }}/in'§302 /y/in",
    "to: '?login'§302 ?login", "to: '../login'§302 ../login", "to: '{{ .Request.URL.Path }}/login'§302 /a/login",
    "to: 'https://login.test/a b?x=a b#c d'§302 https://login.test/a%20b?x=a%20b#c%20d",
    "to: 'https://login.test/ü?{{ \"\\\"<>|^{}\" }}%20'§302 https://login.test/%C3%BC?%22%3C%3E%7C%5E%7B%7D%20",
    "to: 'https://login.test/?s={{ .Subject.ID }}&d={{ .Subject.ID | default \"none\" }}'§302 "
        + "https://login.test/?s=%3Cno%20value%3E&d=none",
  })
  void leadsToWhereItIsWritten(String settings, String sent) {
    assertEquals(sent, sentTo(settings, "/a", "x=1", "X-At", "b.test:444"));
  }

  @ParameterizedTest
  @CsvSource(delimiter = '§', quoteCharacter = '`', value = {
    "to: 'https://login.test{{ .Request.Header \"X-At\" }}'§.evil.test/",
    "to: 'https://login.test{{ .Request.Header \"X-At\" }}'§@evil.test/",
    "to: 'https://login.test{{ .Request.Header \"X-At\" }}'§:443@evil.test/",
    "to: 'https://login.test{{ .Request.Header \"X-At\" }}'§//evil.test/",
    "to: 'https://login.test{{ .Request.Header \"X-At\" }}'§\\\\evil.test/",
    "to: '/{{ .Request.Header \"X-At\" }}'§/evil.test", "to: '/{{ .Request.Header \"X-At\" }}'§\\evil.test",
    "to: '{{ .Request.Header \"X-At\" }}/login'§//evil.test", "to: '{{ .Request.Header \"X-At\" "
        + "}}/login'§/\\evil.test",
    "to: '{{ .Request.Header \"X-At\" }}/login'§https://evil.test", "to: '{{ .Request.Header \"X-At\" "
        + "}}/login'§\\evil.test",
    "to: '{{ .Request.Header \"X-At\" }}//x'§javascript:alert(1)", "to: '{{ .Request.Header \"X-At\" "
        + "}}://shop.local/'§ftp",
    "to: '{{ .Request.Header \"X-At\" }}'§https:evil.test", "to: '{{ .Request.Header \"X-At\" }}'§https:/evil.test",
    "to: '{{ .Request.Header \"X-At\" }}'§data:text/html,x", "to: '{{ .Request.Header \"X-Not\" }}'§x",
    "to: 'https://{{ .Request.Header \"X-At\" }}/'§evil.test", "to: 'https://{{ .Request.Header \"X-At\" "
        + "}}/'§shop.local.evil.test",
    "to: 'https://{{ .Request.Header \"X-At\" }}/'§shop.local:8443", "to: 'https://{{ .Request.Header \"X-At\" "
        + "}}/'§shop.local evil.test",
    "to: 'https://{{ .Request.Header \"X-At\" }}/', allowed_hosts: ['*.a.test']§a.test",
    "to: 'https://{{ .Request.Header \"X-At\" }}/', allowed_hosts: ['*.a.test']§.a.test",
    "to: 'https://{{ .Request.Header \"X-At\" }}/', allowed_hosts: ['*.a.test']§evil.test?.a.test",
    "to: 'https://{{ .Request.Header \"X-At\" }}/', allowed_hosts: ['*.a.test']§evil@b.a.test",
    "to: 'https://{{ .Request.Header \"X-At\" }}/', allowed_hosts: ['*.a.test']§xa.test",
    "to: 'https://login.test/{{ .Request.Header \"X-At\" }}'§\\evil.test",
    "to: 'https://{{ .Request.Header \"X-At\" }}/', values: {at: a.test}§evil.test",
    "to: 'https://{{ .Request.Header \"X-At\" }}/', values: {at: a.test}§a.test@evil.test",
    "to: 'https://{{ .Request.Header \"X-At\" }}/', values: {at: a.test}§evil.test?a.test",
    "to: 'https://{{ .Request.Header \"X-At\" }}/', values: {at: a.test}§user@a.test",
    "to: 'https://{{ .Values.x }}/', values: {at: a.test, x: '{{ .Request.Header \"X-At\" }}'}§evil.test",
    "to: 'https://{{ .Request.Header \"X-At\" }}.a.test/', values: {at: b.test}§evil",
  })
  void requestDataCannotChangeTheHost(String settings, String filledIn) {
    assertEquals("internal error: failed to render 'to' url: it leads elsewhere than the configuration says",
        sentTo(settings, "/a", "", "X-At", filledIn));
  }

  @Test
  void rejectsControlCharacters() {
    assertEquals("internal error: failed to render 'to' url: the value holds a control character",
        sentTo("to: 'https://login.test/{{ .Request.URL.Captures.x }}{{ printf \"%c\" 13 }}'", "/a", ""));
  }

  @ParameterizedTest
  @ValueSource(strings = {"to: 'javascript:alert(1)'", "to: '//a.test/'", "to: '/\\a.test/'",
    "to: 'https://{{ .Request.URL.Host }}/', allowed_hosts: ['https://a.test']", "to: '{{ .Values.at }}'",
    "to: 'https://{{ .Request.URL.Host }}/', allowed_hosts: ['a.*.test']",
    "to: 'ftp://a.test/'", "to: 'https://user@a.test/'", "to: 'https://user:pass@a.test/{{ .Request.URL.Path }}'",
    "to: 'https://{{ .Values.at }}/', values: {at: 'user@a.test'}", "to: 'https:///x'", "code: 302",
    "to: 'https://a.test/', code: 303", "to: 'https://a.test/', when: x"})
  void otherTargetsAreConfigurationErrors(String settings) {
    assertTrue(problems(settings, Enforcement.NONE).startsWith("f:"),
        () -> settings + ": " + problems(settings, Enforcement.NONE));
  }

  @Test
  void tlsMayBeInsistedOn() {
    assertEquals("", problems("to: 'https://a.test/'", Enforcement.ALL));
    assertTrue(problems("to: 'http://a.test/'", Enforcement.ALL).contains("scheme must be https"));
    assertEquals("", problems("to: /login", Enforcement.ALL));
    assertEquals("", problems("to: '{{ .Request.URL.Scheme }}://a.test/'", Enforcement.NONE));
    assertTrue(problems("to: '{{ .Request.URL.Scheme }}://a.test/'", Enforcement.ALL).startsWith("f:"));
  }
}
