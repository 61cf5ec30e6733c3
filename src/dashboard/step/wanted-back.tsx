import type { Expects } from '../../contract/answer.js';
import { ValueTold } from './value-told.js';
import { Folded } from '../parts/folded.js';
import { InCode } from '../parts/in-code.js';

/** What the step asks to be handed back. */
export function WantedBack({ expects }: { readonly expects: Expects }) {
  const wanted = [
    ...expects.artifacts.map(
      ({ kind, required }) => `${required ? 'An artifact' : 'Optional: an artifact'} of kind ${kind}`,
    ),
    ...expects.context.map(
      ({ key, wanted: value, required }) => `${required ? 'Context' : 'If known, context'} ${key}: ${value}`,
    ),
    ...(expects.confirmation.required ? ['The user’s confirmation'] : []),
  ];
  return (
    <section>
      <h3>Expected output</h3>
      <p>{expects.notes.required ? 'Notes are required.' : 'Notes are welcome.'}</p>
      {expects.notes.rules.length === 0 ? null : (
        <ul className="told-list">
          {expects.notes.rules.map((rule) => (
            <li key={rule}>
              <InCode text={rule} />
            </li>
          ))}
        </ul>
      )}
      {wanted.length === 0 ? null : (
        <ul className="told-list">
          {wanted.map((line) => (
            <li key={line}>
              <InCode text={line} />
            </li>
          ))}
        </ul>
      )}
      {(expects.assessments ?? []).map((assessment) => (
        <Folded key={assessment.id} kind={`Assessment ${assessment.id}`} hint={assessment.purpose}>
          <ValueTold
            value={assessment.dimensions.map(({ id, purpose, levels }) => ({ dimension: id, purpose, levels }))}
          />
        </Folded>
      ))}
      {expects.needs.map(({ reason, key, ask, satisfied }) => (
        <p key={key} className={satisfied ? 'aside good' : 'aside warning'}>
          <strong>{satisfied ? 'Given' : 'Only the user can give it'}</strong> <InCode text={ask} />{' '}
          <span className="quiet">{reason.replaceAll('_', ' ')}</span>
        </p>
      ))}
    </section>
  );
}
