import { sentenceText } from '../base/sentence.js';
import type { CommandStory } from '../contract/command-story.js';
import type { EventData } from '../events/event-data.js';

/** What of a command its sentence rests on. */
export interface SaidOfCommand extends Pick<CommandStory, 'state'> {
  /** The last try that is over. */
  readonly last: EventData<'command_done'> | undefined;
  /** Of none of its tries anything left. */
  readonly isUnsent: boolean;
  /** It was sent once more since, and no answer is recorded. */
  readonly isOut: boolean;
  readonly source: CommandStory['source'];
  readonly settled: CommandStory['settled'];
  readonly waits: CommandStory['waits'];
}

/** What is known of a command, in plain words. */
export function commandSays(said: SaidOfCommand): string {
  const { state, last, isUnsent, isOut, source } = said;
  const answered = last?.status === undefined ? '' : `The server answered ${last.status}`;
  switch (state) {
    case 'pending':
      return 'Not sent.';
    case 'blocked':
      return last === undefined && !isOut
        ? 'Not sent yet: it waits for the user’s agreement.'
        : `Sent, and nobody knows whether the server did it: ${why(last)}. It is not sent again until somebody says what happened.`;
    case 'running':
      return runningSays(said);
    case 'canceled':
      return isOut ? 'Canceled while it was being sent.' : isUnsent ? 'Canceled before it was sent.' : 'Canceled.';
    case 'unknown':
      return 'Nobody knows whether the server did it. The run went on without it, and a gap says so.';
    case 'succeeded':
      if (source === 'reused')
        return 'Not sent here: another branch had sent the same request, and its result is used.';
      if (source === 'settled') return 'Somebody said that it was done, and it was not sent again.';
      return `${answered === '' ? 'Done' : answered}.`;
    case 'failed':
      if (source === 'settled' || said.settled?.choice === 'failed')
        return 'Somebody said that it was not done, and it is not sent again.';
      if (last?.outcome === 'not_sent') return `Not sent: ${why(last)}.`;
      return `Failed: ${why(last)}.`;
  }
}

function runningSays({ last, isOut, waits, settled }: SaidOfCommand): string {
  if (isOut) return 'Sent; WorkRail waits for the answer.';
  if (waits !== undefined)
    return last?.outcome === 'ok'
      ? `The server answered ${last.status ?? 0}, but what the step waits for does not hold yet. WorkRail asks again by itself.`
      : `The last try came to nothing: ${why(last)}. WorkRail sends it again by itself, which is safe here.`;
  if (settled !== undefined) return 'Somebody said what happened, and WorkRail goes on with that.';
  return 'WorkRail is about to send it.';
}

/** Which command it was is said beside it. */
function why(last: EventData<'command_done'> | undefined): string {
  if (last?.error === undefined) return 'no answer was recorded';
  const said = sentenceText(last.error.message).replace(/[.…]$/u, '');
  const name = `${last.catalog} ${last.command}: `;
  return said.startsWith(name) ? said.slice(name.length) : said;
}
