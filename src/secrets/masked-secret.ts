/** Enough of a secret to know it by, and never more than a fifth of it. */
export function maskedSecret(secret: string): string {
  return `${secret.slice(0, Math.min(6, Math.floor(secret.length / 5)))}… (${secret.length} characters)`;
}
