/** Which rule a request means: patterns of hosts and paths, conditions, and an index that finds the most specific one. */
package portcullis.route;
