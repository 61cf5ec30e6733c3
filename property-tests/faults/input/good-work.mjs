import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openLedger, settle } from '../frame/ledger.mjs';
import { makeWorld } from '../frame/world.mjs';

/** Asks for everything that a step can ask for, in texts that are made from what came in. */
const asking = `workflow: user.asking
title: Asks for much
description: Use this to try the server out.
version: 1.0.0
inputs:
  about: {type: string, default: nothing}
steps:
  - id: first
    notes: optional
    sets:
      choice: {type: string}
      items: {type: array, items: {type: string}}
    prompt: Say what \${{ inputs.about }} is, and of which kind.
  - id: each
    foreach: context.items
    as: item
    max: 20
    steps:
      - id: look
        notes: optional
        prompt: Look at \${{ item }}.
  - id: last
    notes: optional
    if: context.choice == "right"
    prompt: It was \${{ context.choice }}.
  - id: end
    prompt: Say how it went.
`;

/** A world of its own for odd input, beside whose sessions one is worked on as it should be. */
export function makeOddWorld(folder) {
  const world = makeWorld(folder);
  writeFileSync(join(world.config, 'workflows', 'asking.yaml'), asking);
  return world;
}

/** The work of an agent who does everything right, between whatever else is said to the same server. */
export function openGoodWork(name) {
  const ledger = openLedger(name);
  let pair;
  const say = async (server, tool, args, said) => {
    const entry = ledger.ask(tool, args, said);
    settle(entry, await server.call(tool, args));
    if (entry.outcome !== 'acked')
      return [`the next good call is not answered: ${tool}: ${entry.text?.slice(0, 300) ?? 'the server is gone'}`];
    pair = { stateToken: entry.answer.stateToken, ackToken: entry.answer.ackToken };
    return [];
  };
  return {
    ledger,
    /** One good call more; resolves with what is wrong with its answer. */
    step: async (server) => {
      if (pair === undefined)
        return say(server, 'start_workflow', { workflowId: 'user.chain', session: `GOOD-${name}` });
      const notesMarkdown = `mark ${name} ${ledger.entries.length} end`;
      return say(server, 'continue_workflow', { ...pair, output: { notesMarkdown } }, notesMarkdown);
    },
  };
}
