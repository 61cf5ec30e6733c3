import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The lines of a session as they stand on the disk, in the total order, each once: this does not ask the program. */
export function eventsOnDisk(folder) {
  const segments = join(folder, 'segments');
  const events = readdirSync(segments)
    .flatMap((name) => readFileSync(join(segments, name), 'utf8').trimEnd().split('\n'))
    .map((line) => JSON.parse(line));
  const inOrder = events.toSorted((a, b) => a.seq - b.seq || (a.by < b.by ? -1 : a.by > b.by ? 1 : 0));
  return [...new Map(inOrder.map((event) => [event.sum, event])).values()];
}

const markOf = (ops) => /"(w\d+-\d+)"/u.exec(JSON.stringify(ops))?.[1];

/** `/a/b` and `/a/-`, as far as the writers go, and a whole value where that is shorter than what a merge has done. */
function put(document, { op, path, value }) {
  if (path === '') return structuredClone(value);
  const keys = path.slice(1).split('/');
  const last = keys.pop();
  const around = keys.reduce((at, key) => at[key], document);
  if (last === '-') around.push(value);
  else if (op === 'remove') delete around[last];
  else around[last] = value;
  return document;
}

/**
 * What a state's history must be, whoever wrote it in whatever order. `asked` has a mark for each write, what became of
 * it, and the version and number that it was told; `head` is what is served at the end, and `value` its document.
 */
export function judgeVersions(events, { asked, head, value }) {
  const violations = [];
  const created = events.find(({ kind }) => kind === 'state_created').data;
  const kept = new Map(
    events.filter(({ kind }) => kind === 'state_kept').map(({ data }) => [data.version, data.value]),
  );
  const versions = new Map([
    [created.version, { id: created.version, mode: 'create', depth: 1, parents: [], ops: [] }],
  ]);
  const lines = new Map();
  for (const { kind, data } of events) {
    if (kind !== 'state_changed') continue;
    const { version: id, mode, depth, from, merged = [], conflicts = [], ops } = data;
    if (mode !== 'merge') lines.set(markOf(ops), (lines.get(markOf(ops)) ?? 0) + 1);
    if (!versions.has(id))
      versions.set(id, { id, mode, depth, from, asked: data.asked, conflicts, ops, parents: [from, ...merged] });
  }
  const withChanges = changesIn(versions, violations);
  violations.push(...wrongNumbers(versions, withChanges), ...overwritten(versions, withChanges));

  const marks = new Map(
    [...versions.values()].filter(({ mode }) => mode === 'patch').map((one) => [markOf(one.ops), one]),
  );
  violations.push(...wrongMarks(marks, lines, asked));

  const last = versions.get(head.slice(head.indexOf('-') + 1));
  const inLast = withChanges.get(last.id);
  for (const { id, ops } of marks.values())
    if (!inLast.has(id)) violations.push(`${markOf(ops)} is not in the last version`);
  const aside = new Set([...versions.values()].flatMap(({ conflicts = [] }) => conflicts));
  violations.push(...wrongValue(last, { versions, kept, value, aside, marks: [...marks.values()] }));
  return violations;
}

/** Between what was acknowledged and what was asked, each once and under the number that was told. */
function wrongMarks(marks, lines, asked) {
  const wrong = [];
  for (const { mark, outcome, etag, version } of asked) {
    const one = marks.get(mark);
    if (outcome === 'acked' && lines.get(mark) !== 1)
      wrong.push(`${mark} was acknowledged and is in ${lines.get(mark) ?? 0} lines`);
    if (outcome === 'refused' && one !== undefined) wrong.push(`${mark} was refused and is in the history`);
    if (outcome === 'acked' && one !== undefined && (etag !== `v${one.depth}-${one.id}` || version !== one.depth))
      wrong.push(`${mark} was told version ${etag}, and is v${one.depth}-${one.id}`);
  }
  const all = new Set(asked.map(({ mark }) => mark));
  for (const mark of marks.keys()) if (!all.has(mark)) wrong.push(`${mark} was never asked`);
  return wrong;
}

/** Of each version, the changes that are in it; by their numbers, parents come first. */
function changesIn(versions, violations) {
  const found = new Map();
  for (const version of [...versions.values()].toSorted((a, b) => a.depth - b.depth)) {
    const { id, mode, parents } = version;
    const changes = new Set(mode === 'merge' ? [] : [id]);
    for (const parent of parents) {
      if (!found.has(parent)) violations.push(`${id} is made from ${parent}, which is not below it`);
      for (const change of found.get(parent) ?? []) changes.add(change);
    }
    found.set(id, changes);
  }
  return found;
}

/** The number of a version is how many changes are in it. */
function wrongNumbers(versions, withChanges) {
  const wrong = [...versions.values()].flatMap(({ id, depth }) =>
    withChanges.get(id).size === depth
      ? []
      : [`version ${id} has number ${depth} and ${withChanges.get(id).size} changes`],
  );
  return wrong;
}

/** Whoever wrote with a token wrote over nothing that came since, at the same place. */
function overwritten(versions, withChanges) {
  return [...versions.values()].flatMap(({ asked, from, ops }) => {
    if (asked === undefined) return [];
    const known = withChanges.get(asked);
    const since = [...withChanges.get(from)].filter((change) => !known.has(change));
    const places = ops.map(({ path }) => path).filter((path) => !path.endsWith('/-'));
    const other = since.find((change) => versions.get(change).ops.some(({ path }) => places.includes(path)));
    return other === undefined ? [] : [`${markOf(ops)} was written over ${markOf(versions.get(other).ops)} unseen`];
  });
}

/** What is served is what the operations come to; and what no conflict names is in it, once. */
function wrongValue(last, { versions, kept, value, aside, marks }) {
  const way = [];
  let at = last;
  for (; at.from !== undefined; at = versions.get(at.from)) way.unshift(...at.ops);
  const document = way.reduce(put, structuredClone(kept.get(at.id)));
  const wrong = [];
  if (JSON.stringify(sorted(document)) !== JSON.stringify(sorted(value)))
    wrong.push('the document is not what its operations come to');
  for (const [id, whole] of kept) {
    const one = versions.get(id);
    if (one === last && JSON.stringify(sorted(whole)) !== JSON.stringify(sorted(value)))
      wrong.push(`what was kept of ${id} is not what is served`);
  }
  for (const { id, ops } of marks) {
    if (aside.has(id)) continue;
    for (const { path, value: put_ } of ops) {
      const times =
        path === '/list/-'
          ? value.list.filter((item) => item === put_).length
          : path.startsWith('/marks/')
            ? Number(path.slice(7) in value.marks)
            : 1;
      if (times !== 1) wrong.push(`${markOf(ops)} is in the document ${times} times at ${path}`);
    }
  }
  for (const [writer, mark] of Object.entries(value.own)) {
    const newest = marks
      .filter(({ id, ops }) => !aside.has(id) && ops.some(({ path }) => path === `/own/${writer}`))
      .map(({ ops }) => Number(markOf(ops).split('-')[1]));
    // Each of these is written by one alone, one after the other.
    if (Number(mark.split('-')[1]) !== Math.max(0, ...newest))
      wrong.push(`/own/${writer} is ${mark}, and ${writer}-${Math.max(...newest)} was the last`);
  }
  return wrong;
}

const sorted = (value) =>
  typeof value !== 'object' || value === null || Array.isArray(value)
    ? value
    : Object.fromEntries(
        Object.keys(value)
          .toSorted()
          .map((key) => [key, sorted(value[key])]),
      );
