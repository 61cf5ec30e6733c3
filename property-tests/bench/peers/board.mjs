/** Tasks by their id, and a log that grows and is cut. A task is some 200 bytes. */
export function boardOf(tasks) {
  const entries = Array.from({ length: tasks }, (_, at) => [
    `task-${at}`,
    { status: 'open', tries: 0, title: `Look at part ${at} of the work`, notes: 'n'.repeat(90), labels: ['a', 'b'] },
  ]);
  return { tasks: Object.fromEntries(entries), log: [] };
}

export const statusOf = (at) => (at % 2 === 0 ? 'running' : 'done');

/** What `boardPatch` says, done in place. */
export function changeBoard(document, at, tasks) {
  if (at % 20 === 19) {
    document.log = [];
    return;
  }
  Object.assign(document.tasks[`task-${(at * 7) % tasks}`], { status: statusOf(at), tries: at });
  document.log.push({ at, said: 'moved on' });
}
