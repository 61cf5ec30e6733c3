import { plural } from '../base/plural.js';
import { durationWords } from '../base/time-spent.js';
import type { CommandStory, StopStory, TriedStory } from '../contract/command-story.js';

/** A request as it stands on a line. */
export const requestWords = ({ method, url }: NonNullable<CommandStory['request']>): string => `${method} ${url}`;

export const bytesWords = (bytes: number): string =>
  bytes < 1024
    ? plural(bytes, 'byte')
    : bytes < 1024 * 1024
      ? `${(bytes / 1024).toFixed(1)} KB`
      : `${(bytes / 1024 / 1024).toFixed(1)} MB`;

/** How long a request took; what took a second or more as everything else that takes time. */
export const msWords = (ms: number): string =>
  ms < 1000 ? `${ms} ms` : ms < 10_000 ? `${(ms / 1000).toFixed(1)} s` : durationWords(ms);

const outcomes: { readonly [outcome in TriedStory['outcome']]: string } = {
  ok: 'answered',
  failed: 'failed',
  unknown: 'outcome unknown',
  not_sent: 'not sent',
  sent: 'sent, no answer recorded',
};

/** What became of one try: 201, 404 failed, outcome unknown. */
export function outcomeWords({ outcome, status }: Pick<TriedStory, 'outcome' | 'status'>): string {
  if (status === undefined) return outcomes[outcome];
  return outcome === 'ok' ? String(status) : `${status}, ${outcomes[outcome]}`;
}

/** What followed a try, where that is not what one would think. */
export const thenWords = ({ then, outcome }: Pick<TriedStory, 'then' | 'outcome'>): string =>
  then === 'again'
    ? outcome === 'ok'
      ? 'not yet'
      : 'sent again'
    : then === 'ask'
      ? 'somebody has to say what happened'
      : '';

/** One try in a line. */
export function triedWords(tried: TriedStory): string {
  const { ms, bytes = 0, pages = 1, error } = tried;
  const parts = [
    outcomeWords(tried),
    ms === undefined ? '' : msWords(ms),
    bytes === 0 ? '' : bytesWords(bytes),
    pages === 1 ? '' : plural(pages, 'page'),
    thenWords(tried),
    error?.message ?? '',
  ];
  return parts.filter((part) => part !== '').join(', ');
}

const choices = { repeat: 'is to be sent again', done: 'was done', failed: 'was not done' } as const;

export const settledWords = ({ by, choice, reason }: NonNullable<CommandStory['settled']>): string =>
  `${by === 'user' ? 'The user' : 'An agent'} said that it ${choices[choice]}${reason === undefined ? '' : `: ${reason}`}`;

export const agreedWords = ({ by, to, writes }: NonNullable<CommandStory['agreed']>): string =>
  `Agreed to ${to === 'request' ? 'as this very request' : `with everything the run may change (${plural(writes.length, 'command')})`}, ${by === 'asked' ? 'by the user themselves' : 'by the user, as the agent passed it on'}`;

const sources: { readonly [source in NonNullable<CommandStory['source']>]: string } = {
  sent: 'sent by WorkRail',
  reused: 'taken from another branch, not sent again',
  settled: 'not sent again, on somebody’s word',
  skipped: 'outcome unknown, the run went on',
};

/** How WorkRail did a step itself. */
export const sourceWords = (source: NonNullable<CommandStory['source']>): string => sources[source];

/** How a run ended before its last step: the head of it, and what follows from that. */
export const stoppedWords = ({
  status,
}: Pick<StopStory, 'status'>): { readonly head: string; readonly then?: string } =>
  status === 'failed'
    ? { head: 'The run failed here' }
    : {
        head: 'The run was canceled',
        then: 'None of its steps can be completed any more. To do the work after all, start a new run.',
      };
