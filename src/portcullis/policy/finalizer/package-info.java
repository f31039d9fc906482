/** The finalizer types, which add to the request for the upstream. */
package portcullis.policy.finalizer;
