/** Long-lived exchanges in progress, which end with the credential, the rule or the lock that they depend on. */
package portcullis.serve.stream;
