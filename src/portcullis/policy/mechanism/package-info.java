/**
 * The contract of mechanisms: the five kinds, the state they pass on, the failures they raise, and what they are given.
 * A kind's signature is its power: a finalizer cannot change the subject, nobody can set the error.
 */
package portcullis.policy.mechanism;
