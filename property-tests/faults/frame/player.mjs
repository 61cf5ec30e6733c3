import { settle } from './ledger.mjs';

/**
 * Plays with a server whatever the dice say: sessions begun, steps completed, notes kept, old steps gone back to, calls
 * made again. What is refused is asked once more, as an agent is told to. Returns false once the server is gone.
 * `known` are steps that other players have been at, where they share what they know. `writesStates` says whether it
 * writes to shared states as well.
 */
export function openPlayer({ ledger, dice, name, tries = 2, known, mostSessions = Infinity, writesStates = true }) {
  const sessions = [];
  let agent;

  const say = async (tool, args, said) => {
    const entry = ledger.ask(tool, args, said);
    for (let round = 0; round < tries && entry.outcome !== 'acked'; round += 1) {
      const result = await agent.call(tool, args);
      if (result === undefined) return undefined;
      settle(entry, result);
    }
    return entry;
  };

  const begin = async () => {
    const session = `${name}-${sessions.length}`;
    const entry = await say('start_workflow', {
      workflowId: 'user.chain',
      session,
      context: { about: `${name} ${sessions.length}` },
    });
    if (entry?.outcome === 'acked') {
      sessions.push({ id: session, pairs: [tokensOf(entry)], last: entry });
      known?.push(entry.answer.stateToken);
    }
    return entry;
  };

  const advance = async (session) => {
    const pair = session.pairs.at(-1);
    const notesMarkdown = ledger.text(dice);
    const preferences = dice.chance(0.1)
      ? { preferences: { riskPolicy: dice.oneOf(['conservative', 'balanced', 'aggressive']) } }
      : {};
    const entry = await say('continue_workflow', { ...pair, output: { notesMarkdown }, ...preferences }, notesMarkdown);
    if (entry?.outcome === 'acked') {
      session.pairs.push(tokensOf(entry));
      known?.push(entry.answer.stateToken);
    }
    return entry;
  };

  const keep = async (session) => {
    const notesMarkdown = ledger.text(dice);
    const stateToken = known !== undefined && dice.chance(0.7) ? dice.oneOf(known) : session.pairs.at(-1).stateToken;
    return say('checkpoint_workflow', { stateToken, output: { notesMarkdown } }, notesMarkdown);
  };

  /** Goes back to an older step and makes a branch from there. */
  const goBack = async (session) => {
    const { stateToken } = dice.oneOf(session.pairs);
    const entry = await say('continue_workflow', { stateToken });
    if (entry?.outcome === 'acked' && entry.answer.ackToken !== undefined) session.pairs.push(tokensOf(entry));
    return entry;
  };

  const openState = writesStates ? openStateWriter({ say, ledger, dice }) : undefined;

  const step = () => {
    if (sessions.length === 0 || (sessions.length < mostSessions && dice.chance(0.12))) return begin();
    const session = dice.oneOf(sessions);
    const roll = dice.below(20);
    if (roll < 4 && openState !== undefined) return openState(session);
    if (roll < 13) return advance(session);
    if (roll < 17) return keep(session);
    return goBack(session);
  };

  return {
    sessions,
    /** The agent may be another than before: sessions outlive servers. */
    play: async (next, steps) => {
      agent = next;
      for (let count = 0; count < steps; count += 1) if ((await step()) === undefined) return false;
      return true;
    },
  };
}

/**
 * Writes to the state that a session shares. Each write has a place of its own, and takes out an old one of this writer:
 * whatever others do meanwhile, it touches nothing of theirs, and asked again it is the same write.
 */
function openStateWriter({ say, ledger, dice }) {
  const writer = `p${dice.below(1e9)}`;
  let count = 0;
  return async (session) => {
    session.state ??= { places: [] };
    const { state } = session;
    if (state.last === undefined) {
      // Long enough that no write is recorded as the document as a whole.
      const args = { schemaName: 'any', initialData: { marks: {}, about: 'x'.repeat(400) }, session: session.id };
      const created = await say('state_create', args);
      if (created?.outcome === 'acked') state.last = created.answer;
      return created;
    }
    const said = ledger.text(dice);
    const path = `/marks/${writer}-${(count += 1)}`;
    const old = state.places.length > 3 ? state.places.shift() : undefined;
    const operations = [{ op: 'add', path, value: said }, ...(old === undefined ? [] : [{ op: 'remove', path: old }])];
    const entry = await say('state_patch', { writeToken: state.last.writeToken, operations }, said);
    if (entry?.outcome !== 'acked') return entry;
    state.last = entry.answer;
    state.places.push(path);
    return entry;
  };
}

function tokensOf({ answer: { stateToken, ackToken } }) {
  return { stateToken, ackToken };
}
