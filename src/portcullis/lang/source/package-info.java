/** Where a text of the configuration came from, and what is wrong with it: positions, problems, suggestions. */
package portcullis.lang.source;
