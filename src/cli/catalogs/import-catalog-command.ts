import path from 'node:path';
import { plural } from '../../base/plural.js';
import type { JsonObject } from '../../base/json-value.js';
import { err, ok, type Result } from '../../base/result.js';
import type { DocumentTold, ImportAnswer, ImportPreview } from '../../contract/tools/catalog-answers.js';
import { kindOfPlace } from '../print/kind-of-place.js';
import type { Page } from '../print/page.js';
import { printCall } from '../print/print-telling.js';
import { printViolation } from '../print/print-violation.js';
import { ask } from '../shell/ask.js';
import { type ExitCode, exitCodes } from '../shell/exit-codes.js';
import { type RequestsContext, withRequests } from '../shell/with-requests.js';

const mostPreviewed = 10;

export const runCatalogsValidate = withRequests('catalogs validate', async (asked) => {
  const document = documentAsked(asked);
  if (!document.ok) return document.error;
  const told = await ask(asked, 'validate_openapi', document.value.fields);
  if (!told.ok) return told.error;
  const { value } = told;
  const code = value.valid ? exitCodes.done : exitCodes.rejected;
  return asked.tell(value, (page) => printJudged(page, value, document.value), code);
});

export const runCatalogsPreview = withRequests('catalogs preview', async (asked) => {
  const document = documentAsked(asked);
  if (!document.ok) return document.error;
  const fields = { ...document.value.fields, ...namesAsked(asked), includeCommandPreview: true };
  const told = await ask(asked, 'preview_openapi', fields);
  return told.ok ? asked.tell(told.value, (page) => printPreview(page, told.value, document.value)) : told.error;
});

export const runCatalogsImport = withRequests('catalogs import', async (asked) => {
  const { parsed } = asked;
  const document = documentAsked(asked);
  if (!document.ok) return document.error;
  const told = await ask(asked, 'import_openapi', {
    ...document.value.fields,
    ...namesAsked(asked),
    ...(parsed.has('overwrite') && { overwrite: true }),
    ...(parsed.has('disabled') && { enabled: false }),
  });
  return told.ok ? asked.tell(told.value, (page) => printImported(page, told.value, document.value)) : told.error;
});

interface DocumentAsked {
  /** As the person named it. */
  readonly named: string;
  /** What of it goes into a request. */
  readonly fields: JsonObject;
  /** The same as words of a command. */
  readonly words: readonly string[];
  /** Of a file, the folder that paths in answers start from, as far as the answer's name of it says. */
  readonly shown: (source: string, file: string | undefined) => string;
}

