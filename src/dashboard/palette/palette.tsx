import { type KeyboardEvent, useEffect, useEffectEvent, useId, useRef, useState } from 'react';
import { plural } from '../../base/plural.js';
import { walkList } from '../keys/walk-list.js';
import { Dialog } from '../parts/dialog.js';
import { InCode } from '../parts/in-code.js';
import { navigate, useRoute } from '../router/navigate.js';
import type { Found } from './found.js';
import { useFound } from './use-found.js';
import './palette.css';

/** One field that leads everywhere: what is typed is looked for in all that can be opened. */
export function Palette({ onClose }: { readonly onClose: () => void }) {
  const id = useId();
  const [words, setWords] = useState('');
  const [moved, setMoved] = useState<string>();
  const [wanted, setWanted] = useState(false);
  const { groups, isOpen } = useFound(words, useRoute());
  const all = groups.flatMap(({ found }) => found);
  const at = Math.max(
    0,
    all.findIndex(({ key }) => key === moved),
  );
  const chosen = all[at];
  const optionId = ({ key }: Found): string => `${id}-${all.findIndex((one) => one.key === key)}`;
  const go = ({ to, run }: Found): void => {
    onClose();
    if (to !== undefined) navigate(to);
    run?.();
  };
  const openChosen = (): void => {
    if (chosen !== undefined) go(chosen);
  };
  const openWanted = useEffectEvent(openChosen);
  // Who is faster than the answer gets what they asked for, and not what was found before.
  useEffect(() => {
    if (wanted && !isOpen) openWanted();
  }, [wanted, isOpen]);
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' });
  }, [chosen?.key]);
  const press = (event: KeyboardEvent<HTMLInputElement>): void => {
    if ((event.ctrlKey || event.metaKey) && event.key === 'k') {
      event.preventDefault();
      onClose();
      return;
    }
    // These move in the text.
    if (event.key === 'Home' || event.key === 'End') return;
    walkList(event, {
      at,
      count: all.length,
      page: 5,
      onMove: (to) => setMoved(all[to]?.key),
      onOpen: () => (isOpen && moved === undefined ? setWanted(true) : openChosen()),
    });
  };
  return (
    <Dialog title="Go to" onClose={onClose}>
      <input
        className="palette-field"
        type="text"
        role="combobox"
        aria-label="Search sessions, workflows, steps, commands, views and actions"
        aria-expanded="true"
        aria-controls={`${id}-list`}
        aria-autocomplete="list"
        aria-activedescendant={chosen === undefined ? undefined : optionId(chosen)}
        placeholder="A session, workflow, step, command or view"
        value={words}
        onChange={(event) => {
          setWords(event.target.value);
          setMoved(undefined);
          setWanted(false);
        }}
        onKeyDown={press}
        spellCheck={false}
        autoComplete="off"
      />
      <p className="for-readers-only" role="status">
        {isOpen ? 'Searching' : all.length === 0 ? 'Nothing found' : plural(all.length, 'result')}
      </p>
      <div ref={list} id={`${id}-list`} className="palette-list" role="listbox" aria-label="Results">
        {groups.map(({ title, found }) => (
          <div key={title} role="group" aria-label={title}>
            <p className="kicker" aria-hidden="true">
              {title}
            </p>
            {found.map((one) => (
              <div
                key={one.key}
                id={optionId(one)}
                className="palette-option"
                role="option"
                aria-selected={one.key === chosen?.key}
                onClick={() => go(one)}
              >
                <span className="one-line">
                  <InCode text={one.title} />
                </span>
                <span className="quiet small one-line">{one.hint}</span>
              </div>
            ))}
          </div>
        ))}
      </div>
    </Dialog>
  );
}
