import type { OutputStory } from '../../contract/session-story.js';
import { CopyButton } from '../parts/copy-button.js';
import { ValueTold } from './value-told.js';
import { Folded } from '../parts/folded.js';

/** Artifacts as they were handed in; the documents they fold into have a tab of their own. */
export function ArtifactList({ artifacts }: { readonly artifacts: OutputStory['artifacts'] }) {
  return artifacts.map((artifact, index) => {
    const { kind, ...rest } = artifact;
    const name = typeof kind === 'string' ? kind : 'artifact';
    return (
      <Folded key={index} kind={name} hint={Object.keys(rest).join(', ')}>
        <ValueTold value={rest} />
        <CopyButton text={() => Promise.resolve(JSON.stringify(artifact, null, 2))} label={`Copy ${name} as JSON`}>
          Copy as JSON
        </CopyButton>
      </Folded>
    );
  });
}
