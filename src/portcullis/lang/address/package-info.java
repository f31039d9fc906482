/** IP addresses and networks, parsed without ever resolving a name. */
package portcullis.lang.address;
