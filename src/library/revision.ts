/** A file by its bytes: another revision is another text. Of their SHA-256. */
export const revisionOf = (digest: string): string => `rv_${digest.slice(0, 16)}`;
