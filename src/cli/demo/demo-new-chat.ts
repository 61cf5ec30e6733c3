import { isJsonObject } from '../../base/json-value.js';
import type { ExecutionAnswer } from '../../contract/answer.js';
import type { StdioClient } from '../../mcp/stdio-client.js';
import type { Claims } from './demo-claims.js';
import { executionOf, type Played, type Player, same, titleOf } from './demo-player.js';
import { lostRows } from './lost-rows.js';
import { lostRowsHunt } from './lost-rows-hunt.js';

export async function killTheServer(
  player: Player,
  { scene, claim }: Claims,
  server: StdioClient,
  at: ExecutionAnswer,
): Promise<Played> {
  scene('The server is killed in mid-run');
  const last = await player.play(at, lostRowsHunt.border[1]);
  await server.kill('SIGKILL');
  claim(`kill -9 right after “${titleOf(at)}” was acknowledged`, !isAlive(server.pid), 'the server lives');
  return last;
}

export async function resumeInANewChat(
  player: Player,
  { scene, claim, need }: Claims,
  last: Played,
): Promise<ExecutionAnswer> {
  scene('A new chat, a new server');
  const found = await player.call('resume_session', { query: lostRows.query });
  const { candidates } = found.answer;
  const best: unknown = Array.isArray(candidates) ? candidates[0] : undefined;
  const stateToken = isJsonObject(best) && typeof best['stateToken'] === 'string' ? best['stateToken'] : '';
  need(
    `resume_session finds ${lostRows.session} by the words “${lostRows.query}”`,
    isJsonObject(best) && best['sessionId'] === lostRows.session && stateToken !== '',
    found.text,
  );
  const looked = await player.call('continue_workflow', { stateToken });
  need(
    `it stands at “${titleOf(last.answer)}”: nothing acknowledged was lost`,
    !looked.isError && executionOf(looked).pending?.path === last.answer.pending?.path,
    looked.text,
  );
  const [oldest] = player.played;
  for (const [which, pair] of [
    ['last', last],
    ['first', oldest],
  ] as const) {
    const again = pair && (await player.call('continue_workflow', pair.request));
    claim(
      `the ${which} pair from before gets its answer, byte for byte, from the new process`,
      again !== undefined && same(pair?.said, again),
      again?.text,
    );
  }
  return executionOf(looked);
}

export async function mangleAToken(player: Player, { scene, claim }: Claims, at: ExecutionAnswer): Promise<void> {
  scene('A token is mangled');
  const { stateToken } = at;
  const middle = Math.floor(stateToken.length * 0.7);
  const swapped = stateToken[middle] === '7' ? '8' : '7';
  const mangled = stateToken.slice(0, middle) + swapped + stateToken.slice(middle + 1);
  const said = await player.call('continue_workflow', { stateToken: mangled });
  claim(`${mangled} is refused`, said.isError && said.text.startsWith('TOKEN_'), said.text);
  const [offer = 'nothing'] = /did you mean[^?]*\?/iu.exec(said.text) ?? [];
  claim(`it offers the right one: ${offer}`, offer.includes(stateToken), said.text);
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
