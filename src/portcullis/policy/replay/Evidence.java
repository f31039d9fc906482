package portcullis.policy.replay;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import portcullis.policy.cache.CacheKey;
import portcullis.policy.mechanism.Subject;

/**
 * The inputs of a decision besides the request.
 *
 * @param subject empty if there was none
 * @param answers of remote services
 * @param cached what was found in the cache
 */
public record Evidence(Optional<Subject> subject, List<? extends CannedAnswer> answers, Map<CacheKey, byte[]> cached) {}