/** A file anywhere, or an address: who types one has asked for it. */
function documentAsked(asked: RequestsContext): Result<DocumentAsked, ExitCode> {
  const { parsed, misused, reject, environment } = asked;
  const [word] = parsed.words;
  const url = parsed.text('url');
  if (word !== undefined && url !== undefined) return err(misused('name a file or --url, not both'));
  const address = url ?? (word !== undefined && /^https?:\/\//iu.test(word) ? word : undefined);
  if (address !== undefined)
    return ok({
      named: address,
      fields: { source: address, sourceType: 'url' },
      words: ['--url', address],
      shown: (_, file) => file ?? address,
    });
  if (word === undefined) return err(misused(`which document? \`workrail ${asked.name} openapi.yaml\``));
  const place = path.resolve(environment.workingFolder, word);
  const kind = kindOfPlace(place);
  if (kind !== 'file')
    return err(
      reject({
        code: 'NOT_FOUND',
        message: kind === 'folder' ? `${word} is a folder` : `no such file: ${word}`,
        action: 'name an OpenAPI document, as YAML or JSON',
        context: { path: word },
      }),
    );
  // As it was typed, where that means the same: so it comes back in what is to be run next.
  const near = parsed.text('workspace') === undefined ? word : place;
  const shown = (source: string, file: string | undefined): string => {
    if (file === undefined || file === source || !place.endsWith(path.sep + source)) return word;
    return path.relative(environment.workingFolder, path.join(place.slice(0, -source.length), file));
  };
  return ok({ named: word, fields: { source: near, sourceType: 'path' }, words: [word], shown });
}

/** What a catalog is called and where it goes. */
function namesAsked({ parsed, name }: RequestsContext): JsonObject {
  const fields = { id: 'catalogId', title: 'title', vendor: 'vendor', 'base-url': 'baseUrl', to: 'to' };
  return Object.fromEntries(
    Object.entries(fields).flatMap(([option, field]): [string, string][] => {
      const value = name === 'catalogs preview' && option === 'to' ? undefined : parsed.text(option);
      return value === undefined ? [] : [[field, value]];
    }),
  );
}

const kinds: { readonly [kind in DocumentTold['documentKind']]: string } = {
  openapi_2: 'OpenAPI 2.0',
  openapi_3: 'OpenAPI 3.0',
  openapi_3_1: 'OpenAPI 3.1',
  unknown: 'not an OpenAPI document',
};

function printJudged(page: Page, told: DocumentTold, { named, words, shown }: DocumentAsked): void {
  const { valid, documentKind, title = '', version = '', operationCount, violations, warnings, omitted = 0 } = told;
  const print = (severity: string, found: readonly JsonObject[]): void => {
    for (const one of found) {
      const file = typeof one['file'] === 'string' ? one['file'] : undefined;
      printViolation(page, shown(told.source, file), { ...one, severity, pointer: one['path'] ?? '' });
    }
  };
  print('error', violations);
  print('warning', warnings);
  if (omitted > 0) page.say(`and ${omitted} more`);
  page.gap();
  if (!valid) return page.say(`${named} cannot be imported: ${plural(violations.length, 'error')}.`, page.style.bad);
  const about = [title, version].filter((part) => part !== '').join(' ');
  page.say(
    `${named} is valid: ${about} (${kinds[documentKind]}), ${plural(operationCount, 'operation')}${warnings.length === 0 ? '' : `, ${plural(warnings.length, 'warning')}`}.`,
    page.style.good,
  );
  page.command('See what it would make: ', ['catalogs', 'preview', ...words]);
}

function printWarnings(
  page: Page,
  source: string,
  warnings: readonly JsonObject[],
  { shown, words }: DocumentAsked,
): void {
  for (const one of warnings.slice(0, 3)) {
    const file = typeof one['file'] === 'string' ? one['file'] : undefined;
    printViolation(page, shown(source, file), { ...one, severity: 'warning', pointer: one['path'] ?? '' });
  }
  if (warnings.length <= 3) return;
  page.command(`and ${warnings.length - 3} more warnings: `, ['catalogs', 'validate', ...words]);
}

function printPreview(page: Page, told: ImportPreview, document: DocumentAsked): void {
  const { catalog, replaces, projectedCommandCount, projectedGroupPrefixes, providerContractCount, nextCall } = told;
  const { commandPreview = [], warnings } = told;
  page.item(`${catalog.catalogId}  `, catalog.title, page.style.bold);
  page.item('Commands   ', `${projectedCommandCount}, ${providerContractCount} of which can offer choices`);
  if (projectedGroupPrefixes.length > 0) page.item('Groups     ', projectedGroupPrefixes.join(', '));
  page.item('Address    ', catalog.baseUrl ?? 'the document gives none; add --base-url');
  if (replaces !== undefined) page.item('Replaces   ', `the document of the catalog that is here (${replaces})`);
  page.gap();
  const shownCommands = commandPreview.slice(0, mostPreviewed);
  for (const { command, summary, method, path: at, safety } of shownCommands)
    page.item(`  ${command}: `, `${summary || at} (${method}, ${safety})`);
  const more = projectedCommandCount - shownCommands.length;
  if (more > 0) page.say(`  and ${more} more`);
  page.gap();
  printWarnings(page, sourceOf(nextCall.arguments), warnings, document);
  page.gap();
  printCall(page, 'Import it: ', { ...nextCall, arguments: { ...nextCall.arguments, source: document.named } });
}

const sourceOf = ({ source }: JsonObject): string => (typeof source === 'string' ? path.basename(source) : '');

const done: { readonly [happened in ImportAnswer['happened']]: string } = {
  created: 'Imported',
  replaced: 'Replaced',
  unchanged: 'Already imported:',
};

function printImported(page: Page, told: ImportAnswer, document: DocumentAsked): void {
  const { catalogId, happened, catalogPath, commandCount, enabled, warnings } = told;
  printWarnings(page, path.basename(document.named), warnings, document);
  page.gap();
  page.say(
    `${done[happened]} ${catalogId} (${catalogPath}): ${plural(commandCount, 'command')}${enabled ? '' : ', disabled'}.`,
    page.style.good,
  );
  if (!enabled) return page.command('Enable it: ', ['catalogs', 'enable', catalogId]);
  page.command('See its settings: ', ['catalogs', 'show', catalogId]);
  page.command('Find a command: ', ['commands', 'search', '<words>', '--catalog', catalogId]);
}
