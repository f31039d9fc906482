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
 * The documents of all metadata addresses of a definition: one, or one for each issuer. Thread safe; at most a
 * thousand. Addresses that never had a document are not kept, so that made-up issuers evict none.
 */
final class MetadataDocuments {
  private static final int MAX_DOCUMENTS = 1000;

  private final Map<CacheKey, MetadataDocument> documents = new ConcurrentHashMap<>();
  private final int maxDocuments;

  MetadataDocuments() {
    this(MAX_DOCUMENTS);
  }

  MetadataDocuments(int maxDocuments) {
    this.maxDocuments = maxDocuments;
  }

  /**
   * Returns the metadata of an issuer.
   *
   * @param stale how long the last good document is used while the issuer fails
   */
  ServerMetadata find(MetadataEndpoint at, Value.Dict scope, Duration stale, MechanismContext context) throws Failure {
    EndpointRequest request = at.request(scope);
    CacheKey id = at.endpoint().key("metadata", request, List.of(), context.caller());
    if (documents.size() >= maxDocuments && !documents.containsKey(id)) {
      documents.clear();
    }
    MetadataDocument document = documents.computeIfAbsent(id,
        _ -> new MetadataDocument(request.address(), context.steady(), context.log(), context.caller()::bridge));
    try {
      return document.find(() -> at.document(request, context), bytes -> at.read(bytes, request.target(), context),
          stale);
    } finally {
      if (!document.wasGood()) {
        documents.remove(id, document);
      }
    }
  }

  void clear() {
    documents.clear();
  }

  int size() {
    return documents.size();
  }
}
