import { plural } from '../../base/plural.js';
import type { StateListed } from '../../contract/states-told.js';
import { jsonLine } from '../print/json-line.js';
import { printable } from '../print/printable.js';
import { withRequests } from '../shell/with-requests.js';

export const runStateList = withRequests(
  'state list',
  async ({ parsed, requests, environment, misused, reject, tell }) => {
    const status = parsed.text('status');
    if (status !== undefined && status !== 'open' && status !== 'closed') return misused('--status is open or closed');
    const [session, schema] = [parsed.text('session'), parsed.text('schema')];
    const listed = await requests.people.listStates({ session, schema, status, limit: Number.MAX_SAFE_INTEGER });
    if (!listed.ok) return reject(listed.error);
    const print = (state: StateListed): readonly string[] => [
      state.root_session_name,
      `${state.schema_name} ${state.schema_version}`,
      `version ${state.version}`,
      state.status,
      state.updated_at,
      state.state_id,
      state.conflicts.length === 0 ? '' : `${plural(state.conflicts.length, 'change')} could not be merged`,
    ];
    return tell(
      listed.value,
      (page, { states, unreadable }) => {
        if (states.length === 0 && environment.stdoutIsTerminal) {
          page.say('No shared states.');
          page.command('Create one: ', ['state', 'create', '<session>', '<schema>', '<json>']);
        }
        for (const [name = '', ...facts] of states.map(print)) {
          if (environment.stdoutIsTerminal)
            page.item(`${name}  `, facts.filter((fact) => fact !== '').join(' · '), page.style.bold);
          else environment.out([name, ...facts].map((field) => printable(field)).join('\t'));
        }
        for (const { sessionId, folder, message } of unreadable)
          environment.err(
            `workrail state list: ${printable(sessionId ?? folder)} cannot be read: ${printable(message)}`,
          );
      },
      undefined,
      jsonLine,
    );
  },
);
