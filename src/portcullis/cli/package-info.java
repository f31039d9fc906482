/** The command line: commands, their arguments, and what they print. */
package portcullis.cli;
