/** The program: its commands, the configuration as a whole, reloading and shutting down. */
package portcullis.cli;
