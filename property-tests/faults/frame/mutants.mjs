import { inputMutants } from '../input/mutants.mjs';

// One guard taken out of the built program each. A place that is not found fails loudly: the patch must follow the program.

/** Where a guard stands in dist: what is there (white space may differ), and what stands there without the guard. */
const cut = (file, found, instead) => ({ file, found, instead });

export const mutants = {
  'no-file-sync': {
    says: 'appended lines are not synced before they are acknowledged',
    cuts: [cut('log/segments/held-segment.js', 'fdatasyncSync(this.#fd);', '')],
  },
  'no-folder-sync': {
    says: 'the names of new files are not synced',
    cuts: [cut('files/folders.js', 'named(folder, () => fsyncSync(fd));', '')],
  },
  'no-pin-sync': {
    says: 'a pin gets its name before its bytes are on disk',
    cuts: [
      cut(
        'log/segments/pins.js',
        "import { lstatSync } from 'node:fs';",
        "import { lstatSync, writeFileSync } from 'node:fs';",
      ),
      cut(
        'log/segments/pins.js',
        "replaceFile(join(pinsFolder, pinFile(hash)), temporaryFolder, Buffer.from(text, 'utf8'));",
        'writeFileSync(join(pinsFolder, pinFile(hash)), text);',
      ),
    ],
  },
  'no-inode-check': {
    says: 'nobody looks whether the file that was written is still the one that the name leads to',
    cuts: [
      cut(
        'log/segments/held-segment.js',
        'if (stat === undefined || stat.ino !== this.ino || stat.nlink === 0 || stat.size !== this.#size)\n            return undefined;\n        this.#mtimeMs = stat.mtimeMs;\n        return { ino: stat.ino, size: stat.size, mtimeMs: stat.mtimeMs };',
        'return { ino: this.ino, size: this.#size, mtimeMs: stat?.mtimeMs ?? 0 };',
      ),
    ],
  },
  'no-spare-names': {
    says: 'a segment has no second name, and nothing is kept of one whose name is gone',
    cuts: [
      cut('log/segments/spares.js', 'linkSync(path, join(folder, name));', 'return false;'),
      cut('log/segments/spares.js', 'if (bytes.length === 0 || !makeFolder(root, id))', 'if (bytes.length >= 0)'),
    ],
  },
  'no-taking-up': {
    says: 'what is kept of a session is not put back into it',
    cuts: [cut('log/care/take-up-kept.js', 'if (chosen.length > 0)', 'if (chosen.length < 0)')],
  },
  'no-word-of-kept': {
    says: 'nobody says that lines of a session are kept beside it',
    cuts: [
      cut('log/care/take-up-kept.js', 'return kept === undefined ? [] : tailsOf(kept);', 'return [];'),
      cut('log/care/examine-root.js', 'kept: spared.has(id)', 'kept: false'),
    ],
  },
  'no-repeat-in-doubt': {
    says: 'lines whose sync failed are not written once more',
    cuts: [cut('log/appender.js', 'if (this.#doubt[0] !== lines)\n                this.#doubt.push(lines);', '')],
  },
  'torn-groups-accepted': {
    says: 'an append whose last lines are missing counts',
    cuts: [cut('log/segments/segment-lines.js', 'if (event.more === undefined) {', '{')],
  },
  'no-sum-check': {
    says: 'the sum at the end of a line is not compared with its bytes',
    cuts: [cut('events/line-codec.js', 'if (actual !== sum)', 'if (actual === undefined)')],
  },
  'no-lock': {
    says: 'the lease is never taken',
    cuts: [cut('log/file-session-log.js', "if (this.#env.lock === 'off')", 'if (this.#env !== undefined)')],
  },
  'no-staging-sync': {
    says: 'an import is not synced before it appears',
    cuts: [cut('files/write-whole-file.js', 'named(file, () => fsyncSync(fd));', '')],
  },
  'no-replacement-sync': {
    says: 'repair puts files in the place of others before their bytes are on disk',
    cuts: [cut('files/replace-file.js', 'fsyncSync(fd);', '')],
  },
  'acknowledge-on-fault': {
    says: 'a failed write or sync is answered as if it had worked',
    cuts: [
      cut(
        'log/segments/held-segment.js',
        'writeAll(this.#fd, bytes);\n        fdatasyncSync(this.#fd);',
        'try {\n            writeAll(this.#fd, bytes);\n            fdatasyncSync(this.#fd);\n        }\n        catch { this.failed = true; }',
      ),
    ],
  },
  'acknowledge-before-writing': {
    says: 'an append is acknowledged, and written a moment later',
    cuts: [
      cut(
        'log/segments/held-segment.js',
        'named(this.#path, () => {\n            writeAll(this.#fd, bytes);\n            fdatasyncSync(this.#fd);\n        });',
        'setTimeout(() => writeAll(this.#fd, bytes), 3);',
      ),
      cut(
        'log/segments/held-segment.js',
        'if (stat === undefined || stat.ino !== this.ino || stat.nlink === 0 || stat.size !== this.#size)\n            return undefined;\n        this.#mtimeMs = stat.mtimeMs;\n        return { ino: stat.ino, size: stat.size, mtimeMs: stat.mtimeMs };',
        'return { ino: this.ino, size: this.#size, mtimeMs: stat?.mtimeMs ?? 0 };',
      ),
    ],
  },
  'faults-are-ours': {
    says: 'what the system refuses is answered as a mistake of the program',
    cuts: [cut('requests/world/fault-to-rejection.js', 'if (reason !== undefined) {', "if (reason?.code === '') {")],
  },
  'unread-is-empty': {
    says: 'a folder of sessions that cannot be listed is told as one that holds none',
    cuts: [
      cut(
        'log/file-store.js',
        "if (errorCode(cause) === 'ENOENT')\n                return [];\n            throw cause;",
        'return [];',
      ),
    ],
  },
  'links-are-folders': {
    says: 'what is a link is taken for what it leads to',
    cuts: [cut('files/folders.js', 'return lookAt(path)?.isSymbolicLink() === true;', 'return false;')],
  },
  ...inputMutants,
  'intent-unwritten': {
    says: 'a command is sent without a record that it is about to be',
    cuts: [
      cut(
        'requests/commands/run-commands.js',
        'const intent = await recordIntent(env, driven, { at, command, mark, position: next.position });',
        'const intent = { ok: true, value: true };',
      ),
    ],
  },
  'reuse-off': {
    says: 'what a command came to on another branch is not looked for',
    cuts: [
      cut(
        'decide/commands/decide-command.js',
        'const reused = same && decideReused(session, node, command, here, same);',
        'const reused = undefined;',
      ),
    ],
  },
  'claim-skipped': {
    says: 'whoever comes does the steps of a run, whether another process is at it or not',
    cuts: [
      cut('log/running/file-running.js', 'if (isHeld)', 'if (last < 0)'),
      cut(
        'log/running/file-running.js',
        'return greatest(names) === fence && !names.has(`${fence}${over}`);',
        'return true;',
      ),
    ],
  },
  'containers-mixed': {
    says: 'a process of another container is looked for by its number among those of this one',
    cuts: [
      cut(
        'files/this-process.js',
        'return isEarlier || numbers === undefined || now[1] === undefined || numbers === now[1];',
        'return true;',
      ),
    ],
  },
  'masking-off': {
    says: 'secrets that come back from a server are recorded as they come',
    cuts: [cut('calls/secret-mask.js', 'pattern === undefined ? text : text.replaceAll(pattern, instead)', 'text')],
  },
  'merge-drops-changes': {
    says: 'of two newest versions of a shared state one is taken, and what the other changed is told as merged',
    cuts: [
      cut(
        'decide/states/merge-heads.js',
        'const done = isRight ? all.done : [];',
        'for (const { undo } of all.done.toReversed()) undo();\n    const done = [];',
      ),
    ],
  },
  'token-forgets-what-came-since': {
    says: 'a write with a token is done over whatever others have changed since',
    cuts: [
      cut(
        'decide/states/state-write.js',
        'const other = behind && touchingChange(state, document.value, ops, over);',
        'const other = undefined;',
      ),
    ],
  },
  'token-writes-again': {
    says: 'the same write with the same token is another write',
    cuts: [
      cut(
        'requests/states/write-state.js',
        'id: digestOf({ token: writeToken.toLowerCase(), sent, place: log.place.name }).slice(0, 12),',
        '',
      ),
    ],
  },
  'refusals-swallowed': {
    says: 'an append that was refused is answered as if it had been made',
    cuts: [
      cut(
        'log/file-session-log.js',
        'if (refused !== undefined)\n            return { ok: false, error: refused };',
        'if (refused !== undefined) return { ok: true, answer, loaded, written: [] };',
      ),
      cut(
        'log/file-session-log.js',
        'if (!outcome.ok) {\n            this.#reading = undefined;\n            return outcome;\n        }',
        'if (!outcome.ok) return { ok: true, answer, loaded, written: [] };',
      ),
    ],
  },
};
