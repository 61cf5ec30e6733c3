import { CopyButton } from '../parts/copy-button.js';

/** A workflow file as it is written. */
export function SourceText({ source }: { readonly source: string }) {
  return (
    <div className="code-frame">
      <pre className="source-text">{source}</pre>
      <span>
        <CopyButton text={source} label="Copy the file" />
      </span>
    </div>
  );
}
