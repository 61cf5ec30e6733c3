import { withCommands } from '../../base/sentence.js';
import type { FindingTold } from '../../contract/session-story.js';
import type { Finding } from '../../log/port/finding.js';
import type { Environment } from './environment.js';

/** What is amiss with a session as people read it: commands run as they stand, and for this session alone. */
export const findingsTold = (env: Environment, findings: readonly Finding[], session: string): readonly FindingTold[] =>
  findings.map(({ kept: _kept, ...finding }) => ({
    ...finding,
    remedy: env.words(withCommands(finding.remedy, session)),
  }));
