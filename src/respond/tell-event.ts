import { unreachable } from '../base/assert.js';
import { firstWords } from '../base/byte-budget.js';
import { limits } from '../base/limits.js';
import { spokenMode } from '../base/mode-words.js';
import type { Preferences } from '../base/preferences.js';
import type { JsonObject } from '../base/json-value.js';
import type { EventTold } from '../contract/event-told.js';
import type { Gap, Output, Position, Skip, Warning } from '../events/event-data.js';
import type { Event } from '../events/event.js';
import { doorWords, personAnswerWords } from './person-answer-words.js';
import type { Said } from './said.js';
import { isStateEvent, sayStateEvent } from './tell-state-event.js';

const notesShown = 400;
const namesShown = 8;

/** An event in words, from nothing but the event: a log is told without keeping it. */
export function tellEvent(
  event: Event,
  place: { readonly file: string; readonly line: number; readonly merged?: boolean },
): EventTold {
  const { seq, at, kind, sum, by, run, node } = event;
  const { says, details = [] } = sayEvent(event);
  const data: unknown = event.data;
  return {
    seq,
    at,
    kind,
    says,
    details: details.filter((detail) => detail !== undefined),
    event: sum,
    by,
    ...(run !== undefined && { runId: run }),
    ...(node !== undefined && { nodeId: node }),
    file: place.file,
    line: place.line,
    ...(place.merged === true && { merged: true as const }),
    data: data as JsonObject,
  };
}

function sayEvent(event: Event): Said {
  if (isStateEvent(event)) return sayStateEvent(event, words);
  switch (event.kind) {
    case 'session_started': {
      const { key, title, tags } = event.data;
      return { says: `session begins${key === undefined ? '' : `, known as ${key}`}`, details: [labels(title, tags)] };
    }
    case 'run_started':
      return sayStart(event.data);
    case 'step_acked':
      return sayAck(event.data);
    case 'step_blocked': {
      const { step, blockers, output, refused } = event.data;
      return {
        says: `${refused === undefined ? 'blocked at' : 'the user said no at'} “${step.title}”`,
        details: [...blockers.map(({ message }) => message), ...outputSaid(output)],
      };
    }
    case 'question_answered':
      return { says: personAnswerWords(event) };
    case 'wait_ended':
      return {
        says:
          event.data.how === 'cancelled'
            ? 'the agent’s program no longer waits for the user’s answer'
            : 'the user would not answer in the agent’s program; the step stays blocked',
      };
    case 'command_sent':
      return sayIntent(event.data);
    case 'command_settled': {
      const { choice, reason } = event.data;
      const said = { repeat: 'to be sent again', done: 'done', failed: 'not done' }[choice];
      return {
        says: `somebody says of a command with an unknown outcome: ${said}`,
        details: [reason && words(reason)],
      };
    }
    case 'plan_confirmed': {
      const { writes, plan } = event.data;
      const agreed = writes.length === 1 ? '1 command' : `${writes.length} commands`;
      return {
        says: `the user agreed to ${agreed} that change something`,
        details: [...writes.map(({ path, command }) => `${path}: ${command}`), plan],
      };
    }
    case 'command_done':
      return sayTry(event.data);
    case 'run_stopped':
      return { says: `run ${event.data.status}: ${words(event.data.message)}` };
    case 'checkpoint': {
      const { output, late, gaps } = event.data;
      return {
        says: late === undefined ? 'checkpoint' : 'late output for a step that was already done',
        details: [...outputSaid(output), ...gapsSaid(gaps)],
      };
    }
    case 'observation': {
      const { branch, commit, repository } = event.data;
      const where = [
        branch === undefined ? undefined : `branch ${branch}`,
        commit === undefined ? undefined : `commit ${commit.slice(0, 12)}`,
        repository === undefined ? undefined : `repository ${repository}`,
      ];
      return { says: `at ${where.filter((part) => part !== undefined).join(', ') || 'a place without git'}` };
    }
    case 'preferences_changed':
      return {
        says: `${event.node === undefined ? 'mode of new runs set' : 'mode set'}${event.who === undefined ? '' : ` by the user, ${doorWords(event.who)}`}`,
        details: [modeSaid(event.data.preferences)],
      };
    case 'note_added':
      return { says: 'note', details: [words(event.data.text)] };
    case 'session_labelled': {
      const { title, tags, keep } = event.data;
      return {
        says: ['labelled', keep === undefined ? undefined : keep ? 'never prune' : 'may be pruned']
          .filter((part) => part !== undefined)
          .join(', '),
        details: [labels(title, tags)],
      };
    }
    case 'lines_withdrawn': {
      const { sums, reason, detail } = event.data;
      return {
        says: `${sums.length === 1 ? '1 line' : `${sums.length} lines`} taken out: ${reason}`,
        details: [detail === '' ? undefined : words(detail)],
      };
    }
    default:
      return unreachable(event);
  }
}

function sayIntent({ catalog, command, method, url, body, try: tries }: Event<'command_sent'>['data']): Said {
  return {
    says: `${catalog} ${command} is sent${tries > 1 ? `, try ${tries}` : ''}`,
    details: [`${method} ${url}`, body && words(body.preview)],
  };
}

