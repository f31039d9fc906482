/** The console: pages for operators on the management service, protected by mechanisms as rules are. */
package portcullis.serve.console;
