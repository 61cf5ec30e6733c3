import { useEffect, useRef } from 'react';
import { CopyButton } from '../parts/copy-button.js';
import { paintCode } from '../parts/paint-code.js';

/** A workflow file as it is written. */
export function SourceText({ source }: { readonly source: string }) {
  const code = useRef<HTMLElement>(null);
  useEffect(() => {
    if (code.current !== null) void paintCode([code.current]);
  }, [source]);
  const language = source.trimStart().startsWith('{') ? 'json' : 'yaml';
  return (
    <div className="code-frame">
      <pre className="source-text" tabIndex={0} role="region" aria-label="The file">
        <code key={source} ref={code} className={`language-${language}`}>
          {source}
        </code>
      </pre>
      <span>
        <CopyButton text={source} label="Copy the file" />
      </span>
    </div>
  );
}
