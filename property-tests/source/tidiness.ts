/** What the sources must not say, and where. Patterns are written so that this file does not match itself. */
export interface SourceFile {
  /** Relative to the top of the repository, with forward slashes. */
  readonly path: string;
  readonly text: string;
}

export interface Rule {
  readonly name: string;
  readonly why: string;
  readonly appliesTo: (path: string) => boolean;
  /** What is wrong with the file: an excerpt each, empty when it is tidy. */
  readonly find: (file: SourceFile) => readonly string[];
  /** A file that the rule must catch. */
  readonly canary: SourceFile;
}

const isScript = (path: string): boolean => /\.(tsx?|mjs)$/u.test(path);
const isSource = (path: string): boolean => path.startsWith('src/') && /\.tsx?$/u.test(path);
const anywhere = (): boolean => true;

/** Each match with its line number. */
function lines(pattern: RegExp): Rule['find'] {
  return ({ text }) =>
    text
      .split('\n')
      .flatMap((line, index) => (pattern.test(line) ? [`line ${index + 1}: ${line.trim().slice(0, 120)}`] : []));
}

const baseName = (path: string): string => (path.split('/').at(-1) ?? path).replace(/\..*$/u, '');
const emptyWords = ['util', 'utils', 'helper', 'helpers', 'common', 'misc', 'manager', 'types'];
const emptyNames = [...emptyWords, 'index', 'data', 'info', 'process', 'current', 'latest'];
const topLevel = [
  'package.json',
  'package-lock.json',
  'tsconfig.json',
  'README.md',
  'LICENSE',
  'src',
  'workflows',
  'fixtures',
  'property-tests',
  'docs',
];

