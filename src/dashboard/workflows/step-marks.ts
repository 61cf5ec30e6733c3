import { plural } from '../../base/plural.js';
import type { JsonObjectTold } from '../step/json-told.js';
import { readJson } from '../api/read-json.js';

/** What there is to know of a step before it is read, in a word or two each. */
export function stepMarks(
  step: JsonObjectTold | undefined,
): readonly { readonly text: string; readonly tone: 'quiet' | 'accent' | 'warning' }[] {
  if (step === undefined) return [];
  const count = (name: string): number => readJson.objects(step, name).length;
  const sets = readJson.objects(step, 'context').map((one) => readJson.text(one, 'key') ?? '');
  const marks = [
    { text: 'asks for approval', tone: 'warning', isSo: step['confirm'] !== undefined },
    { text: 'run by WorkRail', tone: 'accent', isSo: readJson.text(step, 'run') !== undefined },
    { text: 'ends the run', tone: 'warning', isSo: readJson.text(step, 'fail') !== undefined },
    { text: 'needs the user', tone: 'warning', isSo: count('needs') > 0 },
    { text: plural(count('artifacts'), 'artifact'), tone: 'accent', isSo: count('artifacts') > 0 },
    { text: plural(count('delegates'), 'sub-agent'), tone: 'quiet', isSo: count('delegates') > 0 },
    { text: `sets ${sets.join(', ')}`, tone: 'quiet', isSo: sets.length > 0 },
  ] as const;
  return marks.filter(({ isSo }) => isSo);
}
