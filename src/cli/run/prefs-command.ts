import { spokenMode, spokenPreference } from '../../base/mode-words.js';
import { modeOf, type Preferences, preferenceNames } from '../../base/preferences.js';
import type { PreferencesTold } from '../../contract/people-answers.js';
import { askedPreferences } from '../shell/asked-preferences.js';
import { withRequests } from '../shell/with-requests.js';
import type { Page } from '../print/page.js';

export const runPrefs = withRequests('prefs', async ({ parsed, misused, requests, reject, tell }) => {
  const [session] = parsed.words;
  const global = parsed.has('global');
  if (global && session !== undefined) return misused('--global applies to all sessions; leave out the session');
  const asked = askedPreferences(parsed);
  if (!asked.ok) return misused(asked.error);
  const told = await requests.people.changePreferences({ session, global, asked: asked.value });
  if (!told.ok) return reject(told.error);
  return tell(told.value, (page, preferences) => printPreferences(page, preferences, asked.value !== undefined));
});

function printPreferences(
  page: Page,
  { global, file, session, changed, warnings }: PreferencesTold,
  wasAsked: boolean,
): void {
  if (wasAsked)
    page.say(changed.length === 0 ? 'Nothing changed.' : 'Changed. This applies from the next step.', page.style.good);
  const run = session?.run;
  const rows: [string, Preferences][] = [['New sessions', global]];
  if (session !== undefined) rows.unshift([`New runs in session ${session.sessionId}`, session.preferences]);
  if (session !== undefined && run !== undefined)
    rows.unshift([`“${run.title}” in session ${session.sessionId}`, run.preferences]);
  rows.forEach(([who, preferences], index) => {
    const mode = modeOf(preferences);
    const { label, says } = spokenMode(preferences);
    page.say(`${who}${mode === undefined ? '' : ` (mode ${mode})`}`, page.style.bold);
    page.item('  ', `${label}: ${says}`);
    if (index > 0) return;
    for (const name of preferenceNames) {
      const one = spokenPreference(name, preferences[name]);
      page.item(`  ${one.label}: `, one.says === preferences[name] ? one.says : `${one.says} (${preferences[name]})`);
    }
  });
  page.item('  saved in ', file, page.style.dim);
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
