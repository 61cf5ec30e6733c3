import type { UnsoundPiece } from './sift-segment.js';

const shownText = 80;

/** What can still be told of bytes that are no line any more: where they stood, and what they show of what they said. */
export function lostText({ line, byte, bytes, message }: UnsoundPiece): string {
  const shown = shownIn(bytes.toString('utf8', 0, 16 * 1024));
  return `line ${line} (byte ${byte}, ${bytes.length} bytes): ${shown === '' ? `nothing of it can be told; ${message}` : `it shows ${shown}`}`;
}

function shownIn(text: string): string {
  const field = (pattern: RegExp): string | undefined => pattern.exec(text)?.[1]?.slice(0, shownText);
  const kind = field(/"kind":"([a-z_]{1,40})"/u);
  const step = field(/"step":\{"id":"(?:[^"\\]|\\.){0,200}","path":"((?:[^"\\]|\\.){0,200})"/u);
  const title = field(/"title":"((?:[^"\\]|\\.){0,200})"/u);
  const said = field(/"(?:text|notes)":"((?:[^"\\]|\\.){1,80})/u);
  const at = field(/"at":"([0-9TZ:.+-]{1,40})"/u);
  const node = field(/"node":"(n_[0-9a-f]{12})"/u);
  const words = said === undefined ? undefined : `“${said.replaceAll(/\\./gu, ' ')}…”`;
  return [
    kind,
    step !== undefined && `step ${JSON.stringify(step)}`,
    title !== undefined && step === undefined && `title ${JSON.stringify(title)}`,
    words,
    node,
    at !== undefined && `of ${at}`,
  ]
    .filter((part) => part !== undefined && part !== false)
    .join(', ');
}
