/** What template calls of the older WorkRail JSON format name routines by. */
const templates = 'wr.templates.routine.';

/** What a file is told to be renamed to, by its source: who does so has not broken what calls it. */
const renamed = ['project', 'user', 'repo'];

/** The name of a routine alone, however it is called. */
function bareName(name: string): string {
  const last = name.startsWith(templates) ? name.slice(templates.length) : name.slice(name.lastIndexOf('.') + 1);
  return last.replace(/^routine[-_]/u, '');
}

/** Every id under which a routine may be kept that the older format calls by this name; the name itself comes first. */
export function olderRoutineIds(name: string): readonly string[] {
  const bare = bareName(name);
  const spellings = [...new Set([bare, bare.replaceAll('-', '_'), bare.replaceAll('_', '-')])];
  const [namespace = '', ...rest] = name.startsWith(templates) ? [] : name.replace(/^wr\./u, '').split('.');
  const joined = ['_', '-'].map((sign) => rest.join(sign)).filter((one) => one !== '');
  const whole = joined.flatMap((one) => [`${namespace}_${one}`, `${namespace}-${one}`]);
  return [
    ...new Set([
      name,
      ...spellings.flatMap((one) => [
        `routine-${one}`,
        `wr.routine-${one}`,
        `wr.routine.${one}`,
        `wr.routines.${one}`,
        `wr.routine_${one}`,
        `routine_${one}`,
        `wr.${one}`,
        one,
      ]),
      ...renamed.flatMap((source) => [
        ...spellings.flatMap((one) => [`${source}.routine-${one}`, `${source}.routine_${one}`, `${source}.${one}`]),
        ...whole.map((one) => `${source}.${one}`),
      ]),
      ...joined.map((one) => `${namespace}.${one}`),
      ...whole.map((one) => `wr.${one}`),
    ]),
  ];
}

/** The routines that came with the older format, each with the bundled workflow whose purpose is nearest. */
const nearest: ReadonlyMap<string, string> = new Map([
  ['context-gathering', 'wr.gather_evidence'],
  ['design-review', 'wr.design_review'],
  ['execution-simulation', 'wr.gather_evidence'],
  ['feature-implementation', 'wr.coding_task'],
  ['feedback-resolution', 'wr.coding_task'],
  ['final-verification', 'wr.verify_claims'],
  ['hypothesis-challenge', 'wr.adversarial_review'],
  ['ideation', 'wr.compare_designs'],
  ['parallel-work-partitioning', 'wr.coding_task'],
  ['philosophy-alignment', 'wr.design_review'],
  ['plan-analysis', 'wr.design_review'],
  ['plan-generation', 'wr.compare_designs'],
  ['reviewer-family', 'wr.review_change'],
  ['tension-driven-design', 'wr.compare_designs'],
]);

/** The bundled workflow that does most nearly what a routine of the older format did. */
export const nearestToOlderRoutine = (name: string): string | undefined =>
  nearest.get(
    bareName(
      name
        .toLowerCase()
        .trim()
        .replaceAll(/[_\s]+/gu, '-'),
    ),
  );
