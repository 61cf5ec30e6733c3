import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { limits } from '../../base/limits.js';
import type { Place } from '../port/session-ref.js';
import { fileAgents } from './file-agents.js';

let place: Place;
const event = '0123456789abcdef';
const agents = fileAgents();
const folder = (): string => join(place.name, 'local', 'agents');

beforeEach(() => {
  place = { kind: 'given', name: mkdtempSync(join(tmpdir(), 'agents-')) };
});
afterEach(() => rmSync(place.name, { recursive: true, force: true }));

describe('whose draft waits', () => {
  it('is known again by another process of the same machine, and of nothing else', () => {
    agents.noteAgent(place, event, { name: 'some-client', version: '2.0' });
    expect(fileAgents().agentOf(place, event)).toEqual({ name: 'some-client', version: '2.0' });
    expect(agents.agentOf(place, 'fedcba9876543210')).toBeUndefined();
    expect(readdirSync(folder())).toEqual([event]);
  });

  it.each(['', 'no JSON', '[]', '{"name":7}', '{"name":"\\u0000"}', `{"name":"${'x'.repeat(limits.agentNote)}"}`])(
    'is not known where its file holds %j',
    (text) => {
      mkdirSync(folder(), { recursive: true });
      writeFileSync(join(folder(), event), text);
      expect(agents.agentOf(place, event)).toBeUndefined();
    },
  );

  it('is plain text, whoever wrote the file', () => {
    mkdirSync(folder(), { recursive: true });
    writeFileSync(join(folder(), event), JSON.stringify({ name: '\u001B[2Jclient\u202E', more: 'x' }));
    expect(agents.agentOf(place, event)).toEqual({ name: '[2Jclient' });
  });

  it('names no file outside, and follows no link', () => {
    agents.noteAgent(place, '../../escaped', { name: 'x' });
    expect(agents.agentOf(place, '../../escaped')).toBeUndefined();
    const elsewhere = mkdtempSync(join(tmpdir(), 'agents-'));
    try {
      mkdirSync(join(place.name, 'local'), { recursive: true });
      symlinkSync(elsewhere, folder());
      agents.noteAgent(place, event, { name: 'x' });
      expect(readdirSync(elsewhere)).toEqual([]);
    } finally {
      rmSync(elsewhere, { recursive: true });
    }
  });

  it('goes in its turn: the oldest first, and what stands in the way with it', () => {
    mkdirSync(folder(), { recursive: true });
    for (let at = 0; at < limits.agentsNoted; at += 1) {
      const file = join(folder(), at.toString(16).padStart(16, '0'));
      writeFileSync(file, '{"name":"old"}');
      utimesSync(file, at, at);
    }
    agents.noteAgent(place, event, { name: 'new' });
    expect(readdirSync(folder())).toHaveLength(limits.agentsNoted / 2);
    expect(agents.agentOf(place, event)).toEqual({ name: 'new' });
    expect(agents.agentOf(place, '0000000000000000')).toBeUndefined();
    expect(agents.agentOf(place, (limits.agentsNoted - 1).toString(16).padStart(16, '0'))).toEqual({ name: 'old' });
  });
});
