import { expect, it } from 'vitest';
import { call, makeRequestsWorld, pairOf } from '../../../property-tests/worlds/requests-world.js';
import type { CompiledWorkflow } from '../../definitions/compiled/compiled-workflow.js';
import type { Event } from '../../events/event.js';
import type { Environment } from '../world/environment.js';
import { driftAtStep } from './drift.js';

const started = { data: { workflowId: 'team.x' } } as Event<'run_started'>;

it('a glance at the file that fails, at once or later, is no reason to refuse a step', async () => {
  const glances = [
    () => Promise.reject(new Error('EIO: i/o error, read')),
    (): never => {
      throw new Error('EMFILE: too many open files');
    },
  ];
  for (const glance of glances) {
    const env = { library: { glance, find: glance }, pinned: {} as Environment['pinned'] };
    for (const caller of [undefined, { door: 'terminal' } as const])
      expect(await driftAtStep({ ...env, caller }, started, {} as CompiledWorkflow)).toEqual([]);
  }
});

it('a step is recorded where its file is gone or is none any more', async () => {
  const world = makeRequestsWorld({ seed: 12 });
  const file =
    'workflow: team.x\ntitle: X\ndescription: D\nsteps:\n  - { id: a, prompt: p }\n  - { id: b, prompt: p }\n';
  world.writeWorkflow('x', file);
  const requests = world.open();
  const { answer } = await call(requests, 'start_workflow', { workflowId: 'team.x' });
  world.writeWorkflow('x', 'steps: [');
  const next = await call(requests, 'continue_workflow', { ...pairOf(answer), output: { notesMarkdown: 'n' } });
  expect(next.reply.failed, next.reply.text).toBe(false);
  world.removeWorkflow('x');
  const last = await call(requests, 'continue_workflow', { ...pairOf(next.answer), output: { notesMarkdown: 'n' } });
  expect(last.answer['isComplete']).toBe(true);
  await world.close();
});
