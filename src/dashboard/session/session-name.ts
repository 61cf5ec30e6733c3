import type { RunHead, SessionHead } from '../../contract/session-story.js';
import { visibleTitle } from '../../render/visible-text.js';

/** What a run was asked to work on. */
export const givenTo = ({ about }: Pick<RunHead, 'about'>): string | undefined =>
  about === undefined ? undefined : visibleTitle(about);

/** What a session is called. */
export const sessionName = ({ about }: Pick<SessionHead, 'about'>): string => visibleTitle(about);
