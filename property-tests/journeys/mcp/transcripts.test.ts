import { appendFile, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/base/json-value.js';
import type { Reply } from '../../../src/contract/reply.js';
import { openBuiltRequests } from '../../worlds/built-requests.js';
import { petDocument } from '../../worlds/pet-document.js';
import { fieldsOf } from '../../worlds/requests-world.js';
import { golden } from '../../worlds/golden-transcript.js';

function field(reply: Reply, name: string): string {
  const value = reply.answer[name];
  return typeof value === 'string' ? value : '';
}
const tokens = (reply: Reply): { stateToken: string; ackToken: string } => ({
  stateToken: field(reply, 'stateToken'),
  ackToken: field(reply, 'ackToken'),
});

const start = { workflowId: 'wr.small', session: 'AUTH-1', context: { thing: 'the login form' } };
const looked = {
  output: { notesMarkdown: 'Seen: one form, one handler. Next: go through the parts.' },
  context: { size: 'Small', parts: ['form', 'handler'] },
};
const agreed = {
  output: { notesMarkdown: 'All parts done.', artifacts: [{ kind: 'example.verdict', verdict: 'good' }] },
  confirmed: true,
};

describe('golden transcripts', () => {
  it('choosing', () =>
    golden('choosing', 'Choosing a workflow', async (t) => {
      await t.ask('list_workflows', {});
      await t.ask('list_workflows', { query: 'small' }, 'data');
      await t.ask('list_workflows', { query: 'nothing of the kind' });
      await t.ask('inspect_workflow', { workflowId: 'wr.small' });
      await t.ask('inspect_workflow', { workflowId: 'wr.small', mode: 'preview' });
      await t.ask('inspect_workflow', { workflowId: 'wr.broken' });
      await t.ask('inspect_workflow', { workflowId: 'wr.smal' });
    }));

  it('a run from start to end', () =>
    golden('run', 'A run from its start to its end', async (t) => {
      const first = await t.ask('start_workflow', start);
      t.say('The same start again finds the run untouched and answers the same.');
      expect((await t.ask('start_workflow', start)).text).toBe(first.text);
      t.say('Things are missing: nothing is recorded, the tokens stay good.');
      await t.ask('continue_workflow', {
        ...tokens(first),
        output: { notesMarkdown: 'Looked.' },
        context: { size: 'Medium' },
      });
      const second = await t.ask('continue_workflow', { ...tokens(first), ...looked });
      t.say('The same answer as data.');
      await t.ask('continue_workflow', { ...tokens(first), ...looked }, 'data');
      t.say('Work outside of the steps is kept.');
      await t.ask('checkpoint_workflow', {
        stateToken: tokens(second).stateToken,
        output: { notesMarkdown: 'Tried the form by hand: it loads.' },
      });
      const third = await t.ask('continue_workflow', { ...tokens(second), output: { notesMarkdown: 'Form done.' } });
      const fourth = await t.ask('continue_workflow', { ...tokens(third), output: { notesMarkdown: 'Handler done.' } });
      t.say('The step asks for the user’s agreement, and it is not there yet.');
      const blocked = await t.ask('continue_workflow', { ...tokens(fourth), output: agreed.output });
      expect(blocked.answer['kind']).toBe('blocked');
      t.say('The user says no to it, and then agrees after all.');
      const said = { confirmed: false, output: { notesMarkdown: 'They ask for another look at the handler.' } };
      expect((await t.ask('continue_workflow', { ...tokens(fourth), ...said })).answer['kind']).toBe('blocked');
      const last = await t.ask('continue_workflow', { ...tokens(fourth), ...agreed });
      expect(last.answer['kind']).toBe('complete');
      await t.ask('continue_workflow', { stateToken: field(last, 'stateToken') });
    }));

  it('rewinds, forks and replays', () =>
    golden('fork', 'A rewound chat', async (t) => {
      const first = await t.ask('start_workflow', start);
      const second = await t.ask('continue_workflow', { ...tokens(first), ...looked });
      const third = await t.ask('continue_workflow', {
        ...tokens(second),
        output: { notesMarkdown: 'Form done: it lacked a label.' },
      });
      expect(third.failed).toBe(false);
      t.say('The chat is rewound to the first step. Looking again with its token changes nothing.');
      const back = await t.ask('continue_workflow', { stateToken: tokens(first).stateToken });
      t.say('The fresh attempt that it gave makes a branch, which does not see what the other one set.');
      const forked = await t.ask('continue_workflow', {
        ...tokens(back),
        output: { notesMarkdown: 'Seen: more than I thought.' },
        context: { size: 'Large', parts: ['all'] },
      });
      expect(forked.answer['happened']).toBe('forked');
      t.say('The old pair still answers as it did.');
      expect((await t.ask('continue_workflow', { ...tokens(first), ...looked })).text).toBe(second.text);
      t.say(
        'With other output it keeps that output, says first that it is not what is recorded, and how to make a branch of it.',
      );
      const other = await t.ask('continue_workflow', {
        ...tokens(first),
        ...looked,
        output: { notesMarkdown: 'Seen: told differently.' },
      });
      const { branch } = fieldsOf(other.answer['otherWork']);
      const taken = await t.ask('continue_workflow', fieldsOf(fieldsOf(branch)['arguments']));
      expect(taken.answer['recorded']).toMatchObject({ notes: 'Seen: told differently.' });
      await t.ask('continue_workflow', { stateToken: tokens(second).stateToken });
      t.say('A second process knows it all from the disk.');
      await t.reopen();
      await t.ask('resume_session', { query: 'AUTH-1' });
      await t.ask('continue_workflow', { stateToken: tokens(third).stateToken });
    }));

  it('the whole language', () =>
    golden('whole-language', 'A workflow that uses the whole language', async (t) => {
      const first = await t.ask('start_workflow', {
        workflowId: 'wr.whole',
        session: 'WHOLE-1',
        context: { target: 'the parser' },
      });
      const files = {
        kind: 'mr_review.changed_files',
        changedFiles: [
          { path: 'src/b.ts', summary: 'Reads.', risk: 'L' },
          { path: 'src/a.ts', summary: 'Writes.', risk: 'H' },
        ],
      };
      let at = await t.ask('continue_workflow', {
        ...tokens(first),
        output: { notesMarkdown: 'It reads lines.', artifacts: [files] },
      });
      at = await t.ask('continue_workflow', {
        ...tokens(at),
        output: { artifacts: [{ kind: 'wr.loop_control', decision: 'continue' }] },
      });
      t.say('The loop ends when its artifact says so.');
      at = await t.ask('continue_workflow', {
        ...tokens(at),
        output: { artifacts: [{ kind: 'wr.loop_control', decision: 'stop' }] },
      });
      at = await t.ask('continue_workflow', {
        ...tokens(at),
        context: { risk: 'high' },
        output: { notesMarkdown: 'Both sides looked at.' },
      });
      t.say('A level that calls for a follow-up, then the follow-up.');
      await t.ask('continue_workflow', {
        ...tokens(at),
        output: { artifacts: [{ kind: 'wr.assessment', dimensions: { proof: 'low' } }] },
      });
      const last = await t.ask('continue_workflow', {
        ...tokens(at),
        confirmed: true,
        output: {
          artifacts: [
            { kind: 'wr.assessment', dimensions: { proof: 'low' }, followedUp: 'One more run: it fails 5 of 5.' },
          ],
        },
      });
      expect(last.answer['kind']).toBe('complete');
      t.say('Looking again tells of the documents, and a page shows one.');
      await t.ask('continue_workflow', { stateToken: field(last, 'stateToken') });
      await t.ask('continue_workflow', {
        stateToken: field(last, 'stateToken'),
        page: 'document.0.review.changed_files',
      });
      await t.ask('continue_workflow', { stateToken: field(last, 'stateToken'), page: 'record.0' });
    }));

  it('what only the user can give', () =>
    golden('blocked', 'What only the user can give', async (t) => {
      const first = await t.ask('start_workflow', start);
      const second = await t.ask('continue_workflow', {
        ...tokens(first),
        output: { notesMarkdown: 'Seen: much.' },
        context: { size: 'Large', parts: [] },
      });
      await t.ask('continue_workflow', { ...tokens(second), output: { notesMarkdown: 'There is no design.' } });
      t.say('Looking again says what it waits for.');
      await t.ask('continue_workflow', { stateToken: tokens(second).stateToken });
      t.say('The agent may report such a thing itself.');
      await t.ask('continue_workflow', {
        ...tokens(second),
        context: { designDoc: 'v2' },
        output: {
          notesMarkdown: 'I cannot log in.',
          gaps: [
            {
              category: 'user_only_dependency',
              reason: 'needs_user_account_access',
              detail: 'The staging account is locked.',
            },
          ],
        },
      });
      await t.ask('continue_workflow', {
        ...tokens(second),
        context: { designDoc: 'v2' },
        output: { notesMarkdown: 'Read it.' },
      });
      t.say('On another branch nothing but the answer comes: what was handed in is taken with it.');
      const again = await t.ask('continue_workflow', { stateToken: tokens(second).stateToken });
      await t.ask('continue_workflow', { ...tokens(again), output: { notesMarkdown: 'Asked for the other design.' } });
      await t.ask('continue_workflow', { ...tokens(again), context: { designDoc: 'v3' } });
    }));

  it('never stopping', () =>
    golden('never-stop', 'A run that never stops', async (t) => {
      const first = await t.ask('start_workflow', { ...start, mode: 'auto_never_stop' });
      const second = await t.ask('continue_workflow', {
        ...tokens(first),
        output: { notesMarkdown: 'Seen: much, I think.' },
        context: { size: 'Large' },
      });
      const third = await t.ask('continue_workflow', {
        ...tokens(second),
        output: { notesMarkdown: 'No design, went on.' },
      });
      const last = await t.ask('continue_workflow', {
        ...tokens(third),
        output: { notesMarkdown: 'Done as far as it goes.' },
      });
      expect(last.answer['status']).toBe('complete_with_gaps');
      const gaps = last.answer['gaps'] as { id: string; severity: string; category: string }[];
      const settling = (some: typeof gaps): { stateToken: string; output: { gaps: JsonObject[] } } => ({
        stateToken: field(last, 'stateToken'),
        output: {
          gaps: some.map(({ id }) => ({
            category: 'agent_disclosed',
            reason: 'settled',
            detail: 'The user gave it.',
            severity: 'info',
            resolves: id,
          })),
        },
      });
      const critical = gaps.filter(({ severity }) => severity === 'critical');
      t.say('A gap is settled later, by its id.');
      await t.ask('checkpoint_workflow', settling(critical.filter(({ category }) => category !== 'confirmation')));
      t.say('What the user did not agree to, no agent settles in their place.');
      await t.ask('checkpoint_workflow', settling(critical.filter(({ category }) => category === 'confirmation')));
      expect((await t.ask('continue_workflow', { stateToken: field(last, 'stateToken') })).answer['status']).toBe(
        'complete_with_gaps',
      );
    }));

  it('sessions of notes', () =>
    golden('session', 'A session for notes alone', async (t) => {
      const made = await t.ask('start_session', { session: 'Team notes / 2026', title: 'Team notes', tags: ['team'] });
      await t.ask('checkpoint_workflow', {
        sessionToken: field(made, 'sessionToken'),
        output: { notesMarkdown: 'We use tabs.' },
      });
      await t.ask('checkpoint_workflow', { sessionToken: field(made, 'sessionToken'), output: {} });
      await t.ask('resume_session', { query: 'tabs' });
      await t.ask('resume_session', { query: 'nobody wrote this' });
      t.say('A run in that session begins with what was noted there, and it is found by it.');
      await t.ask('start_workflow', { ...start, session: 'Team notes / 2026' });
      await t.ask('resume_session', { query: 'what was it about tabs and spaces?' });
    }));

  it('wrong requests', () =>
    golden('wrong-requests', 'Requests that are wrong', async (t) => {
      await t.ask('start_workflow', { workflowId: 'wr.broken' });
      await t.ask('start_workflow', { workflowId: 'wr.bug' });
      await t.ask('start_workflow', { workflowId: 'wr.small' });
      await t.ask('start_workflow', { workflow: 'wr.small', contxt: {}, mode: 'auto', fresh: 'yes' });
      await t.ask('start_workflow', { workflowId: 'wr.small', session: 'ses_000000000000', context: { thing: 'x' } });
      const first = await t.ask('start_workflow', start);
      await t.ask('continue_workflow', {
        stateToken: tokens(first).stateToken,
        output: { notesMarkdown: 'Seen: it.' },
      });
      await t.ask('continue_workflow', { ...tokens(first), output: { notesMarkdown: `${'x'.repeat(70_000)}` } });
      await t.ask('continue_workflow', {
        ...tokens(first),
        output: {
          note: 'Seen: it',
          artifacts: ['one'],
          gaps: [{ category: 'user_only_dependency', reason: 'bored', detail: 'x' }],
        },
      });
    }));

  it('wrong tokens', () =>
    golden('wrong-tokens', 'Tokens that are wrong', async (t) => {
      const first = await t.ask('start_workflow', start);
      const { stateToken, ackToken } = tokens(first);
      const second = await t.ask('continue_workflow', { stateToken, ackToken, ...looked });
      await t.ask('continue_workflow', { stateToken: stateToken.slice(0, -2) });
      await t.ask('continue_workflow', {
        stateToken: `${stateToken.slice(0, 10)}${stateToken[10] === 'X' ? 'Y' : 'X'}${stateToken.slice(11)}`,
      });
      await t.ask('continue_workflow', { stateToken: ackToken });
      await t.ask('continue_workflow', { stateToken: 'st.v9.7Q2KX0M9ZB4T1D8RVH6WJ3NC5P' });
      await t.ask('continue_workflow', { stateToken: 'hello' });
      await t.ask('continue_workflow', {
        stateToken,
        ackToken: `${ackToken.slice(0, -1)}${ackToken.endsWith('0') ? '1' : '0'}`,
      });
      t.say('The ack of one step with the state of another.');
      await t.ask('continue_workflow', { stateToken: tokens(second).stateToken, ackToken, ...looked });
      t.say('A token of another installation.');
      await t.ask('continue_workflow', { stateToken: 'st.v1.7Q2KX0M9ZB4T1D8RVH6WJ3NC5P' });
    }));

  it('trouble on disk', () =>
    golden('trouble', 'Trouble on disk', async (t) => {
      const first = await t.ask('start_workflow', start);
      const second = await t.ask('continue_workflow', { ...tokens(first), ...looked });
      t.say('The workflow file changes. The run goes on with its pin, and says so.');
      const library = path.join(t.folder, 'library/small.yaml');
      await writeFile(
        library,
        `${(await readFile(library, 'utf8')).replace('and judge its size', 'and weigh it')}\n# and a comment\n`,
      );
      await t.ask('continue_workflow', { stateToken: tokens(second).stateToken });
      t.say('The end of a write is missing: it is no part of the session, and the session goes on.');
      await t.reopen();
      const segments = path.join(t.folder, 'data/sessions/AUTH-1/segments');
      const file = path.join(segments, (await readdir(segments))[0] ?? '');
      await appendFile(file, '{"v":1,"seq":9,"by":"torn');
      await t.ask('continue_workflow', { stateToken: tokens(second).stateToken });
      t.say('A byte in the middle is flipped: what stands before it can be read, nothing can be written.');
      const torn = await readFile(file);
      await writeFile(file, torn.subarray(0, torn.lastIndexOf(0x0a) + 1));
      await t.reopen();
      expect(
        (await t.ask('continue_workflow', { ...tokens(second), output: { notesMarkdown: 'Form done.' } })).failed,
      ).toBe(false);
      await t.reopen();
      const bytes = await readFile(file);
      const at = bytes.indexOf('Seen: one form');
      bytes.writeUInt8(bytes.readUInt8(at) ^ 1, at);
      await writeFile(file, bytes);
      await t.reopen();
      await t.ask('resume_session', { sessionId: 'AUTH-1' });
      await t.ask('continue_workflow', { ...tokens(first), ...looked });
      t.say('The segment is taken away, as a checkout does.');
      await rm(file);
      await t.reopen();
      await t.ask('continue_workflow', { stateToken: tokens(second).stateToken });
    }));

  it('writing a workflow', () =>
    golden('authoring', 'Writing a workflow', async (t) => {
      const text = [
        '# Ours.',
        'workflow: team.release',
        'title: Make a release',
        'description: Use this to cut a release.',
        'version: 1.0.0',
        'inputs:',
        '  version: { type: string, required: true, description: The version }',
        '  dry: { type: boolean, default: true }',
        'steps:',
        '  - id: check   # first',
        '    prompt: Run the tests for ${{ inputs.version }}.',
        '    sets: { risk: { type: string, enum: [low, high] } }',
        '  - id: ask',
        '    if: context.risk == "high"',
        '    prompt: Say ${{ context.risk }}.',
        '    confirm: true',
        '',
      ].join('\n');
      await t.ask('validate_workflow', { content: text.replace('prompt: Say', 'promt: Say') });
      await t.ask('validate_workflow', { content: text });
      await t.ask('preview_inputs', { content: text });
      await t.ask('save_workflow', { content: text });
      t.say('The same again changes nothing; another text is not put over it unseen.');
      await t.ask('save_workflow', { content: text });
      await t.ask('save_workflow', { content: text.replace('Say', 'Tell') });
      const got = await t.ask('get_workflow', { workflowId: 'team.release' });
      const expectedRevision = field(got, 'revision');
      t.say('A patch keeps everything else as it is.');
      const patch = [{ op: 'add', path: '/steps/1', value: { id: 'log', prompt: 'Write the log.' } }];
      await t.ask('save_workflow', { workflowId: 'team.release', patch, expectedRevision });
      t.say('It has another revision now.');
      await t.ask('save_workflow', { workflowId: 'team.release', patch, expectedRevision });
      await t.ask('save_workflow', { workflowId: 'team.release', patch: [{ op: 'remove', path: '/steps/9' }] });
      await t.ask('resolve_inputs', { workflowId: 'team.release', inputs: { dry: 'maybe' } });
      await t.ask('resolve_inputs', { workflowId: 'team.release', inputs: { version: '2.1.0' } });
      await t.ask('preview_rendered', { workflowId: 'team.release', inputs: { version: '2.1.0' } });
      await t.ask('plan_steps', { workflowId: 'team.release', inputs: { version: '2.1.0' } });
      await t.ask('rename_workflow', { workflowId: 'team.release', newId: 'team.cut_release' });
      t.say('Deleting takes the revision, and the user’s agreement.');
      const asked = await t.ask('delete_workflow', { workflowId: 'team.cut_release' });
      const confirm = fieldsOf(asked.answer['context'])['revision'] ?? '';
      await t.ask('delete_workflow', { workflowId: 'team.cut_release', confirm });
      await t.ask('get_workflow', { workflowId: 'team.cut_release' });
    }));

  it('catalogs and commands', () =>
    golden(
      'catalogs',
      'Catalogs of commands',
      async (t) => {
        const file = path.join(t.folder, 'workspace', 'pets.json');
        await writeFile(file, JSON.stringify(petDocument, undefined, 1));
        await t.ask('search_commands', { query: 'add a pet' });
        await t.ask('list_catalogs', {});
        t.say('A document is checked, shown and imported.');
        await t.ask('validate_openapi', { source: 'pets.yaml' });
        await writeFile(path.join(t.folder, 'workspace', 'wrong.json'), '{\n "swagger": "1.2",\n "paths": {}\n}\n');
        await t.ask('validate_openapi', { source: 'wrong.json' });
        await t.ask('import_openapi', { source: 'wrong.json' });
        await t.ask('validate_openapi', { source: 'https://pets.example/openapi.json' });
        await t.ask('validate_openapi', { source: 'pets.json' });
        const preview = await t.ask('preview_openapi', { source: 'pets.json', includeCommandPreview: true });
        const { arguments: args = {} } = fieldsOf(preview.answer['nextCall']);
        await t.ask('import_openapi', args as JsonObject);
        t.say('The same again changes nothing; another document is not put over it unseen.');
        await t.ask('import_openapi', args as JsonObject);
        await writeFile(file, JSON.stringify({ ...petDocument, info: { title: 'Pet shop', version: '2.0.0' } }));
        await t.ask('import_openapi', args as JsonObject);
        await t.ask('import_openapi', { source: 'pets.json' });
        await t.ask('import_openapi', { source: 'pets.json', overwrite: true });
        t.say('What an agent would type finds the command, and one id gives what a step of it needs.');
        await t.ask('search_commands', { query: 'add a pet' });
        await t.ask('search_commands', { query: 'remove', safety: 'destructive' }, 'data');
        await t.ask('search_commands', { commandId: 'pets pets/add' });
        await t.ask('search_commands', { commandId: 'pets pets/ad' });
        await t.ask('list_providers', { query: 'pets' });
        await t.ask('list_providers', { query: 'pets' }, 'data');
        t.say('How its commands are called. Secrets are named, and never sent.');
        await t.ask('configure_catalog', { catalogId: 'pets', auth: { kind: 'bearer', token: 'abc' } });
        const auth = { kind: 'bearer', token: '${{ secrets.PETS }}' };
        await t.ask('configure_catalog', { catalogId: 'pets', auth, idempotencyHeader: 'Idempotency-Key' });
        await t.ask('configure_catalog', { catalogId: 'pets', allow: ['127.0.0.1:8080'] });
        t.say('Whether its commands are offered.');
        await t.ask('set_catalog_enabled', { catalogId: 'pets', enabled: false });
        await t.ask('search_commands', { commandId: 'pets pets/add' });
        await t.ask('set_catalog_enabled', { catalogId: 'petz', enabled: true });
        await t.ask('set_catalog_enabled', { catalogId: 'pets', enabled: true });
        await t.ask('list_catalogs', {});
        await t.ask('list_catalogs', {}, 'data');
        t.say('Removing takes the revision, and the user’s agreement.');
        const asked = await t.ask('remove_catalog', { catalogId: 'pets' });
        const confirm = fieldsOf(asked.answer['context'])['revision'] ?? '';
        await t.ask('remove_catalog', { catalogId: 'pets', confirm });
        await t.ask('remove_catalog', { catalogId: 'pets', confirm });
      },
      { openRequests: openBuiltRequests },
    ));
});
