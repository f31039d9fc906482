/** The types of authenticators: who asks. */
package portcullis.policy.authenticator;
