import fc from 'fast-check';
import { expect, test } from 'vitest';
import { modes } from '../../src/base/preferences.js';
import { decideAck } from '../../src/decide/decide-ack.js';
import { decideStart } from '../../src/decide/decide-start.js';
import { type IdsFromSeed, idsFromSeed } from '../../src/decide/ids-from-seed.js';
import type { RequestedOutput } from '../../src/decide/requested-output.js';
import { readPin } from '../../src/definitions/compiled/pin.js';
import type { CompiledWorkflow } from '../../src/definitions/compiled/compiled-workflow.js';
import type { Gap, Output } from '../../src/events/event-data.js';
import { compareEvents, type Event, type EventDraft } from '../../src/events/event.js';
import { foldSession } from '../../src/sessions/fold-session.js';
import { emptySession, type FoldedSession } from '../../src/sessions/folded-session.js';
import { eventsOf, grow, pinOf } from '../worlds/grown-sessions.js';
import { lives } from '../worlds/lives.js';
import { agentGapReason } from '../worlds/random-actions.js';
import { eventsIn, segmentTexts, sessionFolders } from '../worlds/requests-world.js';
import { patience, runs } from '../worlds/runs-of-law.js';

/** For each event the events that its decision knew: what stands before its append in its own segment, and what that and its append saw. */
function knowledgeOf(data: string, session: string): (event: Event) => readonly Event[] {
  const bySum = new Map(eventsOf(data, session).map((event) => [event.sum as string, event]));
  const firstOfGroup = new Map<string, Event>();
  for (const { text } of segmentTexts(data, session)) {
    let first: Event | undefined;
    for (const event of eventsIn(text)) {
      first ??= event;
      firstOfGroup.set(event.sum, first);
      if (event.more === undefined) first = undefined;
    }
  }
  return (event) => {
    const known = new Set<string>();
    const learn = (of: Event): void => {
      for (const sum of [of.prev, ...Object.values(of.saw ?? {})]) {
        const met = bySum.get(sum);
        if (met === undefined || known.has(sum)) continue;
        known.add(sum);
        learn(met);
      }
    };
    learn(firstOfGroup.get(event.sum)!);
    return [...known].map((sum) => bySum.get(sum)!).toSorted(compareEvents);
  };
}

/** What was asked, told from what was recorded. Gaps of the agent are known by their reasons; the others are the engine's. */
function askedFor(output: Output | undefined, gaps: readonly Gap[] | undefined): RequestedOutput | undefined {
  const own = (gaps ?? [])
    .filter(({ reason }) => reason === agentGapReason || reason === 'needs_user_choice')
    .map(({ id: _, ...gap }) => gap);
  if (output === undefined && own.length === 0) return undefined;
  return {
    ...(output?.notes !== undefined && { notesMarkdown: output.notes }),
    ...(output?.artifacts !== undefined && { artifacts: output.artifacts }),
    ...(own.length > 0 && { gaps: own }),
  };
}

/** Draws what was drawn then. */
function drawnAsIn(event: Event): IdsFromSeed {
  const gaps = 'gaps' in event.data ? (event.data.gaps ?? []) : [];
  // Where more gaps are found than were then, the others get ids of their own and are told apart by that.
  const others = idsFromSeed('');
  return {
    ...others,
    nodeId: () => event.node!,
    runId: () => event.run!,
    gapId: (index) => gaps[index]?.id ?? others.gapId(index),
  };
}

type Decided = Event<'run_started' | 'step_acked' | 'step_blocked'>;

function decideAgain(
  session: FoldedSession,
  event: Decided,
  workflow: CompiledWorkflow,
  confirmed: boolean,
): EventDraft | undefined {
  const draw = drawnAsIn(event);
  if (event.kind === 'run_started') {
    const { context, preferences, workflowHash: hash, source, key, engine } = event.data;
    const started = decideStart(session, {
      workflow,
      hash,
      source,
      context,
      preferences,
      fresh: true,
      sessionStart: { producer: '' },
      globalPreferences: modes.guided,
      observation: undefined,
      noticed: [],
      key,
      engine,
      draw,
    });
    return started.ok ? started.value.events.at(-1) : undefined;
  }
  const node = session.nodes.get(event.kind === 'step_acked' ? event.data.parent : event.node!);
  if (node === undefined) throw new Error('the node was not known when it was decided on');
  const { attempt, output, context, gaps } = event.data;
  const { preferences, key, engine } = { ...node.terms, ...event.data };
  const decided = decideAck(session, node, {
    workflow,
    attempt,
    output: askedFor(output, gaps),
    context,
    confirmed,
    refused: event.kind === 'step_blocked' ? event.data.refused : undefined,
    answers: event.kind === 'step_acked' ? event.data.answers : undefined,
    preferences,
    key,
    engine,
    draw,
  });
  return 'events' in decided ? decided.events[0] : undefined;
}

function confirmedIn(event: Decided): boolean {
  return event.kind === 'run_started' ? false : event.data.confirmed === true;
}

const asWritten = ({ kind, run, node, data }: EventDraft): unknown =>
  JSON.parse(JSON.stringify({ kind, run, node, data }));

const isDecision = (event: Event): event is Decided =>
  event.kind === 'run_started' || event.kind === 'step_acked' || event.kind === 'step_blocked';

test(
  'law 12: deciding again from what was known then gives what was recorded',
  async () => {
    const decided = { run_started: 0, step_acked: 0, step_blocked: 0 };
    await fc.assert(
      fc.asyncProperty(fc.nat(), lives, async (seed, life) => {
        const { world, data } = await grow(seed, life);
        try {
          for (const session of sessionFolders(data)) {
            const knowledge = knowledgeOf(data, session);
            const events = eventsOf(data, session);
            for (const event of events.filter(isDecision)) {
              const run = events.find(
                (other): other is Event<'run_started'> => other.kind === 'run_started' && other.run === event.run,
              )!;
              const pin = readPin(pinOf(data, session, run.data.workflowHash), run.data.workflowHash);
              if (!pin.ok) throw new Error(pin.error);
              const known = knowledge(event);
              const again = decideAgain(foldSession(emptySession(), known), event, pin.value, confirmedIn(event));
              expect(again && asWritten(again)).toEqual(asWritten(event));
              decided[event.kind] += 1;
            }
          }
        } finally {
          await world.close();
        }
      }),
      runs(40),
    );
    console.log(`law 12: decided again ${JSON.stringify(decided)}`);
    expect(Math.min(...Object.values(decided))).toBeGreaterThan(0);
  },
  patience,
);
