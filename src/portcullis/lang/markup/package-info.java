/** HTML that is safe to show. */
package portcullis.lang.markup;
