/**
 * The decision: one immutable snapshot per request, the permit that only the decider creates, and the responses to
 * refused requests.
 */
package portcullis.policy.decision;
