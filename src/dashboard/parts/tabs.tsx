import { type KeyboardEvent, type ReactNode, useId } from 'react';
import { own } from '../../base/own.js';

export interface Tab {
  readonly name: string;
  readonly title: string;
}

export interface TabsProps {
  readonly label: string;
  readonly tabs: readonly Tab[];
  readonly chosen: string;
  readonly onChoose: (name: string) => void;
  /** What the chosen one holds. */
  readonly children: ReactNode;
}

/** One of several things about the same. Arrow keys go from one to the next. */
export function Tabs({ label, tabs, chosen, onChoose, children }: TabsProps) {
  const id = useId();
  const press = (event: KeyboardEvent<HTMLDivElement>): void => {
    const at = tabs.findIndex(({ name }) => name === chosen);
    const steps: Readonly<Record<string, number>> = {
      ArrowRight: at + 1,
      ArrowLeft: at - 1 + tabs.length,
      Home: 0,
      End: tabs.length - 1,
    };
    const to = own(steps, event.key);
    const next = to === undefined ? undefined : tabs[to % tabs.length];
    if (next === undefined) return;
    event.preventDefault();
    onChoose(next.name);
    event.currentTarget.querySelector<HTMLElement>(`[data-tab="${next.name}"]`)?.focus();
  };
  return (
    <div className="tabs">
      <div role="tablist" aria-label={label} tabIndex={-1} onKeyDown={press}>
        {tabs.map(({ name, title }) => (
          <button
            key={name}
            type="button"
            role="tab"
            id={`${id}-${name}`}
            data-tab={name}
            aria-selected={name === chosen}
            aria-controls={`${id}-panel`}
            tabIndex={name === chosen ? 0 : -1}
            onClick={() => onChoose(name)}
          >
            {title}
          </button>
        ))}
      </div>
      <div role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-${chosen}`} className="tab-panel">
        {children}
      </div>
    </div>
  );
}
