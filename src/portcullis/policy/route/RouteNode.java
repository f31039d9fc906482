package portcullis.policy.route;

/** The result of a step of a search: a fork, or routes of one pattern that goes on alone; immutable. */
sealed interface RouteNode<V> extends Edges.Kind<V> permits Fork, Candidates {}
