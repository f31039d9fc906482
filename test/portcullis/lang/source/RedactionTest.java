package portcullis.lang.source;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RedactionTest {
  @ParameterizedTest
  @CsvSource(delimiter = '|', textBlock = """
      https://user:pw@host.test/x        | https://***@host.test/x
      a redis://:pw@host:1 b://u@h       | a redis://***@host:1 b://***@h
      https://u:p@ss@host/a@b            | https://***@host/a@b
      https://host/a@b                   | https://host/a@b
      https://h/?access_token=abc&x=1    | https://h/?access_token=***&x=1
      Bearer abcdef.ghi                  | Bearer ***
      Basic dXNlcjpwdw==                 | Basic ***
      is of type Basic or bearer         | is of type Basic or bearer
      eyJhbGciOiJub25lIn0.e30. is wrong  | *** is wrong
      no key eyJ                         | no key eyJ
      """)
  void hidesUserinfoAndTokens(String text, String expected) {
    assertEquals(expected, Redaction.of(text));
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
      password: s3cret                   | password: ***
      - password: "s3, cret" # mine      | - password: *** # mine
      password "s3cret"                  | password ***
      passwort: s3cret                   | passwort: ***
      password: ${REDIS_PW}              | password: ${REDIS_PW}
      {password: "${REDIS_PW}", x: "a"}  | {password: "${REDIS_PW}", x: "a"}
      {secret: ${A}, password: s3cret}   | {secret: ${A}***
      { a: { password: ${REDIS_PW} } }   | { a: { password: ${REDIS_PW} } }
      password: "${REDIS_PW}s3cret"      | password: "${REDIS_PW}***
      password: s3cret${REDIS_PW}        | password: ***
      password: ${REDIS_PW:-s3cret}      | password: ***
      password: ${REDIS_PW               | password: ***
      user_id: ann:${PW}                 | user_id: ann:${PW}
      client-secret: 's3cret             | client-secret: ***
      {user: a, password: s3,cret, b: 1} | {user: a, password: ***
      {password: "s3cret", type: nop}    | {password: ***, type: nop}
      {"password":"s3cret","x":1}        | {"password":***,"x":1}
      REDIS_PASSWORD=s3cret              | REDIS_PASSWORD=***
      type: api_key, value: s3cret       | type: api_key, value: ***
      hosts: [{type: exact, value: a.b}] | hosts: [{type: exact, value: a.b}]
      token_url: https://a.test/token    | token_url: https://a.test/token
      path: /password/:id                | path: /password/:id
      id: secrets_reload_enabled         | id: secrets_reload_enabled
      authorization_error: {code: 1}     | authorization_error: {code: 1}
      Authorization: Digest abc          | Authorization: ***
      pass: s3cret                       | pass: ***
      db_pwd: s3cret                     | db_pwd: ***
      pw: s3cret                         | pw: ***
      {user: a, redis-pw: s3cret}        | {user: a, redis-pw: ***
      Cookie: s3cret                     | Cookie: ***
      headers: { cookie: "sid=s3cret" }  | headers: { cookie: *** }
      Set-Cookie: s3cret; Secure         | Set-Cookie: ***
      - cookie: sid # of x=y             | - cookie: sid # of x=y
      {cookie: sid, value: "a=b"}        | {cookie: sid, value: "a=b"}
      Request.Cookie("sid") == "a"       | Request.Cookie("sid") == "a"
      key_store: /a/b.pem password s3cret | key_store: /a/b.pem password ***
      {key_store: b.pem password s3, x: 1} | {key_store: b.pem password ***
      user_id: ann pw s3cret             | user_id: ann pw ***
      title: no valid token was sent     | title: no valid token was sent
      password_hash: s3cret              | password_hash: ***
      user_id: alice:s3cret # both       | user_id: alice:***
      user: "alice:s3cret", x: 1         | user: "alice:***", x: 1
      username: 'alice'                  | username: 'alice'
      user_id: {a: b}                    | user_id: {a: b}
      credentials: s3cret                | credentials: ***
      credentials: {path: a.yaml}        | credentials: {path: a.yaml}
      auth: s3cret                       | auth: ***
      auth: {config: s3cret}             | auth: {config: ***
      auth: {config: {vlaue: s3cret}}    | auth: {config: {vlaue: ***
      auth: {config: {key: s3cret}}      | auth: {config: {key: ***
      key: {{ .Subject.ID }}             | key: {{ .Subject.ID }}
      locks: {key: s3cret}               | locks: {key: ***
      audit: {key: a.pem, auth: {key: s}} | audit: {key: ***
      pass"word: s3cret                  | pass"word: ***
      passwor#: s3cret                   | passwor#: ***
      password[: s3cret                  | password[: ***
      se]cret: s3cret                    | se]cret: ***
      {a: b, pass{word: s3cret}          | {a: b, pass{word: ***
      {a: b, client_sec,et: s3cret}      | {a: b, client_sec,et: ***
      {a: b, password "s3cret"}          | {a: b, password ***}
      {a: b, client_secret s3cret}       | {a: b, client_secret ***
      secret# s3cret                     | secret# ***
      auth: {config: {val&ue: s3cret}}   | auth: {config: {val&ue: ***
      "wrong user, password or token"    | "wrong user, password or token"
      url: "https://u's3cret@host/"      | url: "https://***@host/"
      """)
  void hidesSecretsInLines(String line, String expected) {
    assertEquals(expected, Redaction.ofLine(line, Redaction.isOfCall(new SourceFile("f", line), 1)));
  }

  /** The key of the audit chain is a file; that of locks beside it is none. */
  @ParameterizedTest
  @ValueSource(strings = {"decision_log: { audit: { key: audit.pem } }", "  audit:\n    key: audit.pem",
    "  audit:\n\n    every: 10\n    key: audit.pem"})
  void namesOfFilesAreNoSecrets(String text) {
    String all = "management: { locks: { key_file: a } }\n" + text;
    int last = (int) all.lines().count();
    SourceFile file = new SourceFile("f", all);
    String line = file.line(last);
    assertEquals(line, Redaction.ofLine(line, Redaction.isOfCall(file, last)));
    SourceFile locks = new SourceFile("f", "audit: {}\nlocks:\n  key: s3cret");
    assertEquals("  key: ***", Redaction.ofLine("  key: s3cret", Redaction.isOfCall(locks, 3)));
  }

  @ParameterizedTest
  @ValueSource(strings = {"  key: s3cret # audit: { key: a.pem }", "  key: 's3cret, audit: { key: a.pem }'",
    "  { value: x, key: \"s3cret{audit: {\" }"})
  void namingTheAuditChainShowsNothing(String line) {
    SourceFile file = new SourceFile("f", "locks:\n" + line);
    assertFalse(Redaction.ofLine(line, Redaction.isOfCall(file, 2)).contains("s3cret"));
  }

  /** What is no URL at all still has a password in it. */
  @ParameterizedTest
  @CsvSource(delimiter = '|', textBlock = """
      url: u:s3cret@host.test            | url: ***@host.test
      url: //u:s3cret@host/a             | url: //***@host/a
      url: //s3cret@host/a               | url: //***@host/a
      url: https:/u:s3cret@host          | url: https:/***@host
      url: https//u:s3@cret@host         | url: https//***@host
      url: https://u:s/3cret@host/       | url: https://***@host/
      url: https://u:s#3cret@host/       | url: https://***@host/
      url: https://u:s?3cret@host/       | url: https://***@host/
      url: https://u:s 3cret@host/       | url: https://***@host/
      url: https://u:s 3/c@ret@host/     | url: https://***@host/
      address: 'u:s3cret@redis:6379'     | address: '***@redis:6379'
      to: https://host:80/users/@me      | to: https://host:80/users/@me
      to: https://host/a:b               | to: https://host/a:b
      path: /a/:b@c                      | path: /a/:b@c
      mail: a@b.test                     | mail: a@b.test
      url: [u:s3cret@host, "u:pw@host"]  | url: [***@host, "***@host"]
      """)
  void hidesUserinfoOfWrongUrls(String line, String expected) {
    assertEquals(expected, Redaction.ofLine(line, false));
    assertEquals("invalid `" + expected + "`", problem(line, 1, "url", "invalid `" + line + "`", "").message());
  }

  @Test
  void longLinesTakeLinearTime() {
    for (String part : List.of("://a:b", "a:b", ":", "://", "a@", "@", "//", "a:b@", "password:", "://a:b@c ")) {
      String line = part.repeat(50_000);
      assertTimeoutPreemptively(Duration.ofSeconds(60), () -> Redaction.ofLine(line, true), part);
    }
  }

  private static Problem problem(String text, int line, String path, String message, String hint) {
    return Problem.error(new Origin.InFile(new SourceFile("f", text), line, 1, 99), path, message, hint);
  }

  /** Each input has one secret, in the line with this number. */
  @ParameterizedTest
  @CsvSource(delimiter = '|', textBlock = """
      password: [hunter2]                 | 1 | config.password       | this is `hunter2`, a string is needed
      password:~  hunter2: x              | 2 | config.password.hunter2 | unknown key `hunter2`
      password: >~  a~  hunter2           | 3 |                       | `:` is missing behind the name
      user_id: password=hunter2           | 1 | config.user_id        | `password=hunter2` is not known here
      config: "password: hunter2"         | 1 | config                | this is `password: hunter2`, a mapping is needed
      passwrod: hunter2                   | 1 | config.passwrod       | unknown key `passwrod`
      password: *hunter2                  | 1 | config.password       | unknown anchor `hunter2`
      url: https://u:hunter2@host/        | 1 | config.url            | `https://u:hunter2@host/` has userinfo
      password:~- x~- hunter2             | 3 | config.password       | this is a list, a string is needed
      password:~hunter2                   | 2 |                       | `:` is missing behind the name
      - password:~  hunter2               | 2 |                       | `:` is missing behind the name
      ? password~: [hunter2]              | 2 | config.password       | this is a list, a string is needed
      auth:~config:~      value: hunter2 | 3 |                       | this line is indented by 6
      password: x                        | 1 | auth.config           | unknown key `password "hunter2"`
      auth:~  config:~    value: >~      hunter2 | 4 | auth.config.value | the key has a line break
      credentials: hunter2                | 1 | config.credentials    | `hunter2` is a string, a mapping is needed
      auth: {config: hunter2}             | 1 | a.auth.config         | `hunter2` is a string, a mapping is needed
      """)
  void problemsNeverShowSecrets(String text, int line, String path, String message) {
    Problem problem = problem(text.replace('~', '\n'), line, path == null ? "" : path, message,
        path == null || !path.contains("password") ? "" : "as `[hunter2]`");
    assertFalse((problem.text() + problem.excerpt()).contains("hunter2"), problem.text() + "\n" + problem.excerpt());
  }

  @Test
  void namesOfTheTemplateLanguageAreShown() {
    Problem problem = Problem.error(
        new Origin.InFile(new SourceFile("f", "headers: { Authorization: \"{{ .Subject.Id }}\", X: 1 }"), 1, 40, 2),
        "headers.Authorization", "no member `Id`, did you mean `ID`?", "");
    assertEquals("f:1:40: headers.Authorization: no member `Id`, did you mean `ID`?", problem.text());
    assertEquals("headers: { Authorization: ***, X: 1 }\n                          ^^", problem.excerpt());
    assertFalse(problem("a", 1, "a.password", "no member `x`: `hunter-2`", "").text().contains("hunter-2"));
  }

  @Test
  void namesOfMissingCredentialsAreShown() {
    assertEquals("f:1:1: a.client_auth: `client_secret` is missing",
        problem("a", 1, "a.client_auth", "`client_secret` is missing", "").text());
  }

  @ParameterizedTest
  @ValueSource(strings = {"unknown key `usr`", "rule `token` has no authenticator",
    "`/a/:b` of rule `x`: is in conflict",
    "`x` is a string, a mapping is needed", "unknown key `a@b`"})
  void keepsOtherPartsOfMessages(String message) {
    assertEquals("f:1:1: rules[0].id: " + message, problem("a", 1, "rules[0].id", message, "").text());
  }
}
