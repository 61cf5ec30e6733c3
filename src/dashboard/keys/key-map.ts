/** One thing that a key does. */
export interface KeyBinding {
  /** As `KeyboardEvent.key` has it; two keys one after the other are parted by a space, `g s`; two at once are joined, `Ctrl+k`. */
  readonly keys: string;
  readonly says: string;
  /** Absent where the part that has the focus does it itself, and the key is only listed. */
  readonly run?: () => void;
}

export interface KeyGroup {
  readonly title: string;
  readonly bindings: readonly KeyBinding[];
}

/** How long the second of two keys may take, in milliseconds. */
const together = 1200;

const groups = new Set<KeyGroup>();
let first: { readonly key: string; readonly at: number } | undefined;

/** Until the answer is called, these keys do these things. What was added last is asked first. */
function add(group: KeyGroup): () => void {
  groups.add(group);
  return () => groups.delete(group);
}

const bindingFor = (keys: string): KeyBinding | undefined =>
  [...groups]
    .toReversed()
    .flatMap(({ bindings }) => bindings)
    .find((binding) => binding.keys === keys && binding.run !== undefined);

const isWriting = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable ||
    target instanceof HTMLTextAreaElement ||
    target instanceof HTMLSelectElement ||
    (target instanceof HTMLInputElement &&
      target.type !== 'checkbox' &&
      target.type !== 'radio' &&
      target.type !== 'range'));

/** The space bar presses what has the focus. */
const isPressing = ({ key, target }: KeyboardEvent): boolean =>
  key === ' ' && target instanceof Element && target.closest('button, a, summary, select, input') !== null;

/** Where the command key stands for it, that one too. */
const withControl = ({ ctrlKey, metaKey, altKey, shiftKey, key }: KeyboardEvent): KeyBinding | undefined =>
  ctrlKey !== metaKey && !altKey && !shiftKey ? bindingFor(`Ctrl+${key}`) : undefined;

function pressed(event: KeyboardEvent): void {
  if (event.defaultPrevented || event.isComposing || document.querySelector('dialog[open]') !== null) return;
  if (event.ctrlKey || event.metaKey || event.altKey) {
    const binding = withControl(event);
    if (binding === undefined) return;
    event.preventDefault();
    binding.run?.();
    return;
  }
  if (isWriting(event.target) || isPressing(event)) return;
  const pair =
    first !== undefined && event.timeStamp - first.at < together ? bindingFor(`${first.key} ${event.key}`) : undefined;
  const binding = pair ?? bindingFor(event.key);
  first = pair === undefined ? { key: event.key, at: event.timeStamp } : undefined;
  if (binding?.run === undefined) return;
  event.preventDefault();
  binding.run();
}

export const keyMap = {
  add,
  /** For the help: what keys do just now. */
  groups: (): readonly KeyGroup[] =>
    [...new Set([...groups].map(({ title }) => title))].map((title) => ({
      title,
      bindings: [...groups].flatMap((group) => (group.title === title ? group.bindings : [])),
    })),
  listen: (): (() => void) => {
    window.addEventListener('keydown', pressed);
    return () => window.removeEventListener('keydown', pressed);
  },
};
