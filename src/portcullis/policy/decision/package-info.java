/**
 * The decision: one immutable snapshot per request, a permit that only the decider can make, and the answers to
 * refusals.
 */
package portcullis.policy.decision;
