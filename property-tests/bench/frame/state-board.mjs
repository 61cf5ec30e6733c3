import { say } from '../bench-world.mjs';
import { boardOf, statusOf } from '../peers/board.mjs';

const schema = {
  type: 'object',
  required: ['tasks', 'log'],
  properties: {
    tasks: {
      type: 'object',
      additionalProperties: {
        type: 'object',
        required: ['status', 'tries', 'title'],
        properties: {
          status: { enum: ['open', 'running', 'done'] },
          tries: { type: 'integer' },
          title: { type: 'string' },
          notes: { type: 'string' },
          labels: { type: 'array', items: { type: 'string' } },
        },
      },
    },
    log: { type: 'array', maxItems: 40, items: { type: 'object', required: ['at'] } },
  },
};

export function boardPatch(at, tasks) {
  const task = `/tasks/task-${(at * 7) % tasks}`;
  if (at % 20 === 19) return [{ op: 'replace', path: '/log', value: [] }];
  return [
    { op: 'replace', path: `${task}/status`, value: statusOf(at) },
    { op: 'replace', path: `${task}/tries`, value: at },
    { op: 'add', path: '/log/-', value: { at, said: 'moved on' } },
  ];
}

/** A state of that many tasks in a session of its own, held to its schema. */
export async function makeBoard(requests, session, tasks) {
  const added = await requests.people.addSchema({ name: 'board', json: schema });
  if (!added.ok) throw new Error(added.error.message);
  const { answer } = await say(requests, 'state_create', {
    schemaName: 'board',
    initialData: boardOf(tasks),
    session,
  });
  return answer;
}