function sayTry({
  catalog,
  command,
  method,
  url,
  outcome,
  status,
  bytes,
  ms,
  pages = 1,
  of,
  then,
  error,
  file,
  noBody,
  try: tries,
}: Event<'command_done'>['data']): Said {
  const came = status === undefined ? outcome.replace('_', ' ') : `${status}${outcome === 'ok' ? '' : `, ${outcome}`}`;
  return {
    says: `${catalog} ${command}: ${came}${of !== undefined ? ', taken from another branch' : then === 'again' ? '; sent again' : ''}`,
    details: [
      `${method} ${url}`,
      `${bytes} bytes in ${ms} ms${pages > 1 ? `, ${pages} pages` : ''}${tries > 1 ? `, try ${tries}` : ''}`,
      file && `kept as a file: ${file.bytes} bytes, ${file.type}`,
      noBody && (noBody === 'secret' ? 'its answer is secret and not recorded' : 'its answer was too long to be kept'),
      error && words(error.message),
    ],
  };
}

function sayStart({
  title,
  workflowId,
  version,
  inputs,
  preferences,
  next,
  gaps,
  skipped,
  warnings,
}: Event<'run_started'>['data']): Said {
  const given = Object.entries(inputs).map(
    ([name, value]) =>
      `${name} = ${firstWords(typeof value === 'string' ? value : JSON.stringify(value), limits.echo)}`,
  );
  return {
    says: `run of “${title}” begins (${workflowId} ${version})`,
    details: [
      given.length === 0 ? undefined : `with ${given.join(', ')}`,
      `mode: ${modeSaid(preferences)}`,
      ...waySaid(skipped, warnings),
      ...gapsSaid(gaps),
      nextSaid(next),
    ],
  };
}

const doneBy = {
  sent: ' by WorkRail',
  reused: ' with the result of another branch; nothing was sent',
  settled: ' on somebody’s word; nothing was sent again',
  skipped: ', with an unknown outcome',
} as const;

function sayAck({
  step,
  output,
  gaps,
  skipped,
  warnings,
  next,
  fork,
  confirmed,
  context,
  added = {},
  preferences,
  command,
}: Event<'step_acked'>['data']): Said {
  const keys = Object.keys(context ?? {});
  const grown = Object.keys(added);
  return {
    says: `done: “${step}”${confirmed === true ? ', confirmed' : ''}${command === undefined ? '' : doneBy[command.source]}`,
    details: [
      ...outputSaid(output),
      keys.length === 0 ? undefined : `set ${named(keys)}`,
      grown.length === 0 ? undefined : `added to ${named(grown)}`,
      preferences && `mode from here on: ${modeSaid(preferences)}`,
      ...gapsSaid(gaps),
      ...waySaid(skipped, warnings),
      fork === undefined
        ? undefined
        : `a fork: ${fork.branches.length + fork.branchesOmitted} other ${fork.branches.length + fork.branchesOmitted === 1 ? 'branch leaves' : 'branches leave'} at the same step`,
      nextSaid(next),
    ],
  };
}

function modeSaid(preferences: Preferences): string {
  const { label, says } = spokenMode(preferences);
  return `${label}: ${says}`;
}

const nextSaid = (next: Position | undefined): string =>
  next === undefined ? 'the run is complete' : `next: “${next.title}”`;

const words = (text: string): string => firstWords(text, notesShown);

const named = (names: readonly string[]): string =>
  `${names.slice(0, namesShown).join(', ')}${names.length > namesShown ? ` and ${names.length - namesShown} more` : ''}`;

function outputSaid(output: Output | undefined): readonly (string | undefined)[] {
  const kinds = (output?.artifacts ?? []).map(({ kind }) => (typeof kind === 'string' ? kind : '?'));
  return [
    output?.notes === undefined ? undefined : words(output.notes),
    kinds.length === 0 ? undefined : `artifacts: ${named(kinds)}`,
  ];
}

function gapsSaid(gaps: readonly Gap[] | undefined): readonly string[] {
  return (gaps ?? []).map(({ id, severity, reason, detail, resolves }) =>
    resolves === undefined
      ? `${severity === 'info' ? 'gap' : `${severity} gap`}: ${words(`${reason}: ${detail}`)} (${id})`
      : `settles ${resolves}: ${words(detail)}`,
  );
}

function waySaid(skipped: readonly Skip[] | undefined, warnings: readonly Warning[] | undefined): readonly string[] {
  const skips = skipped ?? [];
  return [
    ...skips.slice(0, namesShown).map(({ title, reason }) => `skipped “${title}”: ${words(reason)}`),
    ...(skips.length > namesShown ? [`and ${skips.length - namesShown} more skipped`] : []),
    ...(warnings ?? []).map(({ message }) => `warning: ${words(message)}`),
  ];
}

function labels(title: string | undefined, tags: readonly string[] | undefined): string | undefined {
  const said = [
    title === undefined ? undefined : `title “${words(title)}”`,
    tags === undefined ? undefined : tags.length === 0 ? 'no tags' : `tags ${tags.join(', ')}`,
  ].filter((part) => part !== undefined);
  return said.length === 0 ? undefined : said.join(', ');
}
