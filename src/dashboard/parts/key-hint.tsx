import { own } from '../../base/own.js';

const isMac = /Mac|iPhone|iPad/u.test(navigator.userAgent);

const shown: Readonly<Record<string, string>> = {
  ArrowUp: '↑',
  ArrowDown: '↓',
  ArrowLeft: '←',
  ArrowRight: '→',
  Enter: '⏎',
  Escape: 'Esc',
  ' ': 'Space',
  Home: 'Home',
  End: 'End',
  'Ctrl+k': isMac ? '⌘ K' : 'Ctrl K',
};

/** Keys, drawn as keys. */
export function KeyHint({ keys }: { readonly keys: string }) {
  const parts = keys === ' ' ? [' '] : keys.split(' ');
  return (
    <span className="key-hint">
      {parts.map((key) => (
        <kbd key={key}>{own(shown, key) ?? key}</kbd>
      ))}
    </span>
  );
}
