import { own } from '../../base/own.js';
import { address } from '../api/address.js';
import { importDesk } from '../bundles/import-desk.js';
import { documentDesk } from '../catalogs/document-desk.js';
import { keyMap } from '../keys/key-map.js';
import { chooseFiles } from '../parts/choose-files.js';
import type { Route } from '../router/route.js';
import type { Found } from './found.js';

/** What else people call a thing, so that they find it by their own word. */
const otherWords: Readonly<Record<string, string>> = {
  Export: 'share send bundle save download markdown html pdf print',
  'Title, tags and retention': 'labels rename keep prune',
  Preferences: 'settings mode autonomy options',
  'Keyboard shortcuts': 'keys help',
  'Show the whole run': 'fit zoom',
};
/** These move about in a list or a map; nobody looks for them by a word. */
const moves = /^(?:Ctrl\+k|g .|Arrow.*|Home|End|Enter|Escape|Page.*|[jk+-]|\s)$/u;

/** What can be done from where somebody is: what keys do just now, and what opens a dialog or a file. */
export function actionsAt(route: Route): readonly Found[] {
  const sessionId = 'sessionId' in route ? route.sessionId : undefined;
  return [
    {
      key: 'import a session',
      title: 'Import a session',
      words: 'bundle merge open file workrail',
      hint: 'Choose a bundle',
      run: () => chooseFiles('', (files) => importDesk.bringIn(files, false)),
    },
    {
      key: 'import and merge',
      title: 'Import and merge a session',
      words: 'bundle',
      hint: 'Choose a bundle with the same history',
      run: () => chooseFiles('', (files) => importDesk.bringIn(files, true)),
    },
    {
      key: 'import an api',
      title: 'Import an API',
      words: 'openapi document catalog swagger',
      hint: 'Choose an OpenAPI document',
      run: () => chooseFiles('.yaml,.yml,.json', (files) => documentDesk.bringIn(files)),
    },
    ...(sessionId === undefined ? [] : reportOf(sessionId)),
    ...keyMap
      .groups()
      .flatMap(({ bindings }) =>
        bindings.flatMap(({ keys, says, run }): readonly Found[] =>
          run === undefined || moves.test(keys)
            ? []
            : [{ key: `action ${keys} ${says}`, title: says, words: own(otherWords, says) ?? '', hint: keys, run }],
        ),
      ),
  ];
}

function reportOf(sessionId: string): readonly Found[] {
  const report = address(['sessions', sessionId, 'render'], { format: 'html' });
  return [
    {
      key: 'report',
      title: 'Report',
      words: 'share html print pdf summary document',
      hint: 'Opens in a new tab',
      run: () => void window.open(report, '_blank', 'noreferrer'),
    },
  ];
}
