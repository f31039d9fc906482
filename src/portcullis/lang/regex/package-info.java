/** Regular expressions of RE2's syntax, which take linear time, as Go programs use them. */
package portcullis.lang.regex;
