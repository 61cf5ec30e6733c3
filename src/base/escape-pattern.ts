/** A text as a regular expression that finds just that. */
export const escapePattern = (text: string): string => text.replaceAll(/[$()*+.?[\\\]^{|}]/gu, String.raw`\$&`);
