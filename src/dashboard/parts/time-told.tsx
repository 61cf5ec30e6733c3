import { useSyncExternalStore } from 'react';

const hour = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' });
const day = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short' });
const dayOfYear = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric' });
const weekday = new Intl.DateTimeFormat('en-GB', { weekday: 'long' });
const date = new Intl.DateTimeFormat('en-GB', { weekday: 'short', day: 'numeric', month: 'long' });
const dateOfYear = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'long', year: 'numeric' });
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

/** The day of a moment: its name where it is near, else its date. */
export function dayTold(at: string): string {
  const then = new Date(at);
  if (Number.isNaN(then.getTime())) return 'Unknown date';
  const today = new Date(now);
  const back = Math.round(
    (new Date(today.getFullYear(), today.getMonth(), today.getDate()).getTime() -
      new Date(then.getFullYear(), then.getMonth(), then.getDate()).getTime()) /
      (24 * 60 * minute),
  );
  if (back === 0) return 'Today';
  if (back === 1) return 'Yesterday';
  if (back > 1 && back < 7) return weekday.format(then);
  return (then.getFullYear() === today.getFullYear() ? date : dateOfYear).format(then);
}

/** The same as words of a sentence. */
export function useTimeWords(): (at: string) => string {
  useSyncExternalStore(listen, () => now);
  return (at) => (Number.isNaN(new Date(at).getTime()) ? at : words(new Date(at)));
}

/** A moment, as near ones are spoken of; the whole of it on hover. */
export function TimeTold({ at }: { readonly at: string }) {
  const then = new Date(at);
  const valid = !Number.isNaN(then.getTime());
  const told = useSyncExternalStore(listen, () => (valid ? words(then) : at));
  return valid ? (
    <time dateTime={at} title={whole.format(then)}>
      {told}
    </time>
  ) : (
    <span>{told}</span>
  );
}
