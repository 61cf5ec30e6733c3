import { own } from '../../base/own.js';
import { visibleText } from '../../render/visible-text.js';
import type { JsonObjectTold } from './json-told.js';
import { placeWords } from './value-told.js';

const wordsIn = (row: JsonObjectTold, field: string): string => {
  const held = own(row, field);
  return typeof held === 'string' ? held.trim() : '';
};

export const severityOf = (row: JsonObjectTold): string | undefined => wordsIn(row, 'severity') || undefined;

/** Nobody has to act on it any more. */
export const isSettled = ({ status }: JsonObjectTold): boolean =>
  status === 'fixed' || status === 'dismissed' || status === 'resolved';

/** A comment as it is posted at its place. */
export const commentText = (row: JsonObjectTold): string => visibleText(wordsIn(row, 'body') || wordsIn(row, 'title'));

/** A finding as somebody pastes it into a review. */
export function findingText(row: JsonObjectTold): string {
  const place = placeWords(row['location']);
  const suggestion = wordsIn(row, 'suggestion');
  const parts = [
    `**${titled(row)}**${place === undefined ? '' : ` (${place})`}`,
    wordsIn(row, 'body') || wordsIn(row, 'rationale'),
    suggestion === '' ? '' : `Suggestion: ${suggestion}`,
  ];
  return visibleText(parts.filter((part) => part !== '').join('\n\n'));
}

const titled = (row: JsonObjectTold): string =>
  [severityOf(row) ?? '', wordsIn(row, 'title')].filter((part) => part !== '').join(': ') || 'Finding';

export const wholeChange = 'On the whole change';

/** All comments in one text, each below its place. */
export const allComments = (rows: readonly JsonObjectTold[]): string =>
  rows
    .map((row) => {
      const heading = `### ${placeWords(row['location']) ?? wholeChange}`;
      const title = wordsIn(row, 'body') === '' ? '' : titled(row);
      return visibleText(
        [heading, title === '' ? '' : `**${title}**`, commentText(row)].filter((part) => part !== '').join('\n\n'),
      );
    })
    .join('\n\n');

/** What somebody still has to act on, in one text. */
export const allFindings = (rows: readonly JsonObjectTold[]): string =>
  rows
    .filter((row) => !isSettled(row))
    .map(findingText)
    .join('\n\n---\n\n');
