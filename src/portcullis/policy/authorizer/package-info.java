/** The types of authorizers: whether who asks may have it. */
package portcullis.policy.authorizer;
