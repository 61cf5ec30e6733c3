import type { JsonObject, JsonValue } from '../base/json-value.js';
import type { DocumentStory } from '../contract/session-story.js';
import { plural } from '../base/plural.js';
import { own } from '../base/own.js';
import { gravity, severities } from '../base/severity.js';
import type { Block, Inline, Line, Tone } from './page.js';
import { apart, aside, badge, code, fact, facts, paragraph, quiet, strong, text } from './page.js';
import { spokenName } from './spoken-name.js';
import { namingField, placeOf, prose, separated, tellValue } from './tell-value.js';

const widestTable = 5;
const longestCell = 140;

/** Leads to the step of a path. */
export type StepAt = (path: string) => Inline;

/** First what the work came to, then what it went through. */
export function inReadingOrder(documents: readonly DocumentStory[]): readonly DocumentStory[] {
  const kinds = ['header', 'findings', 'comments', 'table', 'list', 'log'];
  const rank = ({ fold, shownAs }: DocumentStory): number => kinds.indexOf(shownAs ?? fold);
  return documents.toSorted((a, b) => rank(a) - rank(b));
}

/** What artifacts folded into, in the shape that can be read best. */
export function tellDocument(document: DocumentStory, stepAt: StepAt): readonly Block[] {
  const { leftOut } = document;
  const said = bodyOf(document, stepAt);
  if (leftOut === 0) return said;
  const left = `${plural(leftOut, 'entry', 'entries')} ${leftOut === 1 ? 'does' : 'do'} not fit into this document; see the step.`;
  return [...said, paragraph(quiet(left))];
}

function bodyOf(
  { fold, shownAs, header = {}, rows = [], entries = [], from: paths }: DocumentStory,
  stepAt: StepAt,
): readonly Block[] {
  const from = paths.map((path): Inline | undefined => (path === '' ? undefined : stepAt(path)));
  switch (fold) {
    case 'header':
      return tellHeader(header, from);
    case 'table':
      return shownAs === undefined
        ? tellTable(rows, from)
        : shownAs === 'comments'
          ? rows.map((row, index) => tellComment(row, from[index]))
          : tellFindings(rows, from);
    case 'log':
    case 'list':
      return entries.every((entry) => plainText(entry) !== undefined)
        ? tellTexts(entries, from)
        : entries.flatMap((entry, index) => tellEntry(entry, from[index]));
  }
}

type From = readonly (Inline | undefined)[];

const keyOf = (source: Inline | undefined): string => (source === undefined || !('text' in source) ? '' : source.text);

function sourceLine(from: From): readonly Block[] {
  const sources = [...new Map(from.map((source) => [keyOf(source), source])).values()].filter(
    (source) => source !== undefined,
  );
  if (sources.length === 0) return [];
  const lines = sources.length > 6 ? [[quiet(plural(sources.length, 'step'))]] : sources.map((source) => [source]);
  return [paragraph(quiet('From '), ...separated(lines, text(', ')))];
}

function tellHeader(header: JsonObject, from: From): readonly Block[] {
  return [
    ...facts(...Object.entries(header).map(([name, value]) => fact(spokenName(name), ...tellValue(value)))),
    ...sourceLine(from),
  ];
}

const plainText = (entry: JsonObject): string | undefined =>
  Object.keys(entry).length === 1 && typeof entry['text'] === 'string' ? entry['text'] : undefined;

function tellTexts(entries: readonly JsonObject[], from: From): readonly Block[] {
  const oneSource = new Set(from.map(keyOf)).size === 1;
  const items = entries.map((entry, index): readonly Line[] => [
    [...prose(plainText(entry) ?? ''), ...fromStep(oneSource ? undefined : from[index])],
  ]);
  return [{ is: 'list', items }, ...(oneSource ? sourceLine(from) : [])];
}

