import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { plural } from '../../base/plural.js';
import type { ChoicesOffered } from '../../contract/catalogs-told.js';
import { asFailure } from '../api/api-failure.js';
import { queries } from '../api/queries.js';
import type { JsonObjectTold } from '../step/json-told.js';

/** Who types is not asked after at each letter. */
const pauseMs = 200;

interface Asked {
  readonly workflowId: string;
  readonly name: string;
  readonly inputs: JsonObjectTold;
  readonly query: string;
  /** Whether anybody wants to see them: before, nothing is fetched. */
  readonly wanted: boolean;
}

export interface ChoicesHere {
  readonly choices: ChoicesOffered['choices'];
  readonly isBusy: boolean;
  readonly failed: boolean;
  /** How it stands with them, in words. */
  readonly words: string;
  readonly again: () => void;
}

export function useChoices({ workflowId, name, inputs, query, wanted }: Asked): ChoicesHere {
  const words = useSettled(query.trim(), wanted);
  const asked = useQuery({
    ...queries.choices(workflowId, { input: name, inputs, ...(words !== '' && { query: words }) }),
    enabled: wanted,
    // What was there stays while more is typed; what another input led to does not.
    placeholderData: (before, of) => {
      const was = of?.queryKey.at(2);
      return typeof was === 'object' && JSON.stringify(was.inputs) === JSON.stringify(inputs) ? before : undefined;
    },
  });
  const { data, isFetching, isError, error, refetch } = asked;
  const isBusy = wanted && (words !== query.trim() || isFetching);
  const failed = isError && !isFetching;
  return {
    choices: wanted && !isError ? (data?.choices ?? []) : [],
    isBusy,
    failed,
    words: failed ? failedWords(error) : data === undefined || isBusy ? 'Loading choices …' : choicesWords(data, words),
    again: () => void refetch(),
  };
}

/** What was typed, once nobody has typed for a moment; an empty field at once. */
function useSettled(text: string, wanted: boolean): string {
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = window.setTimeout(() => setSettled(text), text === '' || !wanted ? 0 : pauseMs);
    return () => window.clearTimeout(timer);
  }, [text, wanted]);
  return settled;
}

/** Each part as a sentence; the last is always a way on. */
function failedWords(cause: unknown): string {
  const { message, told } = asFailure(cause);
  const action = told?.suggested_action ?? '';
  const next = action.includes('yourself') ? [action] : [action, 'you can also enter the value yourself'];
  return [`could not fetch the choices: ${message}`, ...next]
    .filter((part) => part !== '')
    .map((part) => `${part.charAt(0).toUpperCase()}${part.slice(1).replace(/\.$/u, '')}.`)
    .join(' ');
}

function choicesWords({ choices, total, complete, stale }: ChoicesOffered, query: string): string {
  const old = stale === undefined ? '' : ` These are from an earlier answer: ${stale}.`;
  if (total === 0)
    return `${query === '' ? 'There are no choices' : `No choice matches “${query}”`}${complete ? '' : ', but not all were searched'}. You can enter the value yourself.${old}`;
  if (choices.length < total)
    return `${choices.length} of ${total}${complete ? '' : ' or more'}. Type to search.${old}`;
  if (!complete)
    return `${plural(total, 'choice')}, and there are more than were searched: for another one, enter the value yourself.${old}`;
  return `${plural(total, 'choice')}.${old}`;
}
