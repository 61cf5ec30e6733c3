import { spokenMode, spokenPreference } from '../../base/mode-words.js';
import { modeOf, type Preferences, preferenceNames } from '../../base/preferences.js';
import type { PreferencesTold } from '../../contract/people-answers.js';
import { pickNode } from '../sessions/pick-run.js';
import { askedPreferences } from '../shell/asked-preferences.js';
import { withRequests } from '../shell/with-requests.js';
import type { Page } from '../print/page.js';

export const runPrefs = withRequests('prefs', async ({ parsed, misused, requests, reject, tell }) => {
  const [session] = parsed.words;
  const global = parsed.has('global');
  const step = parsed.text('node');
  if (global && session !== undefined) return misused('--global applies to all sessions; leave out the session');
  if (global && step !== undefined) return misused('--global applies to all sessions; leave out --node');
  const asked = askedPreferences(parsed);
  if (!asked.ok) return misused(asked.error);
  let node: string | undefined;
  if (step !== undefined) {
    const story = await requests.people.readStory({ session });
    const picked = story.ok ? pickNode(story.value, step) : story;
    if (!picked.ok) return reject(picked.error);
    node = picked.value.node.nodeId;
  }
  const told = await requests.people.changePreferences({ session, global, node, asked: asked.value });
  if (!told.ok) return reject(told.error);
  return tell(told.value, (page, preferences) =>
    printPreferences(page, preferences, { node, wasAsked: asked.value !== undefined }),
  );
});

interface Printed {
  /** One step that waits: only from there on. */
  readonly node: string | undefined;
  readonly wasAsked: boolean;
}

function printPreferences(
  page: Page,
  { global, file, session, changed, warnings }: PreferencesTold,
  { node, wasAsked }: Printed,
): void {
  const run = session?.run;
  const from =
    node === undefined || run === undefined ? 'from the next step' : `from “${run.step}” on, on its branch only`;
  if (wasAsked) page.say(changed.length === 0 ? 'Nothing changed.' : `Changed. This applies ${from}.`, page.style.good);
  const rows: [string, Preferences][] = [['New sessions', global]];
  if (session !== undefined) rows.unshift([`New runs in session ${session.sessionId}`, session.preferences]);
  if (session !== undefined && run !== undefined)
    rows.unshift([`“${node === undefined ? run.title : run.step}” in session ${session.sessionId}`, run.preferences]);
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
    ...(node === undefined ? [] : ['--node', node]),
    '--mode',
    '<mode>',
  ]);
}
