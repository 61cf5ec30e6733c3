import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { expectTimeInStep } from '../../../property-tests/worlds/time-in-step.js';
import { limits } from '../../base/limits.js';
import { salvageId } from './salvage-id.js';

describe('salvageId', () => {
  it.each([
    ['the first line', 'workflow: team.a\nsteps: [', 'team.a'],
    [
      'after comments, directives and other keys',
      '%YAML 1.2\n---\n# workflow: team.no\n\ntitle: "unclosed\nworkflow:   team.a  # the one\nsteps: {',
      'team.a',
    ],
    ['quotes', '"workflow": "team.a"\nsteps: }', 'team.a'],
    ['single quotes', "workflow: 'team.a'\nx: [", 'team.a'],
    ['a quote that is never closed', 'workflow: "team.a\nsteps: 1', 'team.a'],
    ['Windows lines and a byte order mark', '\uFEFFworkflow: team.a\r\nsteps: [\r\n', 'team.a'],
    ['a file indented as a whole', '  title: x\n  workflow: team.a\n  steps: [', 'team.a'],
    ['a key further in', 'title: x\nsteps:\n  - id: inner\n    workflow: team.no\n  bad: [', undefined],
    [
      'the JSON format',
      '{\n  "name": "N",\n  "steps": [ { "id": "one", "title": "workflow" } ],\n  "id": "wr.review",\n',
      'wr.review',
    ],
    ['JSON on one line', '{"id":"bug-hunt","steps":[{"id":"a" "b"}]', 'bug-hunt'],
    ['our format as JSON', '{"id": "x", "workflow": "team.a", "steps": [}', 'team.a'],
    ['flow style', '{ title: A, workflow: team.a, steps: [ ${{ x }} ] }', 'team.a'],
    ['a text that looks like a key', '{"title": "\\"id\\": \\"no\\"", "id": "yes", ', 'yes'],
    ['a text that is only the word', '{"title": "id", "other": "workflow", "steps": [', undefined],
    ['an object for an id', '{"id": {"id": "no"}, "steps": [', undefined],
    ['an id in YAML of the JSON format', 'id: bug-hunt\nsteps: [', 'bug-hunt'],
    ['what is no id', 'workflow: what is this\nid: "a b"\n', undefined],
    ['nothing', '', undefined],
    ['braces alone', '{{{', undefined],
  ])('finds it in %s', (_, text, id) => {
    expect(salvageId(text)).toBe(id);
  });

  it('finds any id however the rest of the file is broken', () => {
    const id = fc
      .tuple(fc.stringMatching(/^[a-z][a-z0-9_-]{0,12}$/u), fc.stringMatching(/^[a-z][a-z0-9_-]{0,12}$/u))
      .map((parts) => parts.join('.'));
    const junk = fc.string().map((text) => text.replaceAll(/^\s*["']?(?:workflow|id)/gmu, '  x'));
    fc.assert(
      fc.property(id, junk, (name, rest) => {
        expect(salvageId(`workflow: ${name}\n${rest}`)).toBe(name);
        expect(salvageId(`{"workflow": ${JSON.stringify(name)}, ${rest}`)).toBe(name);
      }),
    );
  });

  it.each<[string, (size: number) => string]>([
    ['braces', (size) => '{'.repeat(size)],
    ['keys', (size) => `{${'"a":'.repeat(size / 4)}`],
    ['blanks', (size) => ' '.repeat(size)],
    ['a key and blanks', (size) => `workflow:${' '.repeat(size)}`],
    ['backslashes', (size) => `{"${'\\'.repeat(size)}`],
    ['empty lines', (size) => '\n'.repeat(size)],
    ['one word, a hundred times too long', (size) => 'x'.repeat(100 * size)],
  ])('takes time in step with the text: %s', async (_, text) => {
    await expectTimeInStep((size) => {
      expect(salvageId(text(size))).toBeUndefined();
    }, limits.workflowFile);
  });
});
