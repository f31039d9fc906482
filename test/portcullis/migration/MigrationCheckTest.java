package portcullis.migration;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import portcullis.config.Node;
import portcullis.config.Yaml;
import portcullis.lang.source.Problems;
import portcullis.lang.source.SourceFile;

class MigrationCheckTest {
  private static final String CONFIGURATION = """
      log: { level: disabled }
      cache: { config: { memory_limit: 1MB } }
      serve:
        trusted_proxies: [ 10.0.0.1, 0.0.0.0/0 ]
        respond: { verbose: true }
      mechanisms:
        authenticators:
          - id: session
            type: generic
            config: { identity_info_endpoint: "https://s.example", authentication_data_source: [ { \
            body_parameter: t } ] }
          - id: introspection
            type: oauth2_introspection
            config: { introspection_endpoint: "https://i.example" }
          - id: jwt
            type: jwt
            config:
              metadata_endpoint: { url: "https://i.example/.well-known" }
              assertions: { issuers: [ "https://i.example/*" ], allowed_algorithms: [ RSA ] }
          - { id: unsigned, type: jwt, config: { assertions: { allowed_algorithms: [ none ] } } }
          - { id: basic, type: basic_auth, config: { user_id: a, password: "b:c" } }
        authorizers:
          - id: remote
            type: remote
            config: { endpoint: "https://a.example", forward_response_headers_to_upstream: [ X-A ] }
          - id: cel
            type: cel
            config: { expressions: [ { expression: "Request.Body().groups.last() == 'a'" } ] }
        finalizers:
          - { id: headers, type: header, config: { headers: { X-Groups: "{{ .Outputs.a.groups }}" } } }
          - { id: cookies, type: cookie, config: { cookies: { user: "{{ typeOf .Request }}" } } }
          - { id: cc, type: oauth2_client_credentials, config: { auth_method: basic_auth } }
        contextualizers:
          - { id: map, type: map, config: { items: { a: "{{ .Request.URL | toJson }}", b: '{{ env "X" }}' } } }
          - { id: more, type: map, config: { items: { a: '{{ getHostByName "x" }}', b: '{{ b64dec "x" }}' } } }
        error_handlers:
          - { id: www, type: www_authenticate }
          - { id: away, type: redirect, config: { to: "https://{{ .Request.URL.Host }}/login" } }
      providers:
        file_system: { src: rules, watch: true }
        http_endpoint: { endpoints: [ "https://r.example" ] }
        kubernetes: {}
      """;
  private static final String RULES = """
      version: "1alpha4"
      rules:
        - id: a
          match:
            routes: [ { path: "/:page", path_params: [ { name: page, type: glob, value: "{*,x}%40" \
            } ] }, { path: '/a%5Cb' } ]
            methods: [ "!GET" ]
          allow_encoded_slashes: on
          execute:
            - { authenticator: session, if: 'Request.Method == "GET"' }
            - { authorizer: remote, id: cel }
            - { authorizer: cel, id: cel }
        - { id: b, match: { routes: [ { path: /admin } ] }, execute: [ { authenticator: session } ] }
      """;

  private static Node read(String name, String text) {
    Problems problems = new Problems();
    return Yaml.read(new SourceFile(name, text), problems)
        .orElseThrow(() -> new AssertionError(problems.sorted().toString()));
  }

  private static List<MigrationFinding> check(String configuration, String rules) {
    return MigrationCheck.of(read("heimdall.yaml", configuration), List.of(read("rules.yaml", rules)));
  }

  @Test
  void findsEveryDifference() {
    Set<Difference> found = check(CONFIGURATION, RULES).stream().map(MigrationFinding::difference)
        .collect(Collectors.toCollection(() -> EnumSet.noneOf(Difference.class)));
    assertEquals(EnumSet.complementOf(EnumSet.copyOf(found)), EnumSet.noneOf(Difference.class));
  }

  @Test
  void namesThePlace() {
    MigrationFinding methods = check(CONFIGURATION, RULES).stream()
        .filter(finding -> finding.difference() == Difference.NEGATED_METHODS).findFirst().orElseThrow();
    assertEquals("rules.yaml:6:19", methods.at().text());
    assertEquals("rules[0].match.methods[0]", methods.path());
  }

  @Test
  void findsNothingInWhatIsTheSame() {
    assertEquals(List.of(), check("""
        mechanisms:
          authenticators:
            - { id: anybody, type: anonymous }
            - id: jwt
              type: jwt
              config: { jwks_endpoint: "https://i.example/jwks", assertions: { issuers: [ "https://i.example" ] } }
            - { id: basic, type: basic_auth, config: { user_id: a, password: b } }
          error_handlers:
            - { id: login, type: redirect, config: { to: "https://login.example/?to={{ .Request.URL | urlenc }}" } }
        providers: { file_system: { src: rules } }
        """, """
        version: "1alpha4"
        rules:
          - id: a
            match: { routes: [ { path: "/orders/:id" } ], methods: [ ALL, "!TRACE" ], hosts: [ { \
            type: glob, value: "*.example" } ] }
            execute: [ { authenticator: anybody }, { authenticator: jwt, config: { assertions: { audience: [ x ] } } } ]
          - { id: b, match: { routes: [ { path: /admin } ] }, execute: [ { authenticator: jwt } ] }
        """));
  }

  @Test
  void readsDocumentsOfAnyForm() {
    assertEquals(List.of(), check("mechanisms: { authenticators: x, finalizers: [ y, { config: 1 } ] }", "rules: {}"));
  }

  @Test
  void everyDifferenceIsDocumented() throws IOException {
    List<String> rows = Files.readAllLines(Path.of("config/docs/migration.md"));
    for (Difference difference : Difference.values()) {
      assertTrue(rows.stream().anyMatch(row -> row.startsWith("| " + difference.row() + " |")), difference.row());
    }
  }
}
