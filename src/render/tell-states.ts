import { plural } from '../base/plural.js';
import type { StateStory } from '../contract/state-story.js';
import {
  aside,
  type Block,
  code,
  fact,
  facts,
  type Line,
  paragraph,
  part,
  quiet,
  section,
  text,
  time,
} from './page.js';
import { separated } from './tell-value.js';

/** The documents that the agents of a session share, with their versions. */
export function tellStates(states: readonly StateStory[] = []): readonly Block[] {
  const [only] = states;
  if (only === undefined) return [];
  if (states.length === 1) return part('Shared state', 'shared-state', tellState(only));
  return part(
    'Shared states',
    'shared-states',
    states.map((state) => section('step', [code(state.id)], state.id, tellState(state))),
  );
}

function tellState(state: StateStory): readonly Block[] {
  const codes = (labels: readonly string[]): Line =>
    separated(
      labels.map((label) => [code(label)]),
      text(', '),
    );
  return [
    ...facts(
      fact('ID', [code(state.id)]),
      fact('Schema', [text(state.schema)]),
      fact('Version', [text(String(state.version)), text(', '), code(state.etag)]),
      ...(state.forkedFrom === undefined ? [] : [fact('Forked from', [code(state.forkedFrom)])]),
      fact('Created', [time(state.createdAt)]),
      fact('Changed', [time(state.at)]),
      ...(state.closed === undefined
        ? []
        : [fact('Closed', [text(state.closed === '' ? 'it can be read, and not written' : state.closed)])]),
    ),
    ...(state.conflicts.length === 0
      ? []
      : [
          aside(
            'warning',
            [text('Changes that could not be merged')],
            [paragraph(...codes(state.conflicts), quiet(' wait for somebody to settle them: made now, or left out'))],
          ),
        ]),
    ...(state.unmerged.length === 0
      ? []
      : [
          aside(
            'warning',
            [text('Written at the same time')],
            [paragraph(...codes(state.unmerged), quiet(' will be merged by the next write'))],
          ),
        ]),
    ...(state.document === undefined
      ? [paragraph(quiet(`Its document has ${state.bytes.toLocaleString('en')} bytes, and is not shown here.`))]
      : [{ is: 'code', text: JSON.stringify(state.document.value, null, 2) } as const]),
    versions(state),
  ];
}

function versions({ versions: all, earlier }: StateStory): Block {
  const rows = all.map(({ etag, at, made, agent, door, bytes, conflict }): readonly Line[] => [
    [code(etag)],
    [time(at)],
    [text(conflict === true ? `${madeWords[made]}, not merged` : madeWords[made])],
    [text(agent ?? door ?? '')],
    [text(plural(bytes, 'byte'))],
  ]);
  const more = earlier === 0 ? [] : [paragraph(quiet(`And ${plural(earlier, 'earlier version')}.`))];
  return {
    is: 'folded',
    summary: [text(plural(all.length + earlier, 'version'))],
    blocks: [{ is: 'table', columns: ['Version', 'Written', 'How', 'By', 'Size'], rows }, ...more],
  };
}

const madeWords: { readonly [made in StateStory['versions'][number]['made']]: string } = {
  create: 'created',
  patch: 'patched',
  update: 'replaced',
  merge: 'merged',
  migrate: 'migrated',
};
