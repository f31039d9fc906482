package portcullis.policy.decision;

import java.util.Optional;
import portcullis.policy.catalogue.Catalogue;
import portcullis.policy.route.RouteIndex;
import portcullis.policy.rule.Rule;

/**
 * All that requests are judged by; a request keeps the one it began with.
 *
 * @param standard what is done with requests that no rule is for
 * @param managed what only rules may tell upstreams
 */
public record Snapshot(long version, Catalogue catalogue, RouteIndex<Rule> index, Optional<Rule> standard,
    ProtectedHeaders managed) {}
