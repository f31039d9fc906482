package portcullis.serve.redis;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.time.InstantSource;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import portcullis.config.Yaml;
import portcullis.crypto.keys.KeyRings;
import portcullis.lang.source.Problem;
import portcullis.lang.source.Problems;
import portcullis.lang.source.SourceFile;
import portcullis.observe.telemetry.Level;
import portcullis.observe.telemetry.Log;
import portcullis.observe.telemetry.LogFormat;
import portcullis.observe.telemetry.LogWriter;

class RedisSettingsTest {
  /** All that is said of the settings, warnings too. */
  private static String reported(String type, String settings, boolean tlsOnly) {
    Problems problems = new Problems();
    InstantSource clock = InstantSource.system();
    Log log = new Log(Level.DISABLED, LogFormat.TEXT, new LogWriter(new ByteArrayOutputStream()), clock, "");
    Yaml.read(new SourceFile("f", "{" + settings + "}"), problems)
        .flatMap(node -> RedisSettings.TYPES.get(type).decode(node, problems))
        .flatMap(s -> s.cache(tlsOnly, new KeyRings(clock), clock, log, problems)).ifPresent(RedisCache::close);
    return problems.sorted().stream().map(Problem::text).collect(Collectors.joining("; "));
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', quoteCharacter = '~', value = {
    "redis|address: 'redis.local:6379', secret: 0123456789abcdef",
    "redis|address: redis.local, db: 15, secret: 0123456789abcdef, credentials: {username: u, password: p}, "
        + "timeout: {write: 500ms, read: 2s, idle: 5m}",
    "redis|address: '[::1]:6379', secret: 0123456789abcdef, tls: {min_version: TLS1.2}",
    "redis|address: a, secret: 0123456789abcdef, tls: {min_version: TLS1.2, cipher_suites: "
        + "[TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256]}",
    "redis-sentinel|nodes: [a], master: m, secret: 0123456789abcdef, sentinel_credentials: {username: u, password: "
        + "p}",
    "redis-cluster|nodes: ['a:1', 'b:2'], secret: 0123456789abcdef",
    "redis-sentinel|nodes: [a, b], master: m, db: 2, secret: 0123456789abcdef",
  })
  void acceptsWhatHeimdallAccepts(String type, String settings) {
    assertEquals("", reported(type, settings, true));
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', quoteCharacter = '~', value = {
    "redis|secret: 0123456789abcdef|`address` is missing",
    "redis|address: 'a b'|address: `a b` is not an address, as `redis.local:6379`",
    "redis|address: a, db: -1|db: `-1` is out of range, 0 to 1000000 is right",
    "redis|address: a, nodes: [b]|unknown key `nodes`",
    "redis|address: a, secret: short|secret: must have at least 16 characters",
    "redis-cluster|nodes: []|nodes: ",
    "redis-cluster|nodes: [a], db: 1|unknown key `db`",
    "redis-sentinel|nodes: [a]|`master` is missing",
    "redis|address: a, credentials: {}|credentials: either `path` is needed, or `password`, with `username` or "
        + "without",
    "redis|address: a, credentials: {username: x}|warning: credentials: `username` has no effect without `password`",
    "redis|address: a, credentials: {path: x, password: y}|credentials: either `path` is needed",
    "redis|address: a, credentials: {path: /no/such/file}|credentials.path: the file `/no/such/file` cannot be read",
    "redis|address: a, tls: {key_store: {path: /no/such/file}}|tls.key_store.path: key store `/no/such/file`: "
        + "there is no such file",
    "redis|address: a, tls: {trust_store: /no/such/file}|tls.trust_store: trust store `/no/such/file`: there is no "
        + "such file",
    "redis|address: a, tls: {min_version: TLS1.1}|tls.min_version: ",
    "redis|address: a, timeout: {write: 11s}|warning: timeout.write: counts as 10s, the maximum",
    "redis|address: a, buffer_limit: {read: 1kB}|warning: buffer_limit: `buffer_limit` has no effect here, remove it",
    "redis|address: a, client_cache: {ttl: 1m}|warning: client_cache: `client_cache` has no effect here, remove it",
    "redis|address: a, max_flush_delay: 1ms|warning: max_flush_delay: `max_flush_delay` has no effect here, remove "
        + "it",
    "redis|address: a, timeout: {read: 11s}|f:1:30: warning: timeout.read: counts as 10s, the maximum",
    "redis|address: a, timeout: {read: 1s, idle: 0s}|warning: timeout.idle: counts as 60s",
    "redis|address: a, tls: {key_id: x}|warning: tls.key_id: `key_id` has no effect here, without `key_store`",
    "redis|address: a, tls: {cipher_suites: [TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256]}|warning: tls.cipher_suites: "
        + "`cipher_suites` has no effect here",
    "redis|address: a, tls: {min_version: TLS1.2, cipher_suites: [TLS_RSA_WITH_NULL_MD5]}|tls.cipher_suites[0]: ",
    "redis|address: a, tls: {disabled: true, trust_store: x}|warning: tls: its other keys have no effect here, as "
        + "`disabled` is true",
    "redis-sentinel|nodes: [a], master: m, sentinel_credentials: {username: x}|warning: sentinel_credentials: "
        + "`username` has no effect",
    "redis-sentinel|nodes: [a], master: m, sentinel_credentials: {path: /no/such/file}|sentinel_credentials.path: "
        + "the file `/no/such/file` cannot be read",
    "redis|address: a, sentinel_credentials: {password: x}|unknown key `sentinel_credentials`",
    "redis|address: a|f:1:1: warning: cache.config: with write access to Redis decisions can be "
        + "forged, and with read access tokens can be obtained",
    "redis|address: a, tls: {disabled: true}|cache.config.tls.disabled: must be false",
  })
  void saysWhatIsWrongAndWhere(String type, String settings, String problem) {
    String reported = reported(type, settings, true);
    assertTrue(reported.contains(problem), reported);
  }

  @Test
  void secretsAreNotShown() {
    Problems problems = new Problems();
    String shown = Yaml.read(new SourceFile("f", "{address: a, secret: canary-canary-canary, credentials: {password: "
        + "canary}}"), problems)
        .flatMap(node -> RedisSettings.TYPES.get("redis").decode(node, problems)).orElseThrow().toString();
    assertFalse(shown.contains("canary"), shown);
  }
}
