/** The most recent decisions of the process, for operators. */
package portcullis.serve.feed;
