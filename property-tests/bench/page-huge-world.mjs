// Ten thousand sessions, and among them one whose run has five thousand places on two hundred branches.
import { makeSessions } from './many-sessions.mjs';
import { ackOf, beginRun, makeWorld, notesOf, openWorld, say } from './bench-world.mjs';
import { dice } from './dice.mjs';

export const bigSession = 'BIG-1';

/** Plays a run to so many places: a trunk, and branches that leave it and each other. */
async function playBigRun(requests, { nodes, branches }) {
  const roll = dice(7);
  let at = await beginRun(requests, bigSession);
  const tokens = [at.stateToken];
  const step = async (from) => {
    const { answer } = await say(requests, 'continue_workflow', ackOf(from, notesOf(200, tokens.length)));
    tokens.push(answer.stateToken);
    return answer;
  };
  const each = Math.floor(nodes / branches);
  while (tokens.length < nodes - each * (branches - 1)) at = await step(at);
  for (let branch = 1; branch < branches; branch += 1) {
    let { answer } = await say(requests, 'continue_workflow', { stateToken: tokens[roll(tokens.length - each)] });
    for (let place = 0; place < each; place += 1) answer = await step(answer);
  }
  return tokens.length;
}

/** A world of that size, or the one that lies in a folder from an earlier round. */
export async function makeHugeWorld({ sessions, nodes, branches, folder }) {
  if (folder !== undefined) return openWorld(folder);
  const world = makeWorld();
  await makeSessions(world, world.data, 0, sessions - 1);
  const requests = await world.open();
  const made = await playBigRun(requests, { nodes, branches });
  await requests.close();
  console.error(`made ${sessions} sessions in ${world.folder}, one of them with ${made} places`);
  return world;
}
