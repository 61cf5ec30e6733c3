import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const main = fileURLToPath(new URL('../../../dist/cli/main.js', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'completions-in-shells-'));
const home = join(folder, 'home');
const cwd = join(folder, 'work');
const env = {
  PATH: process.env['PATH'],
  HOME: home,
  ZDOTDIR: home,
  XDG_DATA_HOME: join(folder, 'data'),
  TERM: 'xterm',
};

const run = (program: string, args: readonly string[], besides: object = {}): string => {
  const { stdout, stderr, error } = spawnSync(program, args, {
    cwd,
    env: { ...env, ...besides },
    encoding: 'utf8',
    timeout: 35_000,
  });
  if (error !== undefined) throw error;
  expect(stderr).toBe('');
  return stdout;
};
const isHere = (shell: string): boolean => spawnSync(shell, ['--version']).error === undefined;
const linesOf = (text: string): readonly string[] => text.split('\n').filter((line) => line !== '');
const completions = (shell: string): string => {
  const file = join(folder, `completions.${shell}`);
  writeFileSync(file, run(process.execPath, [main, 'completions', shell]));
  return file;
};

/** A shell as somebody has it, which writes down what its line has become. */
const zshrc = `PS1=''
autoload -Uz compinit && compinit -u -d "$HOME/dump"
source "$SCRIPT"
report() { print -r -- "$BUFFER" >> "$OUT"; BUFFER='' }
zle -N report
bindkey @ report
zle-line-init() { : > "$OUT.ready" }
zle -N zle-line-init
`;

/** Types each line into it, then Tab. */
const typing = `zmodload zsh/zpty
zpty z zsh -o NO_GLOBAL_RCS -i
await() {
  repeat 400; do eval "$1" && return; zpty -r -t z said; sleep 0.05; done
  print -u2 -r -- "no answer: $1 $said"; exit 1
}
await '[[ -e $OUT.ready ]]'
integer typed=0
for line; do
  zpty -w -n z "$line"$'\\t@'; typed+=1
  await '[[ -e $OUT && $(wc -l < $OUT) -ge $typed ]]'
done
cat "$OUT"
`;

describe('completions, in the shell that they are for', () => {
  beforeAll(() => {
    for (const made of [home, cwd]) mkdirSync(made, { recursive: true });
    writeFileSync(join(home, '.zshrc'), zshrc);
    const input = ['--session', 'ANN-1', '--input', 'symptom=It loops'];
    run(process.execPath, [main, 'start', 'wr.bug_investigation', ...input, '--data-dir', 'x y']);
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('complete in bash, with words as bash hands them over', () => {
    const script =
      'source "$1"; shift; COMP_WORDS=(workrail "$@"); COMP_CWORD=$#; _workrail; printf "%s\\n" "${COMPREPLY[@]}"';
    const file = completions('bash');
    const inBash = (...words: readonly string[]): readonly string[] =>
      linesOf(run('bash', ['-c', script, 'bash', file, ...words]));
    expect(inBash('sta')).toEqual(['start', 'state']);
    for (const quoted of ["'x y'", '"x y"', 'x\\ y'])
      expect(inBash('show', '--data-dir', quoted, '')).toEqual(['ANN-1']);
  });

  it.skipIf(!isHere('zsh'))('complete in zsh, as somebody types', () => {
    const lines = [
      'workrail star',
      'workrail start wr.bug',
      "workrail show --data-dir 'x y' ",
      'workrail show --data-dir x\\ y ANN',
      'workrail show --data-dir x',
      'workrail show --help --nod',
      'workrail prefs --mode gui',
      'workrail prefs --mode=gui',
      'workrail validate ../completions.z',
    ];
    const given = { SCRIPT: completions('zsh'), OUT: join(folder, 'typed') };
    expect(linesOf(run('zsh', ['-f', '-c', typing, 'zsh', ...lines], given)).map((line) => line.trimEnd())).toEqual([
      'workrail start',
      'workrail start wr.bug_investigation',
      "workrail show --data-dir 'x y' ANN-1",
      'workrail show --data-dir x\\ y ANN-1',
      'workrail show --data-dir x\\ y/',
      'workrail show --help --node',
      'workrail prefs --mode guided',
      'workrail prefs --mode=guided',
      'workrail validate ../completions.zsh',
    ]);
  });

  it.skipIf(!isHere('fish'))('complete in fish', () => {
    const file = completions('fish');
    const inFish = (line: string): readonly string[] =>
      linesOf(run('fish', ['--no-config', '-c', 'source $argv[1]; complete -C $argv[2]', file, line])).map(
        (told) => told.split('\t')[0] ?? '',
      );
    expect(inFish('workrail sta')).toEqual(['start', 'state']);
    expect(inFish('workrail start wr.bug')).toEqual(['wr.bug_investigation']);
    for (const quoted of ["'x y'", '"x y"', 'x\\ y'])
      expect(inFish(`workrail show --data-dir ${quoted} `)).toEqual(['ANN-1']);
    expect(inFish('workrail show --data-dir x')).toEqual(['x y/']);
    expect(inFish('workrail show --help --nod')).toEqual(['--node']);
    expect(inFish('workrail prefs --mode gui')).toEqual(['guided']);
    expect(inFish('workrail prefs --mode=gui')).toEqual(['--mode=guided']);
    expect(inFish('workrail validate ../completions.f')).toEqual(['../completions.fish']);
  });
});
