import { mendSharedState } from '../base/state-seen.js';
import { own } from '../base/own.js';
import { field } from '../base/sentence.js';
import type { PromptStep } from '../definitions/compiled/compiled-workflow.js';
import { tellExpression } from '../definitions/expression/tell-expression.js';
import { controlledLoop } from '../definitions/source/controlled-loop.js';
import type { Blocker, Mendable } from '../engine/blocker.js';
import type { Way } from '../engine/way.js';

/** What a coming condition could not tell, unless the step already lacks that very key. */
export function unknownBlockers(way: Way, known: readonly Blocker[], step: PromptStep): readonly Mendable[] {
  const { takes = {} } = step;
  return way.unknown.flatMap(({ key, reads, asked, path, message, isOfState }): readonly Mendable[] => {
    if (isOfState === true)
      return known.some(({ code }) => code === 'STATE_NOT_WRITTEN') ? [] : [ofState(path, message)];
    if (key === undefined && asked?.outputs.has(step.id) === true)
      return unreadOutput(step, known, `${path} reads ${tellExpression(asked.source)}: ${message}`);
    const taken = key === undefined ? undefined : own(takes, key);
    const pointer = taken ? '/output/artifacts' : key === undefined ? '/context' : `/context/${key}`;
    if (
      key !== undefined &&
      known.some((blocker) => blocker.pointer === pointer || blocker.pointer.startsWith(`${pointer}/`))
    )
      return [];
    const fix = taken
      ? `give \`${taken.field.join('.')}\` of the artifact ${taken.kind} the right type and value`
      : key === undefined
        ? 'hand back with the right type and value what it reads; where that cannot be, tell the user'
        : ['set ', field(pointer)];
    return [
      {
        code: 'MISSING_CONTEXT_KEY',
        pointer,
        message: `${path} needs to know: ${message}`,
        fix,
        wanted: key ?? message,
        ...(reads !== undefined && { reads }),
      },
    ];
  });
}

/** Nothing that the step hands back helps. */
const ofState = (path: string, message: string): Mendable => ({
  code: 'STATE_NOT_WRITTEN',
  pointer: '/context',
  message: `${path} needs to know: ${message}`,
  fix: `${mendSharedState(message)}, then send this again`,
  wanted: message,
  reads: [],
});

/** A condition that reads what this very step hands back. A wrong artifact is told of as such. */
function unreadOutput({ outputs }: PromptStep, known: readonly Blocker[], message: string): readonly Mendable[] {
  const pointer = '/output/artifacts';
  if (known.some((blocker) => blocker.pointer.startsWith(pointer))) return [];
  const [asked] = outputs;
  const fix =
    asked === undefined
      ? `add an artifact with what it reads; the file asks for none here, and a loop that an artifact decides is written ${controlledLoop}`
      : `add one with what it reads, such as ${JSON.stringify(asked.example)}`;
  return [{ code: 'MISSING_REQUIRED_OUTPUT', pointer, message, fix, wanted: 'an artifact with what is read' }];
}
