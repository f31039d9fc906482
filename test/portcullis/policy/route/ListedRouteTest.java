package portcullis.policy.route;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import portcullis.config.Enforcement;
import portcullis.lang.source.Problems;
import portcullis.lang.source.SourceFile;
import portcullis.policy.rule.Catalogues;
import portcullis.policy.rule.Rule;
import portcullis.policy.rule.RuleReader;

class ListedRouteTest {
  @Test
  void routesAreListedAsTheyAreWritten() {
    Problems problems = new Problems();
    RouteIndex<Rule> index = new RuleReader(
        Catalogues.of("authenticators: [{id: a, type: anonymous}]", Enforcement.NONE, problems), Optional.empty(),
        false, Optional.empty()).read("s", new SourceFile("f", """
            version: 1alpha4
            rules:
            - id: one
              match:
                routes: [{path: "/x/:id"}, {path: /y}]
                methods: [POST, GET]
                scheme: https
                hosts: [{type: exact, value: A.example}, {type: glob, value: "b*.example"},
                  {type: regex, value: "^c[0-9]$"}, {type: wildcard, value: "*.d.example"}]
              execute: [{authenticator: a}]
            - {id: two, match: {routes: [{path: /**}]}, execute: [{authenticator: a}]}
            - {id: three, match: {routes: [{path: /z}], scheme: http}, execute: [{authenticator: a}]}
            """), problems).set().flatMap(set -> RouteIndex.<Rule>empty().with(List.of(set), problems))
        .orElseThrow(() -> new AssertionError(Catalogues.reported(problems)));
    assertEquals(List.of(
        "/x/:id [a.example, *.d.example, b*.example, /^c[0-9]$/] [GET, POST] https one",
        "/y [a.example, *.d.example, b*.example, /^c[0-9]$/] [GET, POST] https one",
        "/** [*] []  two", "/z [*] [] http three"),
        index.listed().stream().map(route -> route.path() + " " + route.hosts() + " " + route.methods() + " "
            + route.scheme() + " " + route.value().id()).toList());
  }
}
