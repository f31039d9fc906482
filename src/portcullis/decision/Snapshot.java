package portcullis.decision;

import java.util.Optional;
import portcullis.catalogue.Catalogue;
import portcullis.route.RouteIndex;
import portcullis.rule.Rule;

/**
 * All that requests are judged by; a request keeps the one it began with.
 *
 * @param standard what is done with requests that no rule is for
 * @param managed what only rules may tell upstreams
 */
public record Snapshot(long version, Catalogue catalogue, RouteIndex<Rule> index, Optional<Rule> standard, Managed managed) {}
