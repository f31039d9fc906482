/** Debug tokens, and the explanations of requests that carried one. */
package portcullis.serve.debug;
