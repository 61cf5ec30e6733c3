import { preferenceTable } from '../print/preference-options.js';
import type { Command } from '../shell/command.js';
import { atDeskOptions } from '../shell/shared-options.js';

/** Commands for workflows whose steps WorkRail does itself. */
export const runTable: readonly Command[] = [
  {
    name: 'run',
    group: 'run',
    summary: 'run a workflow whose steps call APIs, and follow it',
    words: { usage: '[<workflow>]', most: 1, name: 'workflow' },
    details: [
      'Prints a line for each step on stderr, and on stdout nothing but what the workflow returns.',
      'Before anything outside is changed, it shows the plan: every request that changes something, with its address. At a terminal it asks whether to send it. Elsewhere nothing is sent until you pass the plan with --confirm.',
      'At a terminal it also asks for missing inputs, and what to do when the outcome of a request is unknown.',
      'Running the same plan again returns the run that you have, and sends nothing again; --fresh runs it once more.',
      'Ctrl-C interrupts the run: a request that changes something is waited for, and --resume continues from there. To end a run for good, use workrail runs cancel.',
      'The exit code is 0 if the run completed, also with critical gaps, which are printed, and 1 if it failed, was canceled or interrupted, or is waiting for you or an agent.',
    ],
    options: {
      input: { kind: 'list', value: 'key=value', says: 'an input of the workflow; repeatable' },
      confirm: { kind: 'text', value: 'plan', says: 'agree to this plan, such as pl_0123456789abcdef' },
      mode: preferenceTable['mode']!,
      session: { kind: 'text', value: 'key', says: 'the session for this work (default: one for each plan)' },
      repairs: {
        kind: 'text',
        value: 'run',
        says: 'continue from this failed run: what it sent and would be sent the same is not sent again',
      },
      fresh: { kind: 'switch', says: 'run the same plan once more, if its last run is over' },
      resume: { kind: 'text', value: 'run', says: 'continue an interrupted run, instead of starting one' },
      'take-over': { kind: 'switch', says: 'with --resume: continue a run that began on another machine' },
      ...atDeskOptions,
    },
    examples: [
      'workrail run team.protect_branch --input repo=app',
      'workrail run team.protect_branch --input repo=app --confirm pl_0123456789abcdef | jq .was',
      'workrail run --resume run_0123456789ab',
    ],
    load: async () => (await import('./run-command.js')).runRun,
  },
  {
    name: 'runs',
    group: 'run',
    summary: 'list runs of such workflows, newest first',
    details: ['Without a terminal, it prints one line per run, with tabs between the columns, after a line of names.'],
    options: {
      state: { kind: 'text', value: 'state', says: 'pending, running, succeeded, failed or canceled' },
      workflow: { kind: 'text', value: 'workflow', says: 'only runs of this workflow' },
      all: { kind: 'switch', says: 'show all of them (default: the newest 20)' },
      ...atDeskOptions,
    },
    examples: ['workrail runs', 'workrail runs --state failed', 'workrail runs --workflow team.protect_branch --json'],
    load: async () => (await import('./runs-command.js')).runRuns,
  },
  {
    name: 'runs show',
    group: 'run',
    summary: 'show where a run stands, and how to continue it',
    words: { usage: '<run>', most: 1 },
    details: ['Shows its steps with what the server answered, why it failed, or what it waits for. Sends nothing.'],
    options: atDeskOptions,
    examples: ['workrail runs show run_0123456789ab', 'workrail runs show run_0123456789ab --json'],
    load: async () => (await import('./runs-show-command.js')).runRunsShow,
  },
  {
    name: 'runs cancel',
    group: 'run',
    summary: 'end a run for good',
    words: { usage: '<run>', most: 1 },
    details: [
      'Nothing further is sent, whichever process runs it, and none of its steps can be completed any more. What was done is not undone.',
    ],
    options: { reason: { kind: 'text', value: 'text', says: 'the reason' }, ...atDeskOptions },
    examples: ['workrail runs cancel run_0123456789ab --reason "The release is off."'],
    load: async () => (await import('./runs-cancel-command.js')).runRunsCancel,
  },
  {
    name: 'runs settle',
    group: 'run',
    summary: 'say what became of a request, and continue the run',
    words: { usage: '<run> <call> <repeat|done|failed>', most: 3 },
    details: [
      'For a request that left and whose answer never came: see on the server whether it was done. repeat sends it again; done means it was done; failed means it was not and should not be. The run then continues here.',
      'workrail runs show names the call.',
    ],
    options: {
      reason: { kind: 'text', value: 'text', says: 'how you know' },
      result: { kind: 'text', value: 'json|@file|-', says: 'with done: the body of its answer, as far as you know it' },
      ...atDeskOptions,
    },
    examples: ['workrail runs settle run_0123456789ab c_0123456789ab done --reason "Issue 12 is there."'],
    load: async () => (await import('./runs-settle-command.js')).runRunsSettle,
  },
];
