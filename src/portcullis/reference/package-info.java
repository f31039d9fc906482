/** The reference pages, generated from the declarations of the program; help prints the same. */
package portcullis.reference;
