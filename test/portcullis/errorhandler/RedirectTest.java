package portcullis.errorhandler;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import portcullis.config.Enforcement;
import portcullis.pipeline.Passage;
import portcullis.rule.Catalogues;
import portcullis.rule.Rules;
import portcullis.source.Problems;

class RedirectTest {
  private static final String STEPS = "execute: [{authenticator: no}]\non_error: [{error_handler: away}]";

  private static String mechanisms(String settings) {
    return "authenticators: [{id: no, type: unauthorized}]\nerror_handlers: [{id: away, type: redirect, config: {" + settings + "}}]\n";
  }

  /** Where a GET with these fields is sent, or the failure's report. */
  private static String sentTo(String settings, String path, String query, String... fields) {
    Passage passage = Rules.pipeline(mechanisms(settings), STEPS).run(Rules.request(path, query, fields));
    Passage.Failed failed = (Passage.Failed) passage;
    return failed.answer().map(a -> a.status() + " " + a.fields().first("Location").orElse("")).orElseGet(() -> failed.fault().failure().report());
  }

  private static String problems(String settings, Enforcement enforcement) {
    Problems problems = new Problems();
    Catalogues.of(mechanisms(settings), enforcement, problems);
    return Catalogues.said(problems);
  }

  @ParameterizedTest
  @CsvSource(delimiter = '§', value = {
      "to: 'https://login.test/start'§302 https://login.test/start",
      "to: 'https://login.test/start', code: 301§301 https://login.test/start",
      "to: 'https://login.test:8443{{ .Request.URL.Path }}'§302 https://login.test:8443/a",
      "to: 'https://login.test/?back={{ .Request.URL | urlenc }}'§302 https://login.test/?back=http%3A%2F%2Fshop.local%2Fa%3Fx%3D1",
      "to: 'https://login.test/#{{ .Request.URL.Path }}'§302 https://login.test/#/a",
      "to: 'https://LOGIN.test//twice'§302 https://LOGIN.test//twice",
      "to: 'https://{{ .Values.at }}/in', values: {at: login.test}§302 https://login.test/in",
      "to: 'https://{{ .Request.Header \"X-At\" }}/in', values: {one: a.test, other: 'b.test:444'}§302 https://b.test:444/in",
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
      "to: 'https://login.test/{{ .Request.Header \"X-At\" }}'§a b",
      "to: 'https://login.test/{{ .Request.Header \"X-At\" }}'§\\evil.test",
      "to: 'https://{{ .Request.Header \"X-At\" }}/', values: {at: a.test}§evil.test",
      "to: 'https://{{ .Request.Header \"X-At\" }}/', values: {at: a.test}§a.test@evil.test",
      "to: 'https://{{ .Request.Header \"X-At\" }}/', values: {at: a.test}§evil.test?a.test",
      "to: 'https://{{ .Request.Header \"X-At\" }}/', values: {at: a.test}§user@a.test",
      "to: 'https://{{ .Values.x }}/', values: {at: a.test, x: '{{ .Request.Header \"X-At\" }}'}§evil.test",
      "to: 'https://{{ .Request.Header \"X-At\" }}.a.test/', values: {at: b.test}§evil",
  })
  void s48WhatTheRequestFillsInChangesNoHost(String settings, String filledIn) {
    assertEquals("internal error: failed to render 'to' url: it leads elsewhere than the configuration says",
        sentTo(settings, "/a", "", "X-At", filledIn));
  }

  @Test
  void s48ControlCharactersAreRefused() {
    assertEquals("internal error: failed to render 'to' url: the value holds a control character",
        sentTo("to: 'https://login.test/{{ .Request.URL.Captures.x }}{{ printf \"%c\" 13 }}'", "/a", ""));
  }

  @ParameterizedTest
  @ValueSource(strings = {"to: 'javascript:alert(1)'", "to: '{{ .Request.URL.Scheme }}://a.test/'", "to: '//a.test/'", "to: '/login'",
      "to: 'ftp://a.test/'", "to: 'https://user@a.test/'", "to: 'https://user:pass@a.test/{{ .Request.URL.Path }}'",
      "to: 'https://{{ .Request.URL.Host }}/'", "to: 'https://{{ .Values.at }}/', values: {at: '{{ .Request.URL.Host }}'}",
      "to: 'https://{{ .Values.at }}/', values: {at: 'user@a.test'}", "to: 'https:///x'", "code: 302",
      "to: 'https://a.test/', code: 303", "to: 'https://a.test/', when: x"})
  void s48OtherTargetsAreErrorsOfTheConfiguration(String settings) {
    assertTrue(problems(settings, Enforcement.NONE).startsWith("f:"), () -> settings + ": " + problems(settings, Enforcement.NONE));
  }

  @Test
  void tlsMayBeInsistedOn() {
    assertEquals("", problems("to: 'https://a.test/'", Enforcement.ALL));
    assertTrue(problems("to: 'http://a.test/'", Enforcement.ALL).contains("scheme must be https"));
  }
}
