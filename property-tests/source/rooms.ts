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
  /** A big room has folders. Each names the folders of the same room that it may import; `.` is what lies in no folder. */
  readonly folders?: Readonly<Record<string, Folder>>;
  /** The folders and files of a room that other rooms may import, where that is not all of it. */
  readonly doors?: readonly string[];
}

export interface Folder {
  readonly holds: string;
  readonly imports: readonly string[];
  /** The one file of other folders through which this folder is reached, relative to the room. */
  readonly onlyFrom?: string;
}

/** A room with more files than this has folders. */
export const limitOfFlatRooms = 45;

export const rooms: Readonly<Record<string, Room>> = {
  base: {
    pure: true,
    imports: [],
    holds: 'results, ids, canonical JSON, digests, limits',
    folders: {
      '.': { imports: [], holds: 'results, ids, canonical JSON, digests, limits' },
      patch: {
        imports: ['.'],
        holds: 'documents that are changed in place by operations, and what differs between two',
      },
    },
  },
  events: { pure: true, imports: ['base'], holds: 'the closed set of facts, their schemas and codec' },
  definitions: {
    pure: true,
    imports: ['base', 'secrets'],
    holds: 'workflow source, compiled workflow, pin, expressions',
    folders: {
      '.': {
        imports: ['source', 'compiled', 'expand', 'check', 'workrail-json'],
        holds: 'a file to a compiled workflow',
      },
      source: { imports: ['compiled'], holds: 'the text of a file, its places, its shape, what is said of it' },
      compiled: { imports: [], holds: 'compiled workflows, their places and pins' },
      expression: { imports: ['source', 'compiled'], holds: 'conditions and texts with holes' },
      contracts: { imports: ['compiled', 'expression'], holds: 'what output must be: schemas, packs, rules of notes' },
      expand: { imports: ['source', 'compiled', 'expression', 'contracts'], holds: 'source to compiled workflow' },
      check: {
        imports: ['source', 'compiled', 'expression', 'contracts', 'expand'],
        holds: 'what no schema can say about a file',
      },
      'workrail-json': {
        imports: ['source', 'compiled', 'expression', 'contracts', 'expand', 'check'],
        holds: 'the older WorkRail JSON format',
        onlyFrom: 'compile-source.ts',
      },
    },
  },
  catalogs: {
    pure: true,
    imports: ['base', 'secrets', 'definitions'],
    holds: 'API documents to operations, requests of them, and the search for one',
  },
  engine: { pure: true, imports: ['base', 'definitions'], holds: 'which step comes next' },
  sessions: {
    pure: true,
    imports: ['base', 'events'],
    holds: 'folds of the events: runs, tips, context, recap, ranking',
    folders: {
      '.': { imports: ['states'], holds: 'runs, tips, context, recap, ranking' },
      states: { imports: [], holds: 'documents that agents share: versions, heads, values' },
    },
  },
  secrets: {
    pure: true,
    imports: ['base', 'events'],
    holds: 'what looks like a credential, and events without it',
  },
  decide: {
    pure: true,
    imports: ['base', 'events', 'secrets', 'definitions', 'engine', 'sessions'],
    holds: 'request, folded session and pin to events or a rejection',
    folders: {
      '.': { imports: ['states'], holds: 'what agents and people ask' },
      commands: { imports: ['.', 'states'], holds: 'what WorkRail does itself' },
      states: { imports: [], holds: 'what is written to shared states, and how heads are merged' },
    },
  },
  tokens: { pure: true, imports: ['base'], holds: 'sealing and opening opaque handles' },
  contract: {
    pure: true,
    imports: ['base'],
    holds: 'wire schemas, tool descriptions, the error catalogue',
    folders: {
      '.': { imports: ['tools'], holds: 'requests, answers, errors, the API of the page' },
      tools: { imports: [], holds: 'sets of tools that are offered where they are asked for' },
    },
  },
  respond: {
    pure: true,
    imports: ['base', 'events', 'contract', 'tokens', 'definitions', 'sessions'],
    holds: 'answers and stories, from nothing but folded events and pins',
    folders: {
      '.': { imports: [], holds: 'what agents are answered, and what people read' },
      author: { imports: ['.'], holds: 'what whoever writes workflows is told' },
      catalogs: { imports: ['.'], holds: 'what is told of catalogs and their commands' },
      graph: { imports: ['.'], holds: 'the shape of a run, and the steps that are still to come' },
      runs: { imports: ['.'], holds: 'where runs stand, for whoever follows them' },
      states: { imports: [], holds: 'what is told of shared states' },
    },
  },
  render: {
    pure: true,
    imports: ['base', 'contract'],
    holds: 'what agents and people read, as text, Markdown and HTML',
    folders: {
      '.': { imports: [], holds: 'the story of a session as Markdown and HTML' },
      answers: { imports: ['.'], holds: 'the answers to agents, as text' },
    },
  },
  bundles: {
    pure: true,
    imports: ['base', 'events', 'definitions'],
    holds: 'building and verifying portable sessions',
  },
  files: { pure: false, imports: ['base'], holds: 'files that are whole or not there, and what the system says' },
  machine: {
    pure: false,
    imports: ['base', 'files'],
    holds: 'what is of this machine: data folders, keys, preferences, repositories',
  },
  log: {
    pure: false,
    imports: ['base', 'events', 'files', 'machine'],
    holds: 'the only writer of session folders',
    doors: ['port', 'file-store.ts'],
    folders: {
      '.': {
        imports: ['port', 'files', 'segments', 'reading', 'locks', 'looks', 'carry', 'care', 'running'],
        holds: 'sessions as folders: read, append, let go',
      },
      port: { imports: [], holds: 'what may be asked of a log, whatever it is kept in' },
      files: { imports: ['port'], holds: 'the folders of a data root' },
      segments: { imports: ['port', 'files'], holds: 'one segment, its lines and its pins' },
      reading: { imports: ['port', 'files', 'segments'], holds: 'all segments of a session to one state' },
      locks: { imports: ['port', 'files'], holds: 'whose turn it is' },
      looks: {
        imports: ['port', 'files', 'segments', 'locks'],
        holds: 'which sessions have changed, and where they are',
      },
      carry: {
        imports: ['port', 'files', 'segments', 'reading', 'looks'],
        holds: 'sessions that come, go and are taken away',
      },
      running: { imports: ['port', 'files', 'segments'], holds: 'claims and blobs of work under way' },
      care: {
        imports: ['port', 'files', 'segments', 'reading', 'locks', 'looks', 'carry'],
        holds: 'examine, repair, redact',
      },
    },
  },
  library: {
    pure: false,
    imports: ['base', 'files', 'definitions', 'catalogs'],
    holds: 'finding, reading and saving workflow files, and reading API documents',
  },
  calls: {
    pure: false,
    imports: ['base', 'catalogs', 'secrets', 'files'],
    holds: 'the only one that asks other servers: addresses, secrets, retries',
  },
  requests: {
    pure: false,
    imports: [
      'base',
      'events',
      'secrets',
      'definitions',
      'catalogs',
      'calls',
      'engine',
      'sessions',
      'decide',
      'tokens',
      'contract',
      'respond',
      'render',
      'bundles',
      'files',
      'machine',
      'log',
      'library',
    ],
    holds: 'a file for each request: where pure meets effect',
    folders: {
      '.': {
        imports: [
          'world',
          'answers',
          'commands',
          'steps',
          'runs',
          'workflows',
          'author',
          'catalogs',
          'states',
          'read',
          'tasks',
          'carry',
          'care',
        ],
        holds: 'every request by its name',
      },
      world: { imports: [], holds: 'what every request stands on: environment, sessions, register' },
      answers: { imports: ['world'], holds: 'what waits for a person, and what they answer' },
      commands: {
        imports: ['world', 'answers'],
        holds: 'the steps that WorkRail does itself, and the runs they are part of',
      },
      steps: { imports: ['world', 'answers', 'commands'], holds: 'what an agent does' },
      tasks: {
        imports: ['world', 'answers', 'commands', 'steps', 'runs', 'read'],
        holds: 'calls that are asked for again by a handle',
      },
      runs: {
        imports: ['world', 'answers', 'commands', 'steps', 'author', 'read', 'care'],
        holds: 'runs, started and followed by agents',
      },
      workflows: { imports: ['world', 'steps'], holds: 'workflow files, listed, shown and checked' },
      author: { imports: ['world', 'steps', 'workflows'], holds: 'workflow files, written by agents' },
      catalogs: { imports: ['world', 'author'], holds: 'API documents, and the commands that workflows find in them' },
      states: { imports: ['world', 'steps'], holds: 'documents that agents share, and the schemas that they fit' },
      read: { imports: ['world', 'steps'], holds: 'what people read' },
      carry: { imports: ['world'], holds: 'export, import, move' },
      care: { imports: ['world', 'steps'], holds: 'doctor, redact, prune, and what people add' },
    },
  },
  mcp: {
    pure: false,
    imports: ['base', 'contract', 'requests'],
    holds: 'the door for agents: MCP over stdio and HTTP',
  },
  http: {
    pure: false,
    imports: ['base', 'contract', 'requests'],
    holds: 'the door for the page: its API, live events, its files',
  },
  cli: {
    pure: false,
    imports: ['base', 'contract', 'render', 'requests', 'mcp', 'http', 'files', 'library'],
    holds: 'the door for people and scripts; puts everything together',
    folders: {
      '.': {
        imports: ['print', 'shell', 'run', 'runs', 'catalogs', 'states', 'sessions', 'care', 'serve'],
        holds: 'the program and its commands',
      },
      print: { imports: [], holds: 'what a terminal shows' },
      shell: { imports: ['print'], holds: 'arguments, exit codes, questions, help' },
      run: { imports: ['print', 'shell', 'sessions'], holds: 'commands that walk a workflow' },
      runs: { imports: ['print', 'shell', 'run'], holds: 'commands that run a workflow, and follow it' },
      catalogs: { imports: ['print', 'shell'], holds: 'commands about APIs and what they offer' },
      states: { imports: ['print', 'shell'], holds: 'commands about shared states and their schemas' },
      sessions: { imports: ['print', 'shell'], holds: 'commands that show sessions' },
      care: { imports: ['print', 'shell'], holds: 'commands that carry and look after sessions' },
      serve: { imports: ['print', 'shell', 'demo'], holds: 'servers, and how a client is told of them' },
      demo: { imports: ['print', 'shell'], holds: 'workrail demo' },
    },
  },
  // Of base it takes what only makes words: the printer of commands, plurals.
  dashboard: {
    pure: false,
    imports: ['base', 'contract', 'render'],
    holds: 'the web page: browser code, built by Vite',
  },
};

