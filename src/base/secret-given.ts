/** What stands in place of a secret that a person handed over elsewhere: that it was given, never what it is. */
export const secretGiven = '(given by the user, not recorded)';
