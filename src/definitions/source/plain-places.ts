import type { JsonValue } from '../../base/json-value.js';
import type { LinePlace, PlainSpot, PlainSpots } from './plain-lines.js';
import { readPlainYaml } from './plain-yaml.js';
import { type FindPlace, pointerTo } from './source-path.js';

/** Where each value of a text in plain YAML stands. `otherwise` is asked for what is not written, such as the value of a key without one. */
export function plainPlaces(text: string, otherwise: FindPlace): FindPlace {
  const spots: PlainSpots = new Map();
  const value = readPlainYaml(text, spots);
  if (value === undefined) return otherwise;
  const starts = [0];
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  const offsetOf = ({ line, column }: LinePlace): number =>
    Math.min(text.length, (starts[line] ?? text.length) + column);
  const first = [...(spots.get(value)?.values() ?? [])][0];
  const whole: PlainSpot = {
    key: { line: 0, column: 0 },
    start: first?.key ?? { line: 0, column: 0 },
    end: { line: starts.length, column: 0 },
  };
  return (path, of) => {
    let holder: JsonValue = value;
    let spot = whole;
    for (const step of path) {
      const next = spots.get(holder)?.get(String(step));
      // A value that is missing is shown at the one that should hold it.
      if (next === undefined) break;
      spot = next;
      holder = (holder as { readonly [key: string | number]: JsonValue })[step]!;
    }
    if (holder === null) return otherwise(path, of);
    const { key, start, end } = spot;
    const inside = typeof of === 'object' ? text.slice(offsetOf(start), offsetOf(end)).indexOf(of.text) : 0;
    if (inside <= 0)
      return {
        pointer: pointerTo(path),
        line: (of === 'key' ? key : start).line + 1,
        column: (of === 'key' ? key : start).column + 1,
      };
    const at = offsetOf(start) + inside;
    const line = starts.findLastIndex((from) => from <= at);
    return { pointer: pointerTo(path), line: line + 1, column: at - starts[line]! + 1 };
  };
}
