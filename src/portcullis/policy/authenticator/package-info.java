/** The authenticator types, which identify the subject of a request. */
package portcullis.policy.authenticator;
