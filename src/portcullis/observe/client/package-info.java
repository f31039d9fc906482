/** HTTP clients that trace, measure or log the calls of another client. */
package portcullis.observe.client;
