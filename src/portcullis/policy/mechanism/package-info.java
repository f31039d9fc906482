/**
 * The contract of mechanisms: the five kinds, the state that they pass on, their failures, and the services they use.
 * The signature of a kind limits what it can do: a finalizer cannot change the subject, and no mechanism can set the
 * error.
 */
package portcullis.policy.mechanism;
