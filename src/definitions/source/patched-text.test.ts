import { describe, expect, it } from 'vitest';
import { compileSource } from '../compile-source.js';
import { patchedText } from './patched-text.js';
import type { PatchOperation } from './violation.js';

const yaml = `# Ours.
workflow: team.x # its id
description: 'It''s for x.'
steps:
  - id: a   # the first
    promt: >-
      Read \${{ inputs.tickt }} first,
      then \${{ context.who }}.

  - { id: b, title: Read, judge, prompt: "Do it." }
  - id: c
    while: context.more == true # goes on
    steps: [{ id: d, prompt: D }]
`;

const edits: readonly (readonly [string, readonly PatchOperation[], string, string])[] = [
  ['a key', [{ op: 'move', from: '/steps/0/promt', path: '/steps/0/prompt' }], '    promt: >-', '    prompt: >-'],
  ['a plain value', [{ op: 'replace', path: '/workflow', value: 'team.y' }], 'team.x # its id', 'team.y # its id'],
  ['a quoted value', [{ op: 'replace', path: '/description', value: "It's for y." }], "It''s for x.", "It''s for y."],
  [
    'a piece of a folded text',
    [
      {
        op: 'replace',
        path: '/steps/0/promt',
        value: 'Read ${{ inputs.ticket }} first, then ${{ context.who }}.',
      },
    ],
    'inputs.tickt }}',
    'inputs.ticket }}',
  ],
  [
    'a text that a comma cut',
    [
      { op: 'replace', path: '/steps/1/title', value: 'Read, judge' },
      { op: 'remove', path: '/steps/1/judge' },
    ],
    'title: Read, judge,',
    'title: "Read, judge",',
  ],
  [
    'a key that was missing',
    [{ op: 'add', path: '/steps/2/max', value: 10 }],
    'steps: [{ id: d, prompt: D }]\n',
    'steps: [{ id: d, prompt: D }]\n    max: 10\n',
  ],
  [
    'one in flow style',
    [{ op: 'add', path: '/steps/1/notes', value: 'optional' }],
    '"Do it." }',
    '"Do it.", notes: optional }',
  ],
  ['a value by a list', [{ op: 'replace', path: '/workflow', value: ['a', 'b c'] }], 'team.x #', '["a","b c"] #'],
];

describe('a patch', () => {
  it.each(edits)('mends %s where it stands, and leaves all else', (_, patch, was, is) => {
    expect(patchedText(yaml, 'x.yaml', patch)).toBe(yaml.replace(was, is));
  });

  it('mends JSON too, with its comments and its indent', () => {
    const json = `{\n\t// Ours.\n\t"workflow": "team.x",\n\t"steps": [{ "id": "a", "promt": "A" }],\n}\n`;
    expect(
      patchedText(json, 'x.json', [
        { op: 'move', from: '/steps/0/promt', path: '/steps/0/prompt' },
        { op: 'replace', path: '/workflow', value: 'team.y' },
      ]),
    ).toBe(json.replace('promt', 'prompt').replace('team.x', 'team.y'));
  });

  it.each<readonly [string, string, readonly PatchOperation[]]>([
    ['what is not there', yaml, [{ op: 'replace', path: '/steps/7/title', value: 'x' }]],
    ['a key to another place', yaml, [{ op: 'move', from: '/steps/0/promt', path: '/description' }]],
    ['what an alias stands for', 'a: &x { b: 1 }\nc: *x\n', [{ op: 'replace', path: '/c/b', value: 2 }]],
    ['what an anchor is used for elsewhere', 'a: &x { b: 1 }\nc: *x\n', [{ op: 'replace', path: '/a/b', value: 2 }]],
    ['a file that cannot be read', 'a: [', [{ op: 'replace', path: '/a', value: 2 }]],
    [
      'half of it',
      yaml,
      [
        { op: 'replace', path: '/workflow', value: 'team.y' },
        { op: 'remove', path: '/nothing' },
      ],
    ],
  ])('does nothing with %s', (_, text, patch) => {
    expect(patchedText(text, 'x.yaml', patch)).toBeUndefined();
  });

  it('of each violation, the last in the file first, makes the file whole', () => {
    let text = `workflow: team.x # ours
description: d
steps:
  - { id: a, promt: "A" }
  - id: b
    titel: B # said often
    until: context.done
    steps: [{ id: c, prompt: C, sets: { done: { type: boolean } } }]
`;
    for (let round = 0; round < 4; round += 1) {
      const judged = compileSource(text, 'x.yaml');
      if (judged.ok) break;
      for (const { patch } of judged.violations.toReversed())
        if (patch !== undefined) text = patchedText(text, 'x.yaml', patch) ?? text;
    }
    expect(compileSource(text, 'x.yaml')).toMatchObject({ ok: true });
    expect(text).toContain('workflow: team.x # ours');
    expect(text).toContain('title: B # said often');
  });
});