function tellTable(rows: readonly JsonObject[], from: From): readonly Block[] {
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const cells = rows.map((row) =>
    columns.map((column): readonly Line[] => {
      const held = own(row, column);
      return held === undefined ? [] : tellValue(held);
    }),
  );
  const longest = Math.max(
    0,
    ...cells
      .flat()
      .map((lines) => lines.flat().reduce((sum, piece) => sum + ('text' in piece ? piece.text.length : 0), 0)),
  );
  if (columns.length > widestTable || longest > longestCell || columns.length === 0)
    return rows.flatMap((row, index) => tellEntry(row, from[index]));
  return [
    {
      is: 'table',
      columns: columns.map(spokenName),
      rows: cells.map((row) => row.map((lines) => separated(lines, text('; ')))),
    },
    ...sourceLine(from),
  ];
}

const severityOf = (row: JsonObject): string => asText(row['severity']).toLowerCase();

function severityTone(severity: string): Tone {
  const known = severities.indexOf(severity.toLowerCase());
  return known < 0 || known > 5 ? 'plain' : known < 3 ? 'grave' : 'warning';
}

function tellFindings(rows: readonly JsonObject[], from: From): readonly Block[] {
  const sorted = rows.map((row, index) => ({ row, from: from[index], severity: severityOf(row), index }));
  sorted.sort(
    (a, b) =>
      gravity(a.severity) - gravity(b.severity) ||
      (a.severity < b.severity ? -1 : a.severity > b.severity ? 1 : a.index - b.index),
  );
  const counts = new Map<string, number>();
  for (const { severity } of sorted) counts.set(severity, (counts.get(severity) ?? 0) + 1);
  const total = [...counts].map(([severity, count]) => [
    badge(`${count} ${severity === '' ? 'without severity' : severity}`, severityTone(severity)),
  ]);
  return [
    paragraph(...separated(total, text(' '))),
    ...sorted.flatMap(({ row, from: source }) => tellEntry(row, source)),
  ];
}

function tellEntry(entry: JsonObject, from: Inline | undefined): readonly Block[] {
  const naming = namingField(entry);
  const place = placeOf(entry['location']);
  const severity = severityOf(entry);
  const status = typeof entry['status'] === 'string' ? entry['status'] : '';
  const inTitle = new Set([
    naming,
    ...(place === undefined ? [] : ['location']),
    ...(severity === '' ? [] : ['severity']),
    ...(status === '' ? [] : ['status']),
  ]);
  const others = Object.entries(entry).filter(([name]) => !inTitle.has(name));
  const title: Line = [
    ...(severity === '' ? [] : [badge(asText(entry['severity']), severityTone(severity)), text(' ')]),
    ...(naming === undefined
      ? []
      : prose(asText(own(entry, naming))).map((piece) => (piece.is === 'text' ? strong(piece.text) : piece))),
    ...(place === undefined ? [] : [text(' '), code(place)]),
    ...(status === '' || status === 'open' ? [] : [text(' '), badge(status, status === 'fixed' ? 'good' : 'plain')]),
    ...fromStep(from),
  ];
  const about = facts(...others.map(([name, value]) => fact(spokenName(name), ...tellValue(value))));
  return [aside(severityTone(severity), title, about)];
}

/** Where it stands and what it says, as it is to be posted. */
function tellComment(comment: JsonObject, from: Inline | undefined): Block {
  const { location, severity, title, body, ...others } = comment;
  const place = placeOf(location);
  const words = asText(title);
  const grade = asText(severity);
  const heading: Line = [
    place === undefined ? strong('On the whole change') : code(place),
    ...(grade === '' ? [] : [text(' '), badge(grade, severityTone(grade))]),
    ...(words === ''
      ? []
      : [text(' '), ...prose(words).map((piece) => (piece.is === 'text' ? strong(piece.text) : piece))]),
    ...fromStep(from),
  ];
  const besides = { ...others, ...(place === undefined && location !== undefined && { location }) };
  const said: readonly Block[] = asText(body) === '' ? [] : [{ is: 'notes', markdown: asText(body) }];
  return aside('plain', heading, [
    ...said,
    ...facts(...Object.entries(besides).map(([name, value]) => fact(spokenName(name), ...tellValue(value)))),
  ]);
}

const fromStep = (from: Inline | undefined): Line => (from === undefined ? [] : [apart, quiet('from '), from]);

const asText = (value: JsonValue | undefined): string => (typeof value === 'string' ? value.trim() : '');
