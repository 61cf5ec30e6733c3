// Every gate of a change, each an npm script of its own. Read by npm run check, by .ci/run and by npm run generate, which
// writes them into docs/CONTRIBUTING.md. Imports nothing: a fresh clone reads it before anything is installed.

/**
 * CI runs all of them in this order, `npm run check` those with `check`. One that takes longer than `seconds` has failed.
 * With `eachTest`, what vitest ran is counted test by test, and a run of no tests has failed.
 */
export const gates = [
  { name: 'formatted', seconds: 60, check: true, checks: 'oxfmt would change nothing' },
  { name: 'types', seconds: 120, check: true, checks: 'sources, tests and laws compile under the strictest settings' },
  {
    name: 'lint',
    seconds: 120,
    check: true,
    checks: 'oxlint with types: floating promises, exhaustive switches, no `any`, purity, lengths',
  },
  {
    name: 'architecture',
    seconds: 120,
    check: true,
    eachTest: true,
    checks: 'rooms import what they may; names, texts and pages tell the truth; each with its canary',
  },
  {
    name: 'unused',
    seconds: 120,
    check: true,
    checks: 'knip: no file, export or dependency that nothing needs, or that only tests need',
  },
  { name: 'generated', seconds: 120, check: true, checks: 'what `npm run generate` writes is up to date' },
  {
    name: 'tests',
    seconds: 1500,
    check: true,
    eachTest: true,
    checks: 'all other tests and laws, on the built program',
  },
  { name: 'page', seconds: 900, eachTest: true, checks: 'the page in a real Chromium' },
  { name: 'shells', seconds: 180, eachTest: true, checks: 'completions in bash, zsh and fish, those that are here' },
  { name: 'faults:smoke', seconds: 600, checks: 'each fault scenario in short, and that it catches its mutants' },
  { name: 'bench:smoke', seconds: 480, checks: 'the shape of what a step costs: counts and growth, no milliseconds' },
  {
    name: 'conformance',
    seconds: 420,
    checks: 'every scenario of the official suite that applies, in both eras, tasks among them',
  },
  { name: 'corpora', seconds: 600, eachTest: true, checks: 'files of others, in `shared/corpora` beside the clone' },
];