export const rules: readonly Rule[] = [
  {
    name: 'the top level is fixed',
    why: `it holds ${topLevel.join(', ')} and dot-files, nothing else (tool configuration lives in package.json or .config)`,
    appliesTo: anywhere,
    find: ({ path }) => {
      const top = path.split('/')[0] ?? path;
      return top.startsWith('.') || topLevel.includes(top) ? [] : [top];
    },
    canary: { path: 'scripts/deploy.sh', text: '\n' },
  },
  {
    name: 'scripts have kebab-case names',
    why: 'one way to write a name, on every file system',
    appliesTo: isScript,
    find: ({ path }) =>
      /^[a-z0-9]+(-[a-z0-9]+)*(\.(test|config|smoke|bench))?\.(tsx?|mjs)$/u.test(path.split('/').at(-1) ?? '')
        ? []
        : [path],
    canary: { path: 'src/base/byteBudget.ts', text: '\n' },
  },
  {
    name: 'a file is named for what it exports',
    why: `these names say nothing of what is inside: ${emptyNames.join(', ')}`,
    appliesTo: isScript,
    find: ({ path }) => {
      const name = baseName(path);
      return emptyNames.includes(name) || emptyWords.includes(name.split('-').at(-1) ?? '') ? [path] : [];
    },
    canary: { path: 'src/log/segment-utils.ts', text: '\n' },
  },
  {
    name: 'exported names use our words',
    why: 'manager, helper, utils and info name nothing; process, manage, current and latest have better words in docs/glossary.md',
    appliesTo: isSource,
    find: lines(
      /^export (async )?(const|function|class|type|interface) (\w*(Manager|Helpers?|Utils?|Info)\b|(process|manage|current|latest|handleEverything)([A-Z]\w*)?\b)/u,
    ),
    canary: { path: 'src/log/lock.ts', text: 'export class LockManager {}\n' },
  },
  {
    name: 'no barrels',
    why: 'an import names the file that holds the thing, so that a border crossing can be seen',
    appliesTo: isSource,
    find: lines(/^export\s+(type\s+)?(\*|\{[^}]*\})(\s+as\s+\w+)?\s+from\b/u),
    canary: { path: 'src/log/all.ts', text: `export { open } from './open.js';\n` },
  },
  {
    name: 'nothing unfinished',
    why: 'what is left for later is an issue, not a comment',
    appliesTo: (path) => isScript(path) || path.startsWith('.ci/'),
    find: lines(/\b(TO[D]O|FIX[M]E|X[X]X|HAC[K])\b|\b(not implemente[d]|for no[w]\b|stubbe[d])/u),
    canary: { path: 'src/log/open.ts', text: `// ${'TO'}${'DO'}: sync the folder\n` },
  },
  {
    name: 'no way around the types',
    why: 'parse with a schema, or narrow; a cast hides the bug that the type would show',
    appliesTo: isSource,
    find: lines(/@ts-(ignor[e]|expect-erro[r]|nochec[k])|\bas an[y]\b|\bas unknow[n] as\b|<an[y]>/u),
    canary: { path: 'src/log/open.ts', text: `const line = value as ${'unknown'} as Line;\n` },
  },
  {
    name: 'no other bounds than those of the test',
    why: 'files of tests share a process: `withinLimits` puts back what it changes',
    appliesTo: (path) => /\.(?:test\.ts|ts)$/u.test(path) && path !== 'property-tests/worlds/within-limits.ts',
    find: lines(/Object\.assig[n]\(limits\b|\blimits\.\w+ =[^=]/u),
    canary: { path: 'src/log/open.test.ts', text: `Object.${'assign'}(limits, { line: 10 });\n` },
  },
  {
    name: 'no way around the lint',
    why: 'a rule that is wrong is changed in .oxlintrc.json, for everyone and with a reason',
    appliesTo: isScript,
    find: lines(/\b(eslint|oxlint)-disabl[e]/u),
    canary: { path: 'src/log/open.ts', text: `// oxlint-${'disable'}-next-line no-empty\n` },
  },
  {
    name: 'no fault is swallowed',
    why: 'an empty catch hides a fault; name the fault that may be passed over, and why',
    appliesTo: isScript,
    find: ({ text }) => text.match(/catch\s*(\([^)]*\))?\s*\{\s*\}/gu) ?? [],
    canary: { path: 'src/log/open.ts', text: `try { open(); } ${'catch'} {}\n` },
  },
  {
    name: 'every test runs',
    why: 'a test that is left out proves nothing, and one that runs alone hides the others',
    appliesTo: (path) => path.endsWith('.test.ts'),
    find: lines(/\b(it|test|describe)\.(onl[y]|ski[p]|tod[o]|fail[s])\b|\b(x|f)(it|describe)\(/u),
    canary: { path: 'src/log/open.test.ts', text: `it.${'only'}('opens', () => {});\n` },
  },
  {
    name: 'no path of a machine',
    why: 'the project must read the same on every machine',
    appliesTo: anywhere,
    find: lines(/(?<![\w.~-])\/(work|root)\/[\w.]|(?<![\w.~-])\/(home|Users)\/(?!you\b|ann\b|someone\b)[a-z]/u),
    canary: { path: 'docs/notes.md', text: `See ${'/ro'}ot/project.\n` },
  },
  {
    name: 'no registry and no private source',
    why: 'packages come from whatever registry the machine is set to; the lock file names none',
    appliesTo: anywhere,
    find: lines(/"resolve[d]":|\bregistry\.(npmj[s]|yarnpk[g]|npmmirro[r])|artifactor[y]|verdacci[o]|_authToke[n]/u),
    canary: { path: 'package-lock.json', text: `  "${'resolved'}": "http://packages.example/zod.tgz",\n` },
  },
  {
    name: 'no pointer to what a reader does not have',
    why: 'design notes outside the repository are not for its readers; say the thing here',
    appliesTo: anywhere,
    find: lines(/\bshared\/(design|referenc[e]|seed[s]|hook[s]|READM[E])/u),
    canary: { path: 'docs/notes.md', text: `As ${'shared/'}design has it.\n` },
  },
  {
    name: 'text files end with one newline and have no carriage returns',
    why: 'diffs and merges stay clean',
    appliesTo: (path) => !path.startsWith('fixtures/'),
    find: ({ text }) =>
      text === '' || (/[^\n]\n$/u.test(text) && !text.includes('\r')) ? [] : ['its last bytes, or a carriage return'],
    canary: { path: 'docs/notes.md', text: 'no newline' },
  },
];

/** Tests in src/ that stand beside nothing; a law that spans rooms belongs in property-tests. */
export function orphanTests(paths: readonly string[]): string[] {
  const known = new Set(paths);
  return paths.filter(
    (path) =>
      path.startsWith('src/') &&
      path.endsWith('.test.ts') &&
      !['.ts', '.tsx'].some((end) => known.has(path.replace(/\.test\.ts$/u, end))),
  );
}
