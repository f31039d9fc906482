/** How often clients may do something: what all rules and configurations of a process have in common. */
package portcullis.policy.limit;
