/** Which rule a request means: patterns of hosts and paths, conditions, the index that finds the most specific one. */
package portcullis.policy.route;
