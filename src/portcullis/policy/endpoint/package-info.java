/** Endpoints of remote services: URL, method, header fields, credentials, retries and limits. */
package portcullis.policy.endpoint;
