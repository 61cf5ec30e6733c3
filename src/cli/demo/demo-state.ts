import { writeFileSync } from 'node:fs';
import path from 'node:path';
import type { JsonObject } from '../../base/json-value.js';
import type { StateVersions } from '../../contract/states-told.js';
import type { Claims } from './demo-claims.js';
import type { Person } from './demo-colleague.js';
import { playerOn } from './demo-player.js';
import { sharedReview } from './shared-review.js';

const { session, schemaName, schema, begun, byLoad, byCorrectness, wrong, last } = sharedReview;

/** Two reviewers write to one document at once, and none of it is lost. */
export async function shareAState(me: Person, { scene, claim, need }: Claims): Promise<void> {
  scene('Two agents share a state');
  const file = path.join(me.place.folder, 'review-board.schema.json');
  writeFileSync(file, JSON.stringify(schema));
  const added = me.run(['schema', 'add', schemaName, file]);
  need('workrail schema add registers what the document must fit', added.code === 0, added.text);
  const server = await me.startServer('--toolsets', 'state');
  try {
    const player = playerOn(server);
    const made = await player.call('state_create', { session, schemaName, initialData: begun });
    need(`state_create makes a document for all agents of ${session}`, !made.isError, made.text);
    const { writeToken = '' } = (await player.call('state_read', { session })).answer;
    const patch = (operations: readonly JsonObject[], from: JsonObject): ReturnType<typeof player.call> =>
      player.call('state_patch', { operations, ...from });
    await patch(byLoad, { writeToken });
    const both = await patch(byCorrectness, { writeToken });
    claim(
      'both write from the same version, and both changes are in it',
      both.answer['version'] === 3 && !both.isError,
      both.text,
    );
    const refused = await patch(wrong, { session });
    claim(
      'what does not fit the schema is refused, with the place and why',
      refused.isError && refused.text.includes('/status'),
      refused.text,
    );
    await patch(last, { session });
  } finally {
    await server.close();
  }
  const listed = me.run(['state', 'log', session, '--json']);
  const versions = listed.code === 0 ? (JSON.parse(listed.text) as StateVersions).versions : [];
  claim('workrail state log has every version of it', versions.length === 4, listed.text);
}
