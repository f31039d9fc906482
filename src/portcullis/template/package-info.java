/** Go's templates with the functions that heimdall gives them. */
package portcullis.template;
