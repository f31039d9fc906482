/** Shadow rules: requests that were decided are decided again by other rules, and the decisions are compared. */
package portcullis.serve.shadow;
