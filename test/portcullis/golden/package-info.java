/** All rows of the corpora in one run. */
package portcullis.golden;
