import { type Preferences, preferenceNames } from '../../base/preferences.js';
import type { PreferencesTold } from '../../contract/people-answers.js';
import { askedPreferences } from '../shell/asked-preferences.js';
import { type RequestsContext, withRequests } from '../shell/with-requests.js';
import { type ExitCode, exitCodes } from '../shell/exit-codes.js';
import { openPage, type Page } from '../print/page.js';
import { nearestMode } from '../../render/nearest-mode.js';

export const runPrefs = withRequests('prefs', prefs);

async function prefs({ parsed, misused, json, requests, reject, environment }: RequestsContext): Promise<ExitCode> {
  const [session] = parsed.words;
  const global = parsed.has('global');
  if (global && session !== undefined) return misused('--global is for all sessions; name none');
  const asked = askedPreferences(parsed);
  if (!asked.ok) return misused(asked.error);
  const told = await requests.people.changePreferences({ session, global, asked: asked.value });
  if (!told.ok) return reject(told.error);
  if (json) environment.out(JSON.stringify(told.value));
  else printPreferences(openPage(environment, { given: parsed }), told.value, asked.value !== undefined);
  return exitCodes.done;
}

function printPreferences(
  page: Page,
  { global, file, session, changed, warnings }: PreferencesTold,
  wasAsked: boolean,
): void {
  if (wasAsked)
    page.say(
      changed.length === 0
        ? 'It stands so already; nothing was changed.'
        : 'Changed. What is done from here on follows it.',
      page.style.good,
    );
  const run = session?.run;
  const rows: readonly (readonly [string, Preferences])[] = [
    ...(session !== undefined && run !== undefined
      ? [[`“${run.title}” in session ${session.sessionId}`, run.preferences] as const]
      : []),
    ...(session !== undefined ? [[`New runs in session ${session.sessionId}`, session.preferences] as const] : []),
    ['New sessions', global],
  ];
  rows.forEach(([who, preferences], index) => {
    page.say(`${who}: ${nearestMode(preferences)}`, page.style.bold);
    if (index === 0) for (const name of preferenceNames) page.item(`  ${name}: `, preferences[name]);
  });
  page.item('  kept in ', file, page.style.dim);
  for (const { message } of warnings) page.say(`Warning: ${message}.`, page.style.bad);
  if (wasAsked) return;
  page.gap();
  page.command('Change: ', [
    'prefs',
    ...(session === undefined ? ['--global'] : [session.sessionId]),
    '--mode',
    '<mode>',
  ]);
}
