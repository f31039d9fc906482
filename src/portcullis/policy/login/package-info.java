/** The OpenID login: the authenticator, its endpoints, sessions and calls to providers. */
package portcullis.policy.login;
