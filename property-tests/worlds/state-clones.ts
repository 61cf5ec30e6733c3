import type { StateId, SchemaId, VersionId, WriterId } from '../../src/base/ids.js';
import type { JsonValue } from '../../src/base/json-value.js';
import { jsonDifference } from '../../src/base/patch/json-difference.js';
import type { JsonPatch } from '../../src/base/patch/json-patch.js';
import { type LiveDocument, openDocument } from '../../src/base/patch/live-document.js';
import { decideStateCreate } from '../../src/decide/states/create-state.js';
import { changesToMerge, mergeHeads } from '../../src/decide/states/merge-heads.js';
import {
  decideStateWrite,
  type JudgeState,
  type StateAsked,
  type WriterKnew,
} from '../../src/decide/states/state-write.js';
import { compareEvents, type Event, type EventDraft } from '../../src/events/event.js';
import { encodeLine } from '../../src/events/line-codec.js';
import { foldSession } from '../../src/sessions/fold-session.js';
import { emptySession, type FoldedSession } from '../../src/sessions/folded-session.js';
import type { SharedState, Version } from '../../src/sessions/states/shared-state.js';
import { asPatch, documentOf, replayed } from '../../src/sessions/states/state-document.js';
import { servedVersion } from '../../src/sessions/states/version-graph.js';

/** The same session on several machines, which write by themselves and exchange what they wrote from time to time. */
export class StateClones {
  readonly #clones: { readonly by: WriterId; readonly events: Map<string, Event>; session: FoldedSession }[];
  readonly #judge: JudgeState;
  #count = 0;

  constructor(count: number, value: JsonValue, judge: JudgeState) {
    this.#judge = judge;
    this.#clones = Array.from({ length: count }, (_, index) => ({
      by: `writer0${index}` as WriterId,
      events: new Map(),
      session: emptySession(),
    }));
    const schema = { id: 'schema_000000000001' as SchemaId, name: 'any', version: 1, json: true };
    const ids = { id: 'wfstate_000000000001' as StateId, version: this.#draw() };
    const created = decideStateCreate(emptySession(), { schema, value, ...ids }, { judge });
    if (!created.ok) throw new Error('the first value is right');
    this.#append(0, created.value.events);
    for (const index of this.#clones.keys()) this.take(index, 0);
  }

  session(of: number): FoldedSession {
    return this.#clones[of]!.session;
  }

  state(of: number): SharedState {
    return [...this.session(of).states.values()][0]!;
  }

  served(of: number): Version {
    return servedVersion(this.state(of), this.session(of).versions)!;
  }

  /** As text: the document changes in place. */
  value(of: number, version = this.served(of)): string {
    return JSON.stringify(this.#document(of, version).value);
  }

  /** From memory, else from the whole value that was kept last before it. */
  #document(of: number, version: Version): LiveDocument {
    const [session, state] = [this.session(of), this.state(of)];
    const known = documentOf(session, state, version);
    if (known !== undefined) return known;
    const events = [...this.#clones[of]!.events.values()];
    const ops: JsonPatch[] = [];
    for (let at: Version | undefined = version; at !== undefined; at = at.from && session.versions.get(at.from)) {
      const { id } = at;
      const kept = events.find((event) => event.kind === 'state_kept' && event.data.version === id);
      const opened = kept?.kind === 'state_kept' ? openDocument(kept.data.value) : undefined;
      if (opened?.ok === true)
        return replayed(
          opened.value,
          ops.map((one) => ({ ops: [...one] })),
        );
      ops.unshift(this.recorded(of, at));
    }
    throw new Error(`nothing was kept before ${version.id}`);
  }

  recorded(of: number, { id }: Version): JsonPatch {
    for (const event of this.#clones[of]!.events.values())
      if (event.kind === 'state_changed' && event.data.version === id) return asPatch(event.data.ops);
    return [];
  }

  write(of: number, asked: StateAsked, knew: Partial<WriterKnew> = {}): ReturnType<typeof decideStateWrite> {
    this.merge(of);
    const before = this.value(of);
    const known = { exactly: false, id: this.#draw(), ...knew };
    const decided = decideStateWrite(this.session(of), this.state(of), asked, known, { judge: this.#judge });
    if (this.value(of) !== before) throw new Error('a decision left the value changed');
    if (!decided.ok && decided.error.kind === 'unread')
      throw new Error('nobody can write to the version that is served');
    if (decided.ok) this.#append(of, decided.value.events);
    return decided;
  }

  merge(of: number): void {
    const [session, state] = [this.session(of), this.state(of)];
    const found = changesToMerge(session, state);
    if (found === undefined) return;
    const head = this.#document(of, found.heads[0]!);
    const before = JSON.stringify(head.value);
    const opsOf = (version: Version): JsonPatch => this.#opsOf(of, version);
    const events = mergeHeads(session, state, { head, opsOf }, { judge: this.#judge });
    if (JSON.stringify(head.value) !== before) throw new Error('a merge left the value changed');
    this.#append(of, events);
  }

  /** Work that has nothing to do with the state: what is written after it comes late in the order of all. */
  work(of: number): void {
    const note: EventDraft = { kind: 'note_added', data: { text: 'Worked.' } };
    this.#append(of, [note, note, note, note, note, note]);
  }

  /** All that another clone has. */
  take(of: number, from: number): void {
    const mine = this.#clones[of]!;
    for (const [sum, event] of this.#clones[from]!.events) mine.events.set(sum, event);
    this.#refold(of);
  }

  #opsOf(of: number, version: Version): JsonPatch {
    const ops = this.recorded(of, version);
    const [only] = ops;
    if (ops.length !== 1 || only?.path !== '' || !('value' in only)) return ops;
    const from = openDocument(this.#document(of, this.session(of).versions.get(version.from!)!).value);
    return from.ok ? jsonDifference(from.value.value, only.value) : [];
  }

  #append(of: number, drafts: readonly EventDraft[]): void {
    const clone = this.#clones[of]!;
    let seq = Math.max(0, ...[...clone.events.values()].map((event) => event.seq));
    for (const draft of drafts) {
      seq += 1;
      const { event } = encodeLine(draft, { seq, by: clone.by, at: '2026-01-02T03:04:05.678Z', prev: '' });
      clone.events.set(event.sum, event);
    }
    this.#refold(of);
  }

  #refold(of: number): void {
    const clone = this.#clones[of]!;
    clone.session = foldSession(emptySession(), [...clone.events.values()].toSorted(compareEvents));
  }

  #draw(): VersionId {
    this.#count += 1;
    return this.#count.toString(16).padStart(12, '0') as VersionId;
  }
}
