/**
 * The rooms of src/, as data: what lives where, who may import whom, and who may touch the world.
 * A new room is one more entry here; see docs/CONTRIBUTING.md.
 */
export interface Room {
  /** Said to whoever crosses a border. */
  readonly holds: string;
  readonly imports: readonly string[];
  /** A pure room has no clock, no randomness, no environment, no timers and no files: the border draws those once and passes them in. */
  readonly pure: boolean;
}

export const rooms: Readonly<Record<string, Room>> = {
  base: { pure: true, imports: [], holds: 'words that every room needs' },
  events: { pure: true, imports: ['base'], holds: 'the closed set of facts, their schemas and codec' },
  definitions: { pure: true, imports: ['base'], holds: 'workflow source, compiled workflow, pin, expressions' },
  engine: { pure: true, imports: ['base', 'definitions'], holds: 'which step comes next' },
  sessions: { pure: true, imports: ['base', 'events'], holds: 'folds of the events' },
  decide: {
    pure: true,
    imports: ['base', 'events', 'definitions', 'engine', 'sessions'],
    holds: 'request, folded session and pin to events or a rejection',
  },
  tokens: { pure: true, imports: ['base'], holds: 'sealing and opening opaque handles' },
  contract: { pure: true, imports: ['base'], holds: 'wire schemas, tool descriptions, the error catalogue' },
  respond: {
    pure: true,
    imports: ['base', 'events', 'contract', 'tokens', 'definitions', 'sessions'],
    holds: 'answers, from nothing but folded events and pins',
  },
  render: { pure: true, imports: ['base', 'contract'], holds: 'the story of a session as Markdown and HTML' },
  bundles: {
    pure: true,
    imports: ['base', 'events', 'definitions'],
    holds: 'building and verifying portable sessions',
  },
  log: { pure: false, imports: ['base', 'events'], holds: 'the only writer of session folders' },
  library: { pure: false, imports: ['base', 'definitions'], holds: 'finding, reading and saving workflow files' },
  requests: {
    pure: false,
    imports: [
      'base',
      'events',
      'definitions',
      'engine',
      'sessions',
      'decide',
      'tokens',
      'contract',
      'respond',
      'render',
      'bundles',
      'log',
      'library',
    ],
    holds: 'the one place where pure meets effect',
  },
  mcp: { pure: false, imports: ['base', 'contract', 'requests'], holds: 'the MCP door' },
  http: { pure: false, imports: ['base', 'contract', 'requests'], holds: 'the HTTP door' },
  cli: {
    pure: false,
    imports: ['base', 'contract', 'render', 'requests', 'mcp', 'http', 'log', 'library'],
    holds: 'the composition root and the third door',
  },
  dashboard: { pure: false, imports: ['contract', 'render'], holds: 'browser code' },
};

/** Where each package may be imported: a room, or the start of a file's path below src/. A new dependency is one more line. */
export const packages: Readonly<Record<string, readonly string[]>> = {
  'fast-json-stable-stringify': ['base'],
  'fastest-levenshtein': ['base', 'tokens'],
  zod: ['base', 'events', 'definitions', 'contract', 'bundles'],
  '@marcbachmann/cel-js': ['definitions/expression'],
  re2js: ['definitions'],
  yaml: ['definitions'],
  ajv: ['definitions'],
  chokidar: ['library', 'log'],
  'tar-stream': ['bundles'],
  ndjson: ['bundles', 'cli'],
  micromark: ['render', 'dashboard'],
  'micromark-extension-gfm': ['render', 'dashboard'],
  'string-width': ['cli'],
  'wrap-ansi': ['cli'],
  'jsonc-parser': ['cli'],
  'smol-toml': ['cli'],
  'proper-lockfile': ['log'],
  '@modelcontextprotocol/sdk': ['mcp'],
  hono: ['http'],
  '@hono/node-server': ['http'],
  react: ['dashboard'],
  'react-dom': ['dashboard'],
  '@tanstack/react-query': ['dashboard'],
  '@tanstack/react-virtual': ['dashboard'],
};

/** Node's own modules that compute and touch nothing. `crypto` is narrowed to digests by the lint. */
export const pureBuiltins: readonly string[] = ['buffer', 'crypto', 'string_decoder', 'util', 'zlib'];

/** Nothing happens behind the user's back: who may start a process or open a socket. */
export const narrowBuiltins: Readonly<Record<string, readonly string[]>> = {
  child_process: ['cli/demo', 'cli/open-in-browser'],
  cluster: [],
  dgram: [],
  dns: [],
  http: ['http'],
  http2: [],
  https: [],
  inspector: [],
  net: ['http'],
  tls: [],
  vm: [],
};
