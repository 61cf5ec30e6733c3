/** Spellings that well-known credentials have and ordinary text has not. */
const shapes: readonly { readonly name: string; readonly pattern: RegExp }[] = [
  { name: 'a private key', pattern: /-----BEGIN (?:[A-Z]+ )*PRIVATE KEY-----/u },
  { name: 'an AWS access key', pattern: /\b(?:AKIA|ASIA)[0-9A-Z]{16}\b/u },
  { name: 'a GitHub token', pattern: /\b(?:gh[pousr]_[A-Za-z0-9]{36}|github_pat_[A-Za-z0-9_]{40,})\b/u },
  { name: 'a GitLab token', pattern: /\bglpat-[A-Za-z0-9_-]{20,}/u },
  { name: 'a Slack token', pattern: /\bxox[abprs]-[A-Za-z0-9-]{10,}/u },
  { name: 'an API key', pattern: /\bsk-(?:ant-|proj-)?[A-Za-z0-9_-]{20,}/u },
  { name: 'a Google API key', pattern: /\bAIza[0-9A-Za-z_-]{35}\b/u },
  { name: 'an npm token', pattern: /\bnpm_[A-Za-z0-9]{36}\b/u },
];

/** The name of the credential that a text seems to hold, if any. */
export function secretIn(text: string): string | undefined {
  return shapes.find(({ pattern }) => pattern.test(text))?.name;
}
