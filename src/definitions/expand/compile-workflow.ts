import { defined } from '../../base/defined.js';
import type { CommandLookup } from '../compiled/command-lookup.js';
import type { OperationShape } from '../compiled/operation-shape.js';
import type { CalledRoutines } from './called-routines.js';
import type { CompiledWorkflow, Provenance, RecommendedPreferences, Reference } from '../compiled/compiled-workflow.js';
import { commandsIn, mapPrompts } from '../compiled/visit-steps.js';
import { needsOfRounds } from './needs-of-rounds.js';
import { compileInput, compileSteps, humanised, mapValues } from './compile-step.js';
import { features, type Feature } from './features.js';
import type { StepSource, WorkflowSource } from '../source/workflow-format.js';

/** A checked source with everything expanded: calls, features, functions, assessments, contracts. */
export function compileWorkflow(
  source: WorkflowSource,
  called: CalledRoutines,
  commands?: CommandLookup,
): CompiledWorkflow {
  const { workflow: id, kind, description, version, tags, guidance, preconditions, clarify } = source;
  const provenance: Provenance[] = [];
  const { mode, autonomy, gateHandling, assumptionPolicy, riskPolicy } = source.recommends ?? {};
  const preferences = defined<RecommendedPreferences>({ mode, autonomy, gateHandling, assumptionPolicy, riskPolicy });
  const references = allReferences(source, called, provenance);
  const operations = new Map<string, OperationShape>();
  const around = { source, called, provenance, commands, operations, iteration: undefined };
  const expanded = compileSteps(source.steps, '/steps', around);
  const inputs = mapValues(source.inputs, (input) => compileInput(input, around));
  const { returns = {} } = source;
  const used = source.uses.flatMap((name) => features.get(name) ?? []);
  const inRounds = needsOfRounds(expanded);
  const steps =
    used.length === 0
      ? inRounds
      : mapPrompts(inRounds, (step, at) => ({ ...step, guidance: withFeatures(step.guidance, at, used, provenance) }));
  // An older program refuses what it does not know by the form, and says that it is older.
  const isNewer =
    commandsIn(steps).length + Object.keys(returns).length > 0 ||
    Object.values(inputs).some(({ provider }) => provider !== undefined);
  return {
    compiled: isNewer ? 2 : 1,
    id,
    kind,
    title: source.title ?? humanised(id.slice(id.indexOf('.') + 1)),
    description,
    version,
    tags,
    guidance,
    preconditions,
    clarify,
    // To recommend nothing and to say nothing is the same.
    ...(Object.keys(preferences).length === 0 ? {} : { recommends: preferences }),
    inputs,
    ...(references.length > 0 && { references }),
    steps,
    ...(Object.keys(returns).length > 0 && { returns }),
    ...(operations.size > 0 && { operations: Object.fromEntries(operations) }),
    ...(provenance.length > 0 && { provenance }),
  };
}

/** The workflow's own references, and those of the routines it calls. */
function allReferences(source: WorkflowSource, called: CalledRoutines, provenance: Provenance[]): readonly Reference[] {
  const all = source.references.map(({ id, title, path, purpose, authoritative }) =>
    defined<Reference>({ id, title, path, purpose, authoritative }),
  );
  for (const name of new Set(source.steps.flatMap(callsIn))) {
    const routine = called(name);
    for (const reference of routine.ok ? (routine.value.references ?? []) : []) {
      if (all.some(({ path }) => path === reference.path)) continue;
      provenance.push({ at: `/references/${all.length}`, from: `routine ${name}` });
      all.push({
        ...reference,
        id: all.some(({ id }) => id === reference.id) ? `${name}.${reference.id}` : reference.id,
      });
    }
  }
  return all;
}

function callsIn({ call, steps = [] }: StepSource): readonly string[] {
  return [...(call === undefined ? [] : [call]), ...steps.flatMap(callsIn)];
}

/** The lines of features after what is there already. */
function withFeatures(
  own: readonly string[],
  at: string,
  used: readonly Feature[],
  provenance: Provenance[],
): readonly string[] {
  const guidance = [...own];
  for (const feature of used) {
    for (const line of featureLines(feature)) {
      // A called routine may use the same feature.
      if (guidance.includes(line)) continue;
      provenance.push({ at: `${at}/guidance/${guidance.length}`, from: `feature ${feature.id}` });
      guidance.push(line);
    }
  }
  return guidance;
}

function featureLines({ guidance, constraints, verify }: Feature): readonly string[] {
  return [...guidance, ...constraints, ...verify.map((line) => `Before handing back: ${line}`)];
}
