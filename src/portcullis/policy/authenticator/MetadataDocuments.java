package portcullis.policy.authenticator;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import portcullis.lang.value.Value;
import portcullis.policy.cache.CacheKey;
import portcullis.policy.endpoint.EndpointRequest;
import portcullis.policy.mechanism.Failure;
import portcullis.policy.mechanism.MechanismContext;

/**
 * The documents of all metadata addresses that a definition asks: one, or one for each issuer. Thread safe; knows a
 * thousand at most, and none that was never there: made-up issuers drive out nobody.
 */
final class MetadataDocuments {
  private static final int MOST = 1000;

  private final Map<CacheKey, MetadataDocument> documents = new ConcurrentHashMap<>();

  /**
   * What the issuer says of itself.
   *
   * @param stale how long the last good answer is used while the issuer is in trouble
   */
  ServerMetadata find(MetadataEndpoint at, Value.Dict scope, Duration stale, MechanismContext tools) throws Failure {
    EndpointRequest request = at.request(scope);
    CacheKey id = at.endpoint().key("metadata", request, List.of(), tools.caller());
    if (documents.size() >= MOST && !documents.containsKey(id)) {
      documents.clear();
    }
    MetadataDocument document = documents.computeIfAbsent(id,
        _ -> new MetadataDocument(request.address(), tools.steady(), tools.log()));
    try {
      return document.find(() -> at.document(request, tools), bytes -> at.read(bytes, request.target(), tools), stale);
    } finally {
      if (!document.wasGood()) {
        documents.remove(id, document);
      }
    }
  }

  int size() {
    return documents.size();
  }
}
