// A data root of thousands of sessions: each begins as a real run did, with other words, another branch and another hour.
import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ackOf, beginRun, built, notesOf, say } from './bench-world.mjs';
import { dice, prose } from './dice.mjs';

const stepsEach = 10;

async function template(world) {
  const data = join(world.folder, 'template');
  const requests = await world.open(data);
  let at = await beginRun(requests, 'TEMPLATE');
  for (let step = 0; step < stepsEach; step += 1)
    ({ answer: at } = await say(requests, 'continue_workflow', ackOf(at, notesOf(300, step))));
  await requests.close();
  const folder = join(data, 'sessions', 'TEMPLATE');
  const [segment] = readdirSync(join(folder, 'segments'));
  return {
    folder,
    segment,
    events: readFileSync(join(folder, 'segments', segment), 'utf8')
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line)),
  };
}

/** Makes sessions `from`..`to` below the data root; the same number always makes the same session. */
export async function makeSessions(world, data, from, to) {
  const { encodeLine } = await built('events/line-codec.js');
  const { folder, segment, events } = await template(world);
  for (let at = from; at < to; at += 1) {
    const roll = dice(at + 1);
    const id = `WORK-${at}`;
    const target = join(data, 'sessions', id);
    mkdirSync(join(target, 'segments'), { recursive: true });
    cpSync(join(folder, 'pins'), join(target, 'pins'), { recursive: true });
    const begun = Date.UTC(2026, 0, 1) + roll(200 * 24 * 3600) * 1000;
    let prev = '';
    const lines = events.map(
      ({ v: _v, seq, by, at: _at, prev: _prev, sum: _sum, origin, kind, data: told, ...rest }, index) => {
        const own = structuredClone(told);
        if (own.output?.notes !== undefined) own.output.notes = prose(roll, 300 + roll(500));
        if (kind === 'session_started') Object.assign(own, { key: id, title: prose(roll, 30) });
        if (kind === 'observation') own.branch = `feature/${prose(roll, 8)}-${roll(1000)}`;
        const { line, event } = encodeLine(
          {
            kind,
            data: own,
            ...(rest.run !== undefined && { run: rest.run }),
            ...(rest.node !== undefined && { node: rest.node }),
          },
          {
            seq,
            by,
            at: new Date(begun + index * 60_000).toISOString(),
            prev,
            ...(rest.more !== undefined && { more: rest.more }),
            ...(origin !== undefined && { origin: id }),
          },
        );
        prev = event.sum;
        return line;
      },
    );
    writeFileSync(join(target, 'segments', segment), lines.join(''));
  }
}
