/** A remote party as configured: URL, method, header fields, credentials, retries and limits. */
package portcullis.policy.endpoint;
