package portcullis.policy.decision;

import java.util.Optional;
import portcullis.policy.catalogue.Catalogue;
import portcullis.policy.route.RouteIndex;
import portcullis.policy.rule.Rule;

/**
 * Everything that decides requests; a request keeps the snapshot it started with.
 *
 * @param defaultRule the default rule
 * @param protectedHeaders the header fields and cookies that only rules may set
 */
public record Snapshot(long version, Catalogue catalogue, RouteIndex<Rule> index, Optional<Rule> defaultRule,
    ProtectedHeaders protectedHeaders) {}
