/** The types of finalizers: what the upstream is told. */
package portcullis.policy.finalizer;
