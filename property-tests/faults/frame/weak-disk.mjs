import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';

/**
 * A file system that promises no more than POSIX does: bytes last once their file was synced, a name lasts once its
 * folder was. It remembers both what a process sees and what is sure to last; a crash leaves something in between.
 */
export function weakDisk(root) {
  /** Files and folders by what they are, not by what they are called. */
  const top = { folder: true, seen: new Map(), sure: new Map() };
  const find = (path) => {
    let node = top;
    for (const name of path
      .slice(root.length)
      .split('/')
      .filter((part) => part !== ''))
      node = node?.seen?.get(name);
    return node;
  };
  const place = (path) => [find(posix.dirname(path)), posix.basename(path)];
  const newFile = () => ({ folder: false, seen: Buffer.alloc(0), sure: Buffer.alloc(0), doomed: [] });
  const put = (path, node) => {
    const [folder, name] = place(path);
    if (folder === undefined) throw new Error(`the trace names ${path}, whose folder nothing made`);
    folder.seen.set(name, node);
  };

  const acts = {
    open: ({ path, makes, empties }) => {
      const node = find(path);
      if (node === undefined && makes) put(path, newFile());
      else if (empties && node !== undefined) node.seen = Buffer.alloc(0);
    },
    write: ({ path, bytes }) => {
      const node = find(path);
      if (node !== undefined) node.seen = Buffer.concat([node.seen, bytes]);
    },
    truncate: ({ path, size }) => {
      const node = find(path);
      if (node !== undefined) node.seen = node.seen.subarray(0, size);
    },
    sync: ({ path, failed }) => {
      const node = find(path);
      if (node === undefined) return;
      if (node.folder) {
        if (failed === undefined) node.sure = new Map(node.seen);
        return;
      }
      // Bytes whose sync failed are called clean: no later sync writes them.
      if (failed !== undefined) node.doomed.push({ from: node.sure.length, to: node.seen.length });
      node.sure = node.seen;
    },
    mkdir: ({ path }) => put(path, { folder: true, seen: new Map(), sure: new Map() }),
    rename: ({ path, to }) => {
      const [folder, name] = place(path);
      const node = folder?.seen.get(name);
      if (node === undefined) return;
      put(to, node);
      folder.seen.delete(name);
    },
    link: ({ path, to }) => put(to, find(path)),
    remove: ({ path }) => {
      const [folder, name] = place(path);
      folder?.seen.delete(name);
    },
  };
  return { top, act: (operation) => acts[operation.op](operation) };
}

/** Makes a folder on the real disk as a crash at this moment may have left it. The dice choose among what may be. */
export function leaveBehind({ top }, folder, dice) {
  const done = new Map();
  // Half of the crashes leave all names alike, so that what becomes of bytes is seen too; in the others each folder has its own fate.
  const fate = dice.oneOf([0, 0, 1, undefined, undefined, undefined]);
  const leave = (node, path) => {
    if (node.folder) {
      mkdirSync(path, { recursive: true });
      for (const [name, inside] of namesLeft(node, fate ?? dice.below(3), dice)) leave(inside, join(path, name));
      return;
    }
    // A file with two names is one file.
    if (!done.has(node)) done.set(node, bytesLeft(node, dice));
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, done.get(node));
  };
  leave(top, folder);
}

/** Names that were synced and still stand are there. Of the changes since, all, none, or any. */
function namesLeft({ seen, sure }, way, dice) {
  if (way === 0) return seen;
  if (way === 1) return sure;
  const left = new Map();
  for (const name of new Set([...seen.keys(), ...sure.keys()])) {
    const node = dice.chance(0.5) ? seen.get(name) : sure.get(name);
    if (node !== undefined) left.set(name, node);
  }
  return left;
}

function bytesLeft({ seen, sure, doomed }, dice) {
  // The hole is there in every state, whatever was written and synced behind it.
  const solid = Buffer.from(sure);
  for (const { from, to } of doomed) solid.fill(0, from, to);
  const lost = doomed.findLast(({ to }) => to === solid.length);
  const kept = lost === undefined ? solid : dice.chance(0.5) ? solid : solid.subarray(0, lost.from);
  if (seen.length <= sure.length || !seen.subarray(0, sure.length).equals(sure))
    return dice.chance(0.5) || seen.equals(sure) ? kept : seen;
  return Buffer.concat([solid, tailLeft(Buffer.from(seen.subarray(sure.length)), dice)]);
}

/** What may have become of bytes that were written and not synced. */
function tailLeft(tail, dice) {
  const at = dice.below(tail.length + 1);
  const line = tail.indexOf(0x0a) + 1;
  switch (dice.below(8)) {
    case 0:
      return tail;
    case 1:
      return tail.subarray(0, 0);
    case 2:
      return tail.subarray(0, at);
    case 3:
      return Buffer.concat([tail.subarray(0, at), Buffer.alloc(tail.length - at)]);
    case 4:
      return Buffer.concat([Buffer.alloc(at), tail.subarray(at)]);
    case 5:
      return tail.subarray(0, line);
    case 6:
      return Buffer.alloc(tail.length);
    default:
      return changed(tail, dice);
  }
}

/** A letter in a word that somebody wrote becomes another: a line that parses, and is not what was written. */
function changed(tail, dice) {
  const words = [...tail.toString('latin1').matchAll(/ word /gu)];
  if (words.length === 0) return tail.fill(0);
  tail[dice.oneOf(words).index + 1] ^= 1;
  return tail;
}
