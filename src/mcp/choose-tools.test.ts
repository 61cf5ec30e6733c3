import { describe, expect, it } from 'vitest';
import { chooseTools, type ToolSwitches } from './choose-tools.js';

const flags = (disable: readonly string[], enable: readonly string[] = []): ToolSwitches => ({
  enableName: '--enable',
  disableName: '--disable',
  enable,
  disable,
});
const environment = (disable: readonly string[], enable: readonly string[] = []): ToolSwitches => ({
  enableName: 'WORKRAIL_ENABLE',
  disableName: 'WORKRAIL_DISABLE',
  enable,
  disable,
});

function names(...places: readonly ToolSwitches[]): string[] {
  const choice = chooseTools(places);
  return choice.ok ? [...choice.value] : [choice.error];
}

describe('the tools of a server', () => {
  it('are six without switches', () => {
    expect(names()).toEqual([
      'list_workflows',
      'inspect_workflow',
      'start_workflow',
      'continue_workflow',
      'checkpoint_workflow',
      'resume_session',
    ]);
  });

  it('are switched by lists, repeated or with commas and spaces', () => {
    expect(names(flags(['checkpoint_workflow, resume_session', ''], ['start_session']))).toEqual([
      'list_workflows',
      'inspect_workflow',
      'start_workflow',
      'continue_workflow',
      'start_session',
    ]);
    expect(names(flags(['checkpoint_workflow', 'resume_session']))).toHaveLength(4);
  });

  it('come in sets too, and without those that write where only reading is wanted', () => {
    const sets = (...toolsets: string[]): ToolSwitches => ({ ...flags([]), toolsetsName: '--toolsets', toolsets });
    expect(names(sets('author'))).toHaveLength(15);
    expect(names(sets('author'), flags(['delete_workflow']))).not.toContain('delete_workflow');
    expect(names(sets('auther'))).toEqual(['--toolsets: no toolset named "auther"; did you mean author?']);
    const reading = chooseTools([sets('author')], true);
    expect(reading.ok && [...reading.value]).toEqual([
      'list_workflows',
      'inspect_workflow',
      'resume_session',
      'get_workflow',
      'validate_workflow',
      'preview_inputs',
      'preview_rendered',
      'plan_steps',
      'resolve_inputs',
    ]);
  });

  it('follow the command line where the environment says otherwise', () => {
    expect(names(environment(['resume_session']), flags([], ['resume_session']))).toContain('resume_session');
    expect(names(environment([], ['start_session']), flags(['start_session']))).not.toContain('start_session');
  });

  it.each([
    [flags(['resume_sesion']), '--disable: no tool named "resume_sesion"; did you mean resume_session?'],
    [environment([], ['startsession']), 'WORKRAIL_ENABLE: no tool named "startsession"; did you mean start_session?'],
    [
      flags(['zzzzzzzzzzzzzzzzz']),
      '--disable: no tool named "zzzzzzzzzzzzzzzzz"; the tools are list_workflows, inspect_workflow, start_workflow, continue_workflow, checkpoint_workflow, start_session, resume_session',
    ],
    [
      flags(['continue_workflow']),
      '--disable: continue_workflow cannot be disabled; these can: checkpoint_workflow, start_session, resume_session',
    ],
    [flags(['resume_session'], ['resume_session']), 'resume_session is named by both --disable and --enable'],
  ])('are refused in words: %#', (place, message) => {
    expect(names(place)).toEqual([message]);
  });
});
