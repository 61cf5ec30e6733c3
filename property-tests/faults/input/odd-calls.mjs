import fc from 'fast-check';
import { heavyValue, oddObject, oddText, oddValue } from './odd-values.mjs';

const right = (value) => ({ right: value });
const choice = (...values) => right(fc.constantFrom(...values));
const live = (kind) => fc.nat(40).map((n) => `@@${kind}:${n}@@`);
/** A token that is nearly one of ours: cut, doubled, changed, in another case. */
const nearly = (kind) =>
  fc
    .tuple(live(kind), fc.constantFrom('', 'x', '0', ' ', '\u0000', '.', 'ſ'), fc.boolean())
    .map(([token, more, front]) => (front ? `${more}${token}` : `${token}${more}`));
const token = (kind) =>
  right(
    fc.oneof(
      { weight: 6, arbitrary: live(kind) },
      { weight: 1, arbitrary: nearly(kind) },
      { weight: 1, arbitrary: live(kind === 'state' ? 'ack' : 'state') },
    ),
  );
const words = right(
  fc.oneof({ weight: 2, arbitrary: fc.constantFrom('some words', 'AUTH', 'main') }, { weight: 3, arbitrary: oddText }),
);
const workflowId = right(
  fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom('user.chain', 'user.asking', 'wr.bug_investigation') },
    { weight: 1, arbitrary: oddText },
  ),
);
const session = right(
  fc.oneof({ weight: 3, arbitrary: fc.nat(30).map((n) => `FUZZ-${n}`) }, { weight: 1, arbitrary: oddText }),
);
const modes = choice('guided', 'auto_stop', 'auto_never_stop');

/** Each of some fields as it should be, mostly; else left out, or whatever there is. Now and then a field that nobody knows. */
function near(fields) {
  const entries = Object.entries(fields).map(([name, { right: good }]) =>
    fc.oneof(
      { weight: 12, arbitrary: good.map((value) => [name, value]) },
      { weight: 6, arbitrary: fc.constant(undefined) },
      { weight: 1, arbitrary: oddValue.map((value) => [name, value]) },
    ),
  );
  const strange = fc.oneof(
    { weight: 19, arbitrary: fc.constant([]) },
    { weight: 1, arbitrary: fc.tuple(oddText, oddValue).map((entry) => [entry]) },
  );
  return fc
    .tuple(fc.tuple(...entries), strange)
    .map(([known, more]) => Object.fromEntries([...known.filter((entry) => entry !== undefined), ...more]));
}

const gap = near({
  category: choice(
    'user_only_dependency',
    'contract_violation',
    'confirmation',
    'limit',
    'agent_disclosed',
    'unexpected',
  ),
  reason: right(fc.oneof(fc.constantFrom('needs_user_choice', 'needs_user_approval'), oddText)),
  detail: words,
  severity: choice('info', 'warning', 'critical'),
  assumption: words,
  resolves: choice('gap_00000000', 'gap_1a2b3c4d'),
});
const artifact = fc.oneof(
  near({ kind: choice('report', 'x', '__proto__'), title: words, severity: words }),
  oddObject.map((value) => ({ ...value, kind: 'odd' })),
);
const output = near({
  notesMarkdown: words,
  artifacts: right(fc.array(artifact, { maxLength: 3 })),
  gaps: right(fc.array(gap, { maxLength: 3 })),
});
const preferences = near({
  mode: modes,
  autonomy: choice('guided', 'full_auto_stop_on_user_deps', 'full_auto_never_stop'),
  gateHandling: choice('block', 'risk_signal'),
  assumptionPolicy: choice('ask_when_missing', 'record_when_missing'),
  riskPolicy: choice('conservative', 'balanced', 'aggressive'),
});
const context = fc.oneof(
  near({
    about: words,
    ticketId: session,
    choice: choice('left', 'right'),
    items: right(fc.array(oddText, { maxLength: 4 })),
  }),
  oddObject,
);
const bool = right(fc.boolean());
const cursor = right(fc.oneof(fc.constantFrom('50', '-1', '0', '1e9', 'x'), oddText));

