package portcullis.serve.provider;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Optional;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import portcullis.config.Enforcement;
import portcullis.config.Yaml;
import portcullis.lang.source.Problem;
import portcullis.lang.source.Problems;
import portcullis.lang.source.SourceFile;

class ProvidersTest {
  private static String reported(Enforcement enforcement, String yaml) {
    Problems problems = new Problems();
    Optional<Providers> read = Yaml.read(new SourceFile("f", yaml), problems)
        .flatMap(node -> Providers.decoder(enforcement).decode(node, problems));
    assertEquals(read.isEmpty(), problems.hasErrors(), yaml);
    return problems.sorted().stream().map(Problem::text).collect(Collectors.joining("\n"));
  }

  @Test
  void readsBothKinds() {
    assertEquals("", reported(Enforcement.NONE, """
        file_system: {src: rules, watch: true, env_vars_enabled: true}
        http_endpoint:
          watch_interval: 5m
          endpoints:
            - https://a.test/rules.yaml
            - url: http://b.test/rules
              method: POST
              auth: {type: api_key, config: {in: header, name: X-Key, value: secret}}
              http_cache: {enabled: false}
        """));
  }

  @Test
  void kindsOfOthersAreRefusedByNameWithWhatToDoInstead() {
    assertEquals("""
        f:1:1: there is no provider `cloud_blob` in Portcullis, mount the storage and name the folder under \
        `file_system`, \
        or serve it and name its URLs under `http_endpoint`
        f:2:1: there is no provider `kubernetes` in Portcullis, put the rule sets into a ConfigMap, mount it, and \
        name the folder \
        under `file_system` with `watch: true`
        f:3:1: unknown key `file_systm`, did you mean `file_system`?""",
        reported(Enforcement.NONE, "cloud_blob: {buckets: [{url: s3://a}]}\nkubernetes:\nfile_systm: {src: x}\n"));
  }

  @Test
  void endpointsAreRequiredUniqueAndHttpsIfEnforced() {
    assertEquals("f:1:16: http_endpoint: `endpoints` is missing, it is a list of at least 1, each item a URL or a "
        + "mapping: the endpoint of each rule set",
        reported(Enforcement.NONE, "http_endpoint: {watch_interval: 1s}"));
    assertEquals("f:1:28: http_endpoint.endpoints: must contain at least 1 item, each a URL or a mapping",
        reported(Enforcement.NONE, "http_endpoint: {endpoints: []}"));
    assertEquals("f:1:45: http_endpoint.endpoints: `https://a.test` is listed twice",
        reported(Enforcement.NONE, "http_endpoint: {endpoints: [https://a.test, https://a.test]}"));
    assertEquals("f:1:16: http_endpoint: there are several endpoints, with `require_signature` there is one, with a "
        + "signed bundle",
        reported(Enforcement.NONE, "http_endpoint: {endpoints: [https://a.test, https://b.test], require_signature: "
            + "{keys: [a.pub], state: s}}"));
    assertEquals("f:1:29: http_endpoint.endpoints[0]: scheme must be https, or allow http to remote services by"
        + " `--insecure-skip-egress-tls-enforcement`",
        reported(Enforcement.ALL, "http_endpoint: {endpoints: "
            + "[http://a.test]}"));
    assertEquals("f:1:62: http_endpoint.watch_interval: `soon` is not a whole number with a unit of time, write it "
        + "as `500ms`, `5s`, `2m`, `1h`",
        reported(Enforcement.NONE, "http_endpoint: {endpoints: [https://a.test], watch_interval: soon}"));
  }

  @Test
  void reportsInsecureEndpointBesideOtherErrors() {
    assertEquals("""
        f:1:36: http_endpoint.endpoints[0].url: scheme must be https, or allow http to remote services by \
        `--insecure-skip-egress-tls-enforcement`
        f:1:52: http_endpoint.endpoints[0]: unknown key `methd`, did you mean `method`?""",
        reported(Enforcement.ALL, "http_endpoint: {endpoints: [{url: 'http://a.test', methd: GET}]}"));
  }
}
