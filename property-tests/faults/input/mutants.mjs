const cut = (file, found, instead) => ({ file, found, instead });

/** Guards against what comes in, and against what must not get in, each taken out. */
export const inputMutants = {
  'lines-on-stdout': {
    says: 'what the server says of itself goes to stdout',
    cuts: [
      cut(
        'cli/serve/mcp-command.js',
        'const log = (line) => err(`workrail: ${line}`);',
        'const log = (line) => environment.out(`workrail: ${line}`);',
      ),
    ],
  },
  'depth-unchecked': {
    says: 'nobody looks how deep a request is nested',
    cuts: [cut('contract/request-limits.js', 'if (depth > limits.callerDepth)', 'if (depth < 0)')],
  },
  'ends-at-odd-lines': {
    says: 'a line that is no message ends the server',
    cuts: [cut('mcp/line-transport.js', 'this.onerror?.(new Error(refused.error.message));', 'void this.close();')],
  },
  'silent-about-length': {
    says: 'a line that is too long ends the connection without a word',
    cuts: [cut('mcp/serve-stdio.js', 'onerror: (error) => log(protocolProblem(error))', 'onerror: () => undefined')],
  },
  'keeps-what-came': {
    says: 'every request stays in memory',
    cuts: [
      cut(
        'contract/parse-request.js',
        'const request = normaliseRequest(name, raw);',
        '(globalThis.kept ??= []).push(raw);\n    const request = normaliseRequest(name, raw);',
      ),
    ],
  },
  'keys-as-paths': {
    says: 'the key of a session is its folder as it stands',
    cuts: [cut('requests/world/session-names.js', 'return `${front}${own}`;', 'return front === own ? front : key;')],
  },
  'remote-as-written': {
    says: 'a remote is recorded with its credentials',
    cuts: [cut('machine/repository.js', 'url === undefined ? undefined : remoteAddress(url)', 'url')],
  },
  'repository-as-path': {
    says: 'a repository is recorded by its path',
    cuts: [cut('machine/repository.js', 'repository: basename(main),', 'repository: main,')],
  },
  'environment-in-notes': {
    says: 'a session keeps the environment that it was begun in',
    cuts: [
      cut(
        'machine/repository.js',
        'repository: basename(main),',
        'repository: `${basename(main)}${JSON.stringify(process.env)}`,',
      ),
    ],
  },
  'silent-about-odd-lines': {
    says: 'reading a segment ends at a line that cannot be read, without a word',
    cuts: [
      cut(
        'log/segments/segment-lines.js',
        "position, stop, highestSeq: last.seq, withdrawnBehind: stop.level === 'damage'",
        "position, highestSeq: last.seq, withdrawnBehind: stop.level === 'damage'",
      ),
    ],
  },
  'blind-to-others': {
    says: 'what other processes append is not read before deciding',
    cuts: [
      cut(
        'log/file-session-log.js',
        'const reading = known !== undefined && readTail(this.#at, projection, known) ? known : this.#readWhole();',
        'const reading = known ?? this.#readWhole();',
      ),
    ],
  },
};
