/** Loads rule sets from files and HTTP endpoints, and reports their changes to a listener. */
package portcullis.serve.provider;
