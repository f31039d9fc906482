/** The types of error handlers: what is answered where a request does not pass. */
package portcullis.policy.errorhandler;
