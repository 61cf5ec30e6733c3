import { useSyncExternalStore } from 'react';

const hour = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' });
const day = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short' });
const dayOfYear = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric' });
const whole = new Intl.DateTimeFormat('en-GB', { dateStyle: 'full', timeStyle: 'long' });

const minute = 60_000;
let now = Date.now();
const listeners = new Set<() => void>();
let timer: number | undefined;

function listen(listener: () => void): () => void {
  listeners.add(listener);
  timer ??= window.setInterval(tick, minute / 2);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    window.clearInterval(timer);
    timer = undefined;
  };
}

function tick(): void {
  now = Date.now();
  for (const listener of listeners) listener();
}

function words(at: Date): string {
  const ago = Math.max(Date.now(), now) - at.getTime();
  if (ago >= 0 && ago < minute) return 'just now';
  if (ago >= 0 && ago < 60 * minute) return `${Math.floor(ago / minute)} min ago`;
  const today = new Date(now);
  if (at.toDateString() === today.toDateString()) return `today ${hour.format(at)}`;
  if (at.toDateString() === new Date(now - 24 * 60 * minute).toDateString()) return `yesterday ${hour.format(at)}`;
  return at.getFullYear() === today.getFullYear() ? `${day.format(at)}, ${hour.format(at)}` : dayOfYear.format(at);
}

/** The same as words of a sentence. */
export function useTimeWords(): (at: string) => string {
  useSyncExternalStore(listen, () => now);
  return (at) => (Number.isNaN(new Date(at).getTime()) ? at : words(new Date(at)));
}

/** A moment, as near ones are spoken of; the whole of it on hover. */
export function TimeTold({ at }: { readonly at: string }) {
  const date = new Date(at);
  const valid = !Number.isNaN(date.getTime());
  const told = useSyncExternalStore(listen, () => (valid ? words(date) : at));
  return valid ? (
    <time dateTime={at} title={whole.format(date)}>
      {told}
    </time>
  ) : (
    <span>{told}</span>
  );
}