const argumentsOf = {
  list_workflows: near({ query: words, tag: words, kind: choice('workflow', 'routine'), cursor }),
  inspect_workflow: near({ workflowId, mode: choice('metadata', 'preview', 'source'), cursor }),
  start_workflow: near({
    workflowId,
    context: right(context),
    session,
    mode: modes,
    preferences: right(preferences),
    fresh: bool,
  }),
  continue_workflow: near({
    stateToken: token('state'),
    ackToken: token('ack'),
    context: right(context),
    output: right(output),
    confirmed: bool,
    preferences: right(preferences),
    page: cursor,
  }),
  checkpoint_workflow: near({ stateToken: token('state'), sessionToken: token('session'), output: right(output) }),
  start_session: near({ title: words, tags: right(fc.array(oddText, { maxLength: 4 })), session }),
  resume_session: near({
    query: words,
    gitBranch: words,
    gitHead: choice('abcdef1', 'f'.repeat(40)),
    sessionId: session,
    limit: right(fc.integer({ min: -1, max: 9 })),
  }),
};

/** The pair of one step, as it was given, with an output: what is refused otherwise would hide what lies behind it. */
const goodAck = fc
  .tuple(fc.nat(40), near({ notesMarkdown: words, artifacts: right(fc.array(artifact, { maxLength: 2 })) }), context)
  .map(([n, given, facts]) => ({
    stateToken: `@@pair:${n}:state@@`,
    ackToken: `@@pair:${n}:ack@@`,
    output: given,
    context: facts,
  }));
/** Right in everything but what it hands in, which is more than is taken. */
const heavyAck = fc.tuple(fc.nat(40), heavyValue).map(([n, value]) => ({
  stateToken: `@@pair:${n}:state@@`,
  ackToken: `@@pair:${n}:ack@@`,
  output: { notesMarkdown: 'Heavy.', artifacts: [{ kind: 'heavy', value }] },
}));

export const oddCall = fc.oneof(
  { weight: 4, arbitrary: goodAck.map((args) => ({ name: 'continue_workflow', arguments: args })) },
  { weight: 1, arbitrary: heavyAck.map((args) => ({ name: 'continue_workflow', arguments: args })) },
  ...Object.entries(argumentsOf).map(([name, args]) => ({
    weight: name === 'continue_workflow' ? 6 : name === 'resume_session' ? 1 : 3,
    arbitrary: args.map((given) => ({ name, arguments: given })),
  })),
  {
    weight: 1,
    arbitrary: fc
      .tuple(fc.constantFrom(...Object.keys(argumentsOf)), oddValue)
      .map(([name, args]) => ({ name, arguments: args })),
  },
  { weight: 1, arbitrary: fc.tuple(oddText, oddObject).map(([name, args]) => ({ name, arguments: args })) },
);

/** Tokens that were given out, of which calls take one by its number. */
export function openTokens() {
  const pairs = [];
  const sessions = [];
  const keep = (list, value) => {
    list.push(value);
    if (list.length > 40) list.shift();
  };
  const take = (list, n) => (list.length === 0 ? undefined : list[n % list.length]);
  return {
    heard: (answer) => {
      if (typeof answer?.stateToken === 'string' && typeof answer.ackToken === 'string')
        keep(pairs, { state: answer.stateToken, ack: answer.ackToken });
      if (typeof answer?.sessionToken === 'string') keep(sessions, answer.sessionToken);
    },
    put: (text) =>
      text.replaceAll(/@@(state|ack|session|pair):(\d+)(?::(state|ack))?@@/gu, (_, kind, n, part) => {
        if (kind === 'session') return take(sessions, Number(n)) ?? 'ss.v1.none';
        return take(pairs, Number(n))?.[part ?? kind] ?? 'st.v1.none';
      }),
  };
}
