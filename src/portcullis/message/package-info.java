/** HTTP messages apart from how they travel: fields, targets, authorities, forwarding, and the request that is judged (RFC 9110). */
package portcullis.message;
