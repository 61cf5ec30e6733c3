import type { RunStory } from '../../contract/session-story.js';
import { drawTree, type TreeLine, type TreePart } from '../../render/draw-tree.js';
import { cutToColumns } from './display-width.js';
import { printable } from './printable.js';
import type { Style } from './style.js';
import type { CliEnvironment } from './cli-environment.js';

/** Enough of a node's id to name it. */
const idShown = 6;

/** A run as a tree, with the beginning of the node's id before each line that has one; `whole` folds nothing. */
export function printTree(
  run: RunStory,
  { out, style, columns, stdoutIsTerminal }: CliEnvironment,
  whole: boolean,
): void {
  const ids = shortIds(run);
  const room = Math.max(...[...ids.values()].map((id) => id.length), idShown) + 2;
  const width = stdoutIsTerminal ? Math.max(40, columns - room) : 200;
  for (const line of drawTree(run, { width, cut: cutToColumns, whole })) {
    const id =
      line.nodeId === undefined || line.kind === 'fold' || line.kind === 'switch' ? '' : (ids.get(line.nodeId) ?? '');
    const text = line.parts.map((part) => painted(part, line, style)).join('');
    out(`${style.dim(id.padEnd(room - 2))}  ${text}`.trimEnd());
  }
}

/** As few digits as tell the nodes of the run apart. */
function shortIds({ nodes }: RunStory): ReadonlyMap<string, string> {
  for (let length = idShown; ; length += 1) {
    const ids = nodes.map(({ nodeId }) => nodeId.slice(2, 2 + length));
    if (length >= 12 || new Set(ids).size === ids.length)
      return new Map(nodes.map(({ nodeId }, index) => [nodeId, ids[index] ?? nodeId]));
  }
}

function painted({ text, kind }: TreePart, line: TreeLine, style: Style): string {
  const shown = printable(text);
  switch (kind) {
    case 'track':
    case 'around':
    case 'gap':
    case 'preferences':
    case 'skipped':
    case 'command':
      return style.dim(shown);
    case 'preferredTip':
      return style.good(shown);
    case 'tip':
      return style.bold(shown);
    case 'title':
      return line.kind === 'start' || line.kind === 'tip' ? style.bold(shown) : shown;
    case 'says':
      return line.kind === 'tip' ? (line.preferred ? style.good(shown) : shown) : style.dim(shown);
    case 'block':
    case 'openGap':
      return style.bad(shown);
    case 'checkpoint':
    case 'note':
      return shown;
  }
}
