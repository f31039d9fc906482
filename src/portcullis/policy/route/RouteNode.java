package portcullis.policy.route;

/** Where a search comes to: a fork, or routes of one pattern that goes on alone; immutable. */
sealed interface RouteNode<V> extends Edges.Kind<V> permits Fork, Candidates {}
