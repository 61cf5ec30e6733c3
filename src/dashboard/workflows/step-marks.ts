import type { JsonObjectTold } from '../step/json-told.js';
import { readJson } from '../api/read-json.js';

/** What there is to know of a step before it is read, in a word or two each. */
export function stepMarks(
  step: JsonObjectTold | undefined,
): readonly { readonly text: string; readonly tone: 'quiet' | 'accent' | 'warning' }[] {
  if (step === undefined) return [];
  const [artifacts, needs, delegates, sets] = [
    readJson.objects(step, 'artifacts'),
    readJson.objects(step, 'needs'),
    readJson.objects(step, 'delegates'),
    readJson.objects(step, 'context'),
  ];
  return [
    ...(step['confirm'] === undefined ? [] : [{ text: 'asks for agreement', tone: 'warning' as const }]),
    ...(needs.length === 0 ? [] : [{ text: 'needs the user', tone: 'warning' as const }]),
    ...(artifacts.length === 0
      ? []
      : [{ text: artifacts.length === 1 ? '1 artifact' : `${artifacts.length} artifacts`, tone: 'accent' as const }]),
    ...(delegates.length === 0
      ? []
      : [{ text: delegates.length === 1 ? '1 sub-agent' : `${delegates.length} sub-agents`, tone: 'quiet' as const }]),
    ...(sets.length === 0
      ? []
      : [{ text: `sets ${sets.map((one) => readJson.text(one, 'key') ?? '').join(', ')}`, tone: 'quiet' as const }]),
  ];
}
