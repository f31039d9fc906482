/** IP addresses and networks as texts say them; no name is ever looked up. */
package portcullis.lang.address;
