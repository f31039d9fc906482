/** The clock and the random numbers of decisions, which tests replace. */
package portcullis.lang.inputs;
