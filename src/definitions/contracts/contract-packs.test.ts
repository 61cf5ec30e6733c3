import { describe, expect, it } from 'vitest';
import { canonicalJson } from '../../base/canonical-json.js';
import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json-value.js';
import { compileContract } from '../expand/compile-contract.js';
import type { OutputContract } from '../compiled/compiled-workflow.js';
import type { ContractPack } from './contract-pack.js';
import { contractPacks, packContract } from './contract-packs.js';
import { checkArtifact } from './output-contract.js';
import { schemaProblem } from './schema-judge.js';

const packs = [...contractPacks.values()];
const contractOf = (ref: string): OutputContract => packContract(ref, true)!;
const exampleOf = (ref: string): JsonObject => contractPacks.get(ref)!.example;

const problems = (ref: string, artifact: JsonObject): readonly string[] =>
  checkArtifact(contractOf(ref), artifact).map(({ pointer }) => pointer);

/** The schema of a field, through lists and objects: `location.file` of what `findings` lists. */
function fieldAt(schema: JsonValue | undefined, path: string): JsonObject | undefined {
  let at = isJsonObject(schema) ? schema : undefined;
  for (const name of path.split('.')) {
    if (isJsonObject(at?.['items'])) at = at['items'];
    const properties: JsonValue | undefined = at?.['properties'];
    const next = isJsonObject(properties) ? properties[name] : undefined;
    at = isJsonObject(next) ? next : undefined;
  }
  return at;
}

/** Every schema inside a schema that says what type it is of. */
function parts(schema: JsonValue): readonly JsonObject[] {
  if (typeof schema !== 'object' || schema === null) return [];
  const inside = Object.values(schema).flatMap((child: JsonValue) => parts(child));
  return isJsonObject(schema) && typeof schema['type'] === 'string' ? [schema, ...inside] : inside;
}

/** The value as often as it has values inside, each time with one of them replaced by what no contract asks for there. */
function* spoiltCopies(value: JsonValue): Generator<JsonValue> {
  if (typeof value !== 'object' || value === null) return;
  for (const [name, child] of Object.entries(value) as readonly [string, JsonValue][]) {
    for (const spoilt of [true, ...spoiltCopies(child)])
      yield isJsonObject(value) ? { ...value, [name]: spoilt } : value.with(Number(name), spoilt);
  }
}

describe('the closed set of contracts', () => {
  it('has the names and kinds that workflows rely on', () => {
    expect(Object.fromEntries(packs.map(({ ref, kind }) => [ref, kind]))).toEqual({
      'wr.contracts.loop_control': 'wr.loop_control',
      'wr.contracts.assessment': 'wr.assessment',
      'wr.contracts.coordinator_signal': 'wr.coordinator_signal',
      'wr.contracts.gate_verdict': 'wr.gate_verdict',
      'wr.contracts.working_agreement_patch': 'working_agreement_patch',
      'wr.contracts.review_header': 'mr_review.phase_0_triage',
      'wr.contracts.changed_files': 'mr_review.changed_files',
      'wr.contracts.findings': 'mr_review.findings',
      'wr.contracts.mr_comments': 'mr_review.mr_comments',
      'wr.contracts.revision_log': 'mr_review.revision_log',
      'wr.contracts.review_verdict': 'wr.review_verdict',
      'wr.contracts.discovery_handoff': 'wr.discovery_handoff',
      'wr.contracts.shaping_handoff': 'wr.shaping_handoff',
      'wr.contracts.coding_handoff': 'wr.coding_handoff',
      'wr.contracts.differentiation_handoff': 'wr.differentiation_handoff',
      'wr.contracts.usage': 'wr.usage',
    });
    expect(new Set(packs.map(({ kind }) => kind)).size).toBe(packs.length);
  });

  it('is closed', () => {
    expect(packContract('wr.contracts.finding', true)).toBeUndefined();
    expect(packContract('wr.contracts.loop_control', false)).toMatchObject({
      contract: 'wr.contracts.loop_control',
      required: false,
    });
    expect(packContract('wr.contracts.loop_control', false)).not.toHaveProperty('documents');
  });
});

describe.each(packs.map((pack): [string, ContractPack] => [pack.ref, pack]))(
  '%s',
  (ref, { kind, schema, example, documents }) => {
    it('can be compiled, and needs nothing that an inline contract would lack', () => {
      expect(schemaProblem(schema)).toBeUndefined();
      expect(schemaProblem({ $schema: 'https://json-schema.org/draft/2020-12/schema', ...schema })).toBeUndefined();
      expect(compileContract(contractOf(ref))).toMatchObject({ kind, schema, example });
    });

    it('accepts its example, which an answer has room for', () => {
      expect(checkArtifact(contractOf(ref), example)).toEqual([]);
      expect(canonicalJson(example).length).toBeLessThan(1500);
    });

    it('requires its kind and each field it says it requires', () => {
      for (const name of schema['required'] as readonly string[]) {
        const without = Object.fromEntries(Object.entries(example).filter(([field]) => field !== name));
        expect(problems(ref, without), name).toEqual([`/${name}`]);
        expect(problems(ref, { ...example, [name]: null }), name).not.toEqual([]);
      }
      expect(problems(ref, { ...example, kind: 'wr.other' })).toEqual(['/kind']);
    });

    it('refuses its example with any one value of another type, wherever it stands', () => {
      let spoilt = 0;
      for (const artifact of spoiltCopies(example)) {
        spoilt += 1;
        expect(checkArtifact(contractOf(ref), artifact as JsonObject), JSON.stringify(artifact)).not.toEqual([]);
      }
      expect(spoilt).toBeGreaterThan(2);
    });

    it('bounds every text, list and free object', () => {
      const bounds: { readonly [type: string]: string } = {
        string: 'maxLength',
        array: 'maxItems',
        object: 'maxProperties',
      };
      const boundless = parts(schema).filter((part) => {
        const bound = bounds[part['type'] as string];
        return bound !== undefined && part[bound] === undefined && part['properties'] === undefined;
      });
      expect(boundless).toEqual([]);
    });

    it('folds fields that its schema has', () => {
      for (const { field, fold, key } of documents) {
        const folded = field === undefined ? schema : fieldAt(schema, field);
        expect(folded, field).toBeDefined();
        if (fold === 'header') expect(folded).toMatchObject({ type: 'object' });
        if (fold === 'table') expect(folded).toMatchObject({ type: 'array' });
        expect(fold === 'table').toBe(key !== undefined);
        for (const path of key ?? [])
          expect(fieldAt({ properties: { it: folded! } }, `it.${path}`), path).toBeDefined();
      }
    });
  },
);

