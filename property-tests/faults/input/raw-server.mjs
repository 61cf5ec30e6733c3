import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';

/**
 * A server on pipes, spoken to in bytes. Everything it writes to stdout is held against what may stand there: lines of
 * JSON-RPC and nothing else, each an answer to something that was asked. What is wrong gathers in `problems`.
 */
export function startRawServer(
  build,
  world,
  { env = {}, wrap = [], node = [], server = [], reads = true, era = 'legacy' } = {},
) {
  const words = [
    ...wrap,
    process.execPath,
    ...node,
    build.program,
    'mcp',
    '--enable',
    'start_session',
    '--data-dir',
    world.dataDir,
    '--workspace',
    world.workspace,
    ...server,
  ];
  const child = spawn(words[0], words.slice(1), {
    cwd: world.workspace,
    env: { PATH: process.env.PATH ?? '', ...world.env, ...env },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const problems = [];
  const waiting = new Map();
  const early = new Map();
  const told = { answers: 0, strangers: 0, bytes: 0 };
  let rest = [];
  let err = '';
  let over = false;

  const hear = (line) => {
    const problem = strange(line);
    if (problem !== undefined) {
      if (problems.length >= 20) return;
      problems.push(`stdout: ${problem}: ${line.slice(0, 200)}`);
      return;
    }
    const heard = JSON.parse(line);
    for (const message of Array.isArray(heard) ? heard : [heard]) hearOne(message);
  };
  const hearOne = (message) => {
    if (message.method !== undefined) return;
    told.answers += 1;
    const key = JSON.stringify(message.id);
    const resolve = waiting.get(key);
    if (resolve === undefined) {
      told.strangers += 1;
      early.set(key, message);
      if (early.size > 5000) early.delete(early.keys().next().value);
      return;
    }
    waiting.delete(key);
    resolve(message);
  };
  const onData = (bytes) => {
    told.bytes += bytes.length;
    let from = 0;
    for (let at = bytes.indexOf(10); at !== -1; at = bytes.indexOf(10, from)) {
      rest.push(bytes.subarray(from, at));
      hear(Buffer.concat(rest).toString('utf8'));
      rest = [];
      from = at + 1;
    }
    if (from < bytes.length) rest.push(bytes.subarray(from));
  };
  if (reads) child.stdout.on('data', onData);
  child.stderr.setEncoding('utf8').on('data', (text) => {
    err = (err + text).slice(-200_000);
  });
  child.stdin.on('error', () => undefined);
  const ended = new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, signal) => {
      over = true;
      for (const each of waiting.values()) each(undefined);
      waiting.clear();
      if (rest.length > 0 && Buffer.concat(rest).length > 0)
        problems.push(`stdout ends in the middle of a line: ${Buffer.concat(rest).toString('utf8').slice(0, 200)}`);
      resolve({ code, signal });
    });
  });

  let drained;
  const write = (bytes) => {
    if (over || child.stdin.destroyed || child.stdin.write(bytes)) return Promise.resolve();
    drained ??= new Promise((resolve) => {
      const done = () => {
        child.stdin.off('drain', done).off('close', done);
        drained = undefined;
        resolve();
      };
      child.stdin.on('drain', done).on('close', done);
    });
    return drained;
  };
  /** Resolves with the answer to that id, or with undefined where the server ends first. */
  const answerTo = (id, milliseconds = 60_000) => {
    const key = JSON.stringify(id);
    if (early.has(key)) {
      const message = early.get(key);
      early.delete(key);
      return Promise.resolve(message);
    }
    if (over) return Promise.resolve(undefined);
    return new Promise((resolve) => {
      const late = setTimeout(() => {
        waiting.delete(key);
        resolve('late');
      }, milliseconds);
      waiting.set(key, (message) => {
        clearTimeout(late);
        resolve(message);
      });
    });
  };
  let last = 0;
  const ask = async (method, given) => {
    const id = `own-${(last += 1)}`;
    const answer = answerTo(id);
    const params = inEra(era, given);
    await write(`${JSON.stringify({ jsonrpc: '2.0', id, method, ...(params !== undefined && { params }) })}\n`);
    return answer;
  };
  return {
    pid: child.pid,
    child,
    problems,
    told,
    ended,
    write,
    answerTo,
    ask,
    isOver: () => over,
    /** Answers since the last time to ids that nobody waits for. */
    strangers: () => {
      const all = [...early.values()];
      early.clear();
      return all;
    },
    stderr: () => err,
    beginReading: () => child.stdout.on('data', onData),
    initialize: async () => {
      // The era is settled by what comes after it.
      if (era === 'modern') return (await ask('server/discover')) && ask('tools/list');
      const answer = await ask('initialize', {
        protocolVersion: '2025-11-25',
        capabilities: {},
        clientInfo: { name: 'faults', version: '1' },
      });
      await write(`${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' })}\n`);
      return answer;
    },
    call: async (name, args) => {
      const answer = await ask('tools/call', { name, arguments: args });
      const { result } = answer ?? {};
      return result === undefined
        ? undefined
        : {
            isError: result.isError === true,
            text: result.content?.[0]?.text ?? '',
            answer: result._meta?.['workrail/answer'] ?? {},
          };
    },
    memory: () => memoryOf(child.pid),
    /** Ends it as clients do, and says how it ended. */
    close: async () => {
      child.stdin.end();
      const late = setTimeout(() => {
        problems.push('it did not end when its stdin did');
        child.kill('SIGKILL');
      }, 30_000);
      const how = await ended;
      clearTimeout(late);
      return how;
    },
  };
}

/** Rounds take the eras by turns. */
export const eraOf = (round) => (round % 2 === 0 ? 'legacy' : 'modern');

/** Parameters as a client of the era sends them. */
export const inEra = (era, params) => (era === 'modern' ? { ...params, _meta: envelope } : params);

/** What a client of 2026-07-28 says with each request. */
export const envelope = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'faults', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
};

/** Bytes that a process holds in memory now, and held at most. */
export function memoryOf(pid) {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    const kibibytes = (name) => Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'mu').exec(status)?.[1] ?? 0);
    return { now: kibibytes('VmRSS') * 1024, most: kibibytes('VmHWM') * 1024 };
  } catch {
    return { now: 0, most: 0 };
  }
}

function strange(line) {
  let message;
  try {
    message = JSON.parse(line);
  } catch {
    return 'a line that is no JSON';
  }
  // A batch is answered as one.
  if (Array.isArray(message))
    return message.length === 0 ? 'an empty batch' : message.map(strangeMessage).find(Boolean);
  return strangeMessage(message);
}

function strangeMessage(message) {
  if (typeof message !== 'object' || message === null || message.jsonrpc !== '2.0') return 'a line that is no JSON-RPC';
  const kinds = ['result', 'error', 'method'].filter((kind) => message[kind] !== undefined).length;
  return kinds === 1 ? undefined : 'a line that is neither an answer nor a request';
}
