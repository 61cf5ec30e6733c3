import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { countLog } from './demo-log.js';

const folder = mkdtempSync(path.join(tmpdir(), 'workrail-count-'));
afterAll(() => rmSync(folder, { recursive: true }));

it('counts the events of a session, and lines that are none', () => {
  const segments = path.join(folder, 'sessions', 'S', 'segments');
  mkdirSync(segments, { recursive: true });
  const other = path.join(folder, 'sessions', 'OTHER', 'segments');
  mkdirSync(other, { recursive: true });
  writeFileSync(path.join(other, 'a.ndjson'), 'left out\n');
  writeFileSync(
    path.join(segments, 'a.ndjson'),
    '{"kind":"run_started"}\n{"kind":"step_acked","data":{"attempt":"a_1"}}\n',
  );
  writeFileSync(path.join(segments, 'b.ndjson'), '{"kind":"step_acked","data":{"attempt":"a_1"}}\nnonsense\n[]\n');
  expect(countLog(folder, 'S')).toEqual({
    segments: 2,
    kinds: new Map([
      ['run_started', 1],
      ['step_acked', 2],
    ]),
    attempts: ['a_1', 'a_1'],
    unread: 2,
  });
});
