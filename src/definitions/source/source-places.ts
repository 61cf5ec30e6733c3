import {
  isAlias,
  isMap,
  isPair,
  isScalar,
  isSeq,
  type Alias,
  type Document,
  type LineCounter,
  type Node,
  type Pair,
  type YAMLMap,
} from 'yaml';
import { pointerTo } from '../../base/patch/json-pointer.js';
import type { FindPlace } from './source-path.js';

/** Where each value of a file stands. A large file may have much to be told of, so that what is looked up is looked up once. */
export function sourcePlaces(text: string, lines: LineCounter, document: Document.Parsed): FindPlace {
  const pairs = new WeakMap<YAMLMap, ReadonlyMap<string, Pair>>();
  const targets = new WeakMap<Alias, Node>();
  const pairOf = (map: YAMLMap, key: string): Pair | undefined => {
    const known =
      pairs.get(map) ??
      new Map(
        map.items.flatMap((pair) =>
          isPair(pair) && isScalar(pair.key) ? [[String(pair.key.value), pair] as const] : [],
        ),
      );
    pairs.set(map, known);
    return known.get(key);
  };
  const resolved = (node: unknown): unknown => {
    if (!isAlias(node)) return node;
    const target = targets.get(node) ?? node.resolve(document);
    if (target) targets.set(node, target);
    return target;
  };
  return (path, of) => {
    const pointer = pointerTo(path);
    let node: unknown = document.contents;
    let key: unknown;
    for (const step of path) {
      const holder = resolved(node);
      const next = isMap(holder)
        ? pairOf(holder, String(step))
        : isSeq(holder)
          ? holder.items[Number(step)]
          : undefined;
      // A value that is missing is shown at the one that should hold it.
      if (next === undefined) break;
      key = isPair(next) ? next.key : next;
      node = isPair(next) ? (next.value ?? next.key) : next;
    }
    const range = ((of === 'key' ? key : node) as Node | undefined)?.range;
    if (!range) return { pointer, line: 1, column: 1 };
    const inside = typeof of === 'object' ? text.slice(range[0], range[2]).indexOf(of.text) : 0;
    const at = lines.linePos(range[0] + Math.max(0, inside));
    return { pointer, line: at.line, column: at.col };
  };
}
