const wordsOfExamples =
  /(?:^|[^a-z])(?:your|my|our|some|the|fake|dummy|test|sample|insert|replace|secret|password|passwd|token|user|username|pass|pwd|key|api|here|value|foo|bar|todo|none|null|undefined|true|false)(?=[^a-z]|$)/giu;

/** Whether a value only stands where a secret would: what documentation and templates write, and what was masked already. */
export function isPlaceholder(value: string): boolean {
  // The variable's name is given, not what it holds: $KEY, ${KEY}, {{key}}, <key>, %KEY%, process.env.KEY.
  if (/^(?:\$|\{|<|%[A-Za-z_]+%|\[|process\.env|os\.environ|import\.meta\.env|env\.|vault:|secretref:)/iu.test(value))
    return true;
  if (
    /example|placeholder|redacted|changeme|change[-_]me|x{6}|\*{3}|\.{3}|…|•{3}|(.)\1{7}|0123456789|123456789|abcdefgh/iu.test(
      value,
    )
  )
    return true;
  // What remains when the words that examples are made of are taken away: nothing, or hardly more than marks between them.
  return value.replaceAll(wordsOfExamples, '').replaceAll(/[^A-Za-z0-9]/gu, '').length <= 2;
}