/** Where each package may be imported: a room, or the start of a file's path below src/. A new dependency is one more line. */
export const packages: Readonly<Record<string, readonly string[]>> = {
  'fast-json-stable-stringify': ['base'],
  'fastest-levenshtein': ['base', 'tokens'],
  zod: ['base', 'events', 'definitions', 'catalogs', 'contract', 'bundles', 'calls/read-secrets'],
  '@marcbachmann/cel-js': ['definitions/expression/'],
  re2js: ['definitions'],
  yaml: ['definitions', 'catalogs/parse-document'],
  '@seriousme/openapi-schema-validator': ['library/strict-warnings'],
  ajv: ['definitions'],
  chokidar: ['library', 'log'],
  'tar-stream': ['bundles'],
  ndjson: ['cli'],
  micromark: ['render', 'dashboard'],
  'micromark-extension-gfm': ['render', 'dashboard'],
  'string-width': ['cli'],
  'wrap-ansi': ['cli'],
  'jsonc-parser': ['cli', 'definitions'],
  'smol-toml': ['cli'],
  'proper-lockfile': ['log', 'files'],
  '@modelcontextprotocol/sdk': ['mcp'],
  '@modelcontextprotocol/server': ['mcp'],
  hono: ['http'],
  '@hono/node-server': ['http'],
  ws: ['http'],
  react: ['dashboard'],
  'react-dom': ['dashboard'],
  '@tanstack/react-query': ['dashboard'],
  '@tanstack/react-virtual': ['dashboard'],
  diff: ['dashboard/compare/word-difference'],
  undici: ['calls/'],
  'ipaddr.js': ['calls/address-rules'],
  'highlight.js': ['dashboard/parts/highlight-code'],
  lowlight: ['dashboard/parts/highlight-code'],
};

/** Node's own modules that compute and touch nothing. `crypto` is narrowed to digests by the lint. */
export const pureBuiltins: readonly string[] = ['buffer', 'crypto', 'string_decoder', 'util', 'zlib'];

/** Nothing happens behind the user's back: who may start a process or open a socket. */
export const narrowBuiltins: Readonly<Record<string, readonly string[]>> = {
  child_process: ['cli/demo/', 'cli/serve/open-in-browser', 'cli/serve/client-command'],
  cluster: [],
  dgram: [],
  dns: ['calls/connect-checked'],
  http: ['http', 'cli/demo/small-github'],
  http2: [],
  https: [],
  inspector: [],
  net: ['http'],
  tls: [],
  vm: [],
  worker_threads: ['library/read-catalog', 'library/catalog-worker'],
};
