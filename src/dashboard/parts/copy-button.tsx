import { useEffect, useState } from 'react';
import { announce } from './announcer.js';
import { Button } from './button.js';

export interface CopyButtonProps {
  /** What is copied; a function where it must be fetched first. */
  readonly text: string | (() => Promise<string>);
  readonly children?: string;
  readonly small?: boolean;
  /** What is copied, for who cannot see what the button stands beside. */
  readonly label?: string;
}

type Done = 'copied' | 'failed';

export function CopyButton({ text, children = 'Copy', small = true, label }: CopyButtonProps) {
  const [done, setDone] = useState<Done>();
  useEffect(() => {
    if (done === undefined) return undefined;
    const timer = window.setTimeout(() => setDone(undefined), 1600);
    return () => window.clearTimeout(timer);
  }, [done]);
  const copy = async (): Promise<void> => {
    const result = await copied(text);
    setDone(result);
    announce(result === 'copied' ? 'Copied.' : 'Could not copy. Select the text and copy it yourself.');
  };
  const words = done === undefined ? children : done === 'copied' ? 'Copied' : 'Not copied';
  // Who speaks to the page says what stands on the button: that must be in its name.
  const name = label === undefined || label.startsWith(words) ? label : `${words}: ${label}`;
  return (
    <Button small={small} onClick={() => void copy()} {...(name !== undefined && { label: name })}>
      <span className="copy-words" data-words={children}>
        {words}
      </span>
    </Button>
  );
}

async function copied(text: CopyButtonProps['text']): Promise<Done> {
  try {
    await navigator.clipboard.writeText(typeof text === 'string' ? text : await text());
    return 'copied';
  } catch {
    // The browser may forbid it, or the text cannot be had; the button says so.
    return 'failed';
  }
}