describe('documents', () => {
  it('of one name are folded one way, whichever contract they come from', () => {
    const ways = new Map<string, string>();
    for (const { document, fold, key } of packs.flatMap(({ documents }) => documents)) {
      const way = JSON.stringify([fold, key]);
      expect(ways.get(document) ?? way).toBe(way);
      ways.set(document, way);
    }
    expect([...ways.keys()].toSorted()).toEqual([
      'assessments',
      'gates',
      'handoff.coding',
      'handoff.differentiation',
      'handoff.discovery',
      'handoff.shaping',
      'open_questions',
      'review.changed_files',
      'review.comments',
      'review.findings',
      'review.header',
      'review.revision_log',
      'review.verdict',
      'signals',
      'working_agreement',
      'working_agreement.changes',
    ]);
  });
});

describe('what a contract refuses', () => {
  it('in loop control: another word, another field', () => {
    const ref = 'wr.contracts.loop_control';
    expect(problems(ref, { ...exampleOf(ref), decision: 'Stop' })).toEqual(['/decision']);
    expect(problems(ref, { ...exampleOf(ref), decison: 'stop' })).toEqual(['/decison']);
    expect(
      problems(ref, { kind: 'wr.loop_control', decision: 'continue', loopId: 'hunt', metadata: { found: 3 } }),
    ).toEqual([]);
  });

  it('in an assessment: a dimension without a level', () => {
    const ref = 'wr.contracts.assessment';
    expect(problems(ref, { ...exampleOf(ref), dimensions: {} })).toEqual(['/dimensions']);
    expect(problems(ref, { ...exampleOf(ref), dimensions: { scope: { rationale: 'wide' } } })).toContain(
      '/dimensions/scope/level',
    );
    expect(problems(ref, { ...exampleOf(ref), dimensions: { scope: 3 } })).toContain('/dimensions/scope');
  });

  it('in findings: a place without a file, an unknown severity, all at once', () => {
    const ref = 'wr.contracts.findings';
    const [finding] = exampleOf(ref)['findings'] as readonly JsonObject[];
    expect(problems(ref, { kind: 'mr_review.findings', findings: [] })).toEqual([]);
    expect(
      problems(ref, {
        kind: 'mr_review.findings',
        findings: [
          { ...finding, severity: 'major', location: { line: 0 } },
          { ...finding, preExisting: true },
          { ...finding, preExisting: 'yes' },
        ],
      }).toSorted(),
    ).toEqual([
      '/findings/0/location/file',
      '/findings/0/location/line',
      '/findings/0/severity',
      '/findings/2/preExisting',
    ]);
  });

  it('in the working agreement: what no user said, and topics that are no names', () => {
    const ref = 'wr.contracts.working_agreement_patch';
    expect(problems(ref, { kind: 'working_agreement_patch', agreement: { tests: 'Run them all.' } })).toEqual([
      '/said',
    ]);
    expect(problems(ref, { ...exampleOf(ref), agreement: { 'My Tests': 'Run them all.' } })).not.toEqual([]);
  });

  it('in a handoff nothing that is there besides, as workflows ask for more', () => {
    const ref = 'wr.contracts.coding_handoff';
    expect(problems(ref, { ...exampleOf(ref), deployNotes: ['Migrate first.'] })).toEqual([]);
    expect(problems(ref, { ...exampleOf(ref), filesChanged: 'src/export.ts' })).toEqual(['/filesChanged']);
  });
});

describe('the review artifacts agents have long been told to send', () => {
  it.each<[string, JsonObject]>([
    [
      'wr.contracts.review_header',
      {
        kind: 'mr_review.phase_0_triage',
        review: {
          mrTitle: 'fix(di): wire the description provider explicitly',
          classification: 'Standard',
          focusAreas: ['tool contracts', 'wiring'],
        },
        revisionLogEntry: 'Triage completed.',
      },
    ],
    [
      'wr.contracts.changed_files',
      {
        kind: 'mr_review.changed_files',
        changedFiles: [{ path: 'src/di/container.ts', summary: 'Wires the provider', risk: 'M' }],
      },
    ],
    [
      'wr.contracts.findings',
      {
        kind: 'mr_review.findings',
        findings: [
          {
            severity: 'Major',
            location: { file: 'src/tools.ts', line: 79 },
            title: 'Description drift',
            rationale: 'Agents send the wrong shape.',
            suggestion: 'Update it.',
          },
        ],
        mrComments: [
          {
            location: { file: 'src/tools.ts', line: 79 },
            title: 'Fix the description',
            body: 'It names a field that is gone.',
          },
        ],
      },
    ],
  ])('%s', (ref, artifact) => {
    expect(problems(ref, artifact)).toEqual([]);
  });
});
