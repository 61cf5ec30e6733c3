import { readFileSync } from 'node:fs';
import { posix } from 'node:path';

/**
 * What a program did to the files below a folder, from `strace -f -y -xx -s <much>`, in order: making, writing, syncing,
 * naming. What it wrote to its stdout is among it, since that is when something was acknowledged.
 */
export function readTrace(file, root) {
  const operations = [];
  const under = (path) => path !== undefined && (path === root || path.startsWith(`${root}/`));
  const began = new Map();
  for (const raw of readFileSync(file, 'latin1').split('\n')) {
    const line = joined(raw, began);
    const call = line === undefined ? null : /^(\w+)\((.*)\)\s+= (-?\d+)(?:<(.*?)>)?(?: (\w+).*)?$/su.exec(line);
    if (call === null) continue;
    const [, name, args, code, opened, error] = call;
    const operation = readCall({
      name,
      args,
      code: Number(code),
      opened: opened && unescaped(opened).toString('utf8'),
      failed: Number(code) < 0 ? error : undefined,
    });
    if (operation === undefined) continue;
    if (operation.op === 'say' || under(operation.path) || under(operation.to)) operations.push(operation);
  }
  return operations;
}

/** A call that another thread came in between of stands in two pieces. */
function joined(raw, began) {
  const [, thread, text] = /^(\d+)\s+(.*)$/su.exec(raw) ?? [];
  if (text === undefined) return undefined;
  if (text.endsWith('<unfinished ...>')) {
    began.set(thread, text.slice(0, -'<unfinished ...>'.length));
    return undefined;
  }
  const resumed = /^<\.\.\. \w+ resumed>(.*)$/su.exec(text);
  if (resumed === null) return text;
  const whole = `${began.get(thread) ?? ''}${resumed[1]}`;
  began.delete(thread);
  return whole;
}

const unescaped = (text) =>
  Buffer.from(
    text.replaceAll(/\\x([0-9a-f]{2})/gu, (_, digits) => String.fromCharCode(Number.parseInt(digits, 16))),
    'latin1',
  );
const pathIn = (text) => posix.normalize(unescaped(text).toString('utf8'));
const quoted = (args) => [...args.matchAll(/"((?:\\x[0-9a-f]{2})*)"/gu)].map(([, text]) => pathIn(text));

const failedToo = new Set(['fsync', 'fdatasync']);

function readCall({ name, args, code, opened, failed }) {
  if (failed !== undefined && !failedToo.has(name)) return undefined;
  const descriptor = /^(\d+)(?:<(.*?)>)?/su.exec(args);
  const path = descriptor?.[2] === undefined ? undefined : pathIn(descriptor[2]);
  switch (name) {
    case 'openat':
    case 'open': {
      const at = opened === undefined ? quoted(args)[0] : posix.normalize(opened);
      return { op: 'open', path: at, fd: code, makes: args.includes('O_CREAT'), empties: args.includes('O_TRUNC') };
    }
    case 'write':
    case 'pwrite64': {
      const text = /, "((?:\\x[0-9a-f]{2})*)"/su.exec(args)?.[1] ?? '';
      const bytes = unescaped(text).subarray(0, code);
      if (descriptor[1] === '1') return { op: 'say', bytes };
      return { op: 'write', path, bytes };
    }
    case 'fsync':
    case 'fdatasync':
      return { op: 'sync', path, failed };
    case 'ftruncate':
      return { op: 'truncate', path, size: Number(/, (\d+)$/u.exec(args)?.[1] ?? 0) };
    case 'mkdir':
    case 'mkdirat':
      return { op: 'mkdir', path: quoted(args)[0] };
    case 'rename':
    case 'renameat':
    case 'renameat2':
      return { op: 'rename', path: quoted(args)[0], to: quoted(args)[1] };
    case 'link':
    case 'linkat':
      return { op: 'link', path: quoted(args)[0], to: quoted(args)[1] };
    case 'unlink':
    case 'unlinkat':
    case 'rmdir':
      return { op: 'remove', path: quoted(args)[0] };
    default:
      return undefined;
  }
}

export const traced =
  'openat,open,write,pwrite64,fsync,fdatasync,ftruncate,mkdir,mkdirat,rename,renameat,renameat2,link,linkat,unlink,unlinkat,rmdir';
