import type { CommandStory, StopStory } from '../contract/command-story.js';
import { agreedWords, bytesWords, requestWords, settledWords, stoppedWords, triedWords } from './command-words.js';
import type { Block, Line } from './page.js';
import { apart, aside, code, listOf, paragraph, quiet, strong, text, time } from './page.js';

/** A step that WorkRail did itself: what was sent, what came, and what is known of it. */
export function tellCommand(told: CommandStory | undefined): readonly Block[] {
  if (told === undefined) return [];
  const { catalog, command, says, request, tries, triesOmitted = 0, until, response, settled, agreed } = told;
  const isPlain = tries.length === 1 && tries[0]?.outcome === 'ok' && tries[0].then === 'done';
  const lines: readonly (readonly Line[])[] = tries.map((one) => [
    [quiet(`Try ${one.try}: `), text(triedWords(one)), apart, time(one.at)],
  ]);
  const [one] = tries;
  const took: Line = isPlain && one !== undefined ? [apart, quiet(triedWords(one))] : [];
  return [
    paragraph(code(`${catalog} ${command}`), apart, text(says), ...took),
    ...(request === undefined ? [] : [paragraph(quiet('Request: '), code(requestWords(request)))]),
    ...(request?.body === undefined ? [] : [json('Body sent', request.body.preview, request.body.bytes)]),
    ...(until === undefined ? [] : [paragraph(quiet('Waits until: '), code(until))]),
    ...(isPlain
      ? []
      : [...(triesOmitted === 0 ? [] : [paragraph(quiet(`${triesOmitted} earlier tries`))]), ...listOf(lines)]),
    ...bodyOf(response),
    ...(settled === undefined ? [] : [paragraph(text(settledWords(settled)), apart, time(settled.at))]),
    ...(agreed === undefined ? [] : [paragraph(quiet(agreedWords(agreed)), apart, time(agreed.at))]),
  ];
}

function bodyOf(response: CommandStory['response']): readonly Block[] {
  if (response?.cut !== undefined) return [json('Answer, its beginning', response.cut.text, response.cut.bytes)];
  const { body = null } = response ?? {};
  if (body === null) return [];
  return [json('Answer', JSON.stringify(body, null, 2), response?.bytes ?? 0)];
}

const json = (name: string, words: string, bytes: number): Block => ({
  is: 'folded',
  summary: [text(`${name} `), quiet(bytesWords(bytes))],
  blocks: [{ is: 'code', text: words }],
});

/** Why a run ended before its last step. */
export const tellStop = (stopped: StopStory | undefined): readonly Block[] =>
  stopped === undefined
    ? []
    : [
        aside(
          stopped.status === 'failed' ? 'grave' : 'plain',
          [strong(stoppedWords(stopped).head), apart, time(stopped.at)],
          [stopped.message, stoppedWords(stopped).then].flatMap((said) =>
            said === undefined ? [] : [paragraph(text(said))],
          ),
        ),
      ];
