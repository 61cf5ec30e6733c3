import { useEffect, useRef, useState } from 'react';
import type { WaitingRow } from '../../contract/question-told.js';
import { visibleTitle } from '../../render/visible-text.js';
import { announce } from '../parts/announcer.js';
import { Button } from '../parts/button.js';
import { useRemembered } from '../parts/remembered.js';
import { navigate } from '../router/navigate.js';
import { rowKey } from './use-waiting.js';

const remembered = 'notify when something waits';
const canNotify = (): boolean => 'Notification' in window && window.isSecureContext;

/** Tells of each thing that begins to wait, once: read out in the page, and as a notification where the person has switched that on. */
export function useNotices(rows: readonly WaitingRow[] | undefined): void {
  const known = useRef<ReadonlySet<string>>(undefined);
  useEffect(() => {
    if (rows === undefined) return;
    const before = known.current;
    known.current = new Set(rows.map(questionKey));
    // What had waited when the page was opened is in the page already.
    if (before === undefined) return;
    for (const row of rows) {
      if (before.has(questionKey(row))) continue;
      const title = `${visibleTitle(row.step.title)} is waiting for you`;
      announce(`${title}: ${visibleTitle(row.questions[0]?.text ?? '')}`);
      if (isOn()) notify(title, row);
    }
  }, [rows]);
}

const questionKey = (row: WaitingRow): string => `${rowKey(row)} ${row.questions.map(({ block }) => block).join(' ')}`;

function isOn(): boolean {
  try {
    return window.localStorage.getItem(remembered) === 'on' && isGrantedNow();
  } catch {
    // Storage is switched off.
    return false;
  }
}

function notify(title: string, row: WaitingRow): void {
  const { sessionId, runId, nodeId, name, questions } = row;
  const notice = new Notification(title, {
    body: `${visibleTitle(name)}: ${visibleTitle(questions[0]?.text ?? '')}`,
    tag: rowKey(row),
  });
  notice.addEventListener('click', () => {
    window.focus();
    navigate({ view: 'session', sessionId, runId, nodeId });
    notice.close();
  });
}

/** Whether the browser allows them. It is another process that knows, for which a page that asks at each letter would wait. */
function useGranted(): readonly [boolean, (granted: boolean) => void] {
  const [granted, setGranted] = useState(isGrantedNow);
  useEffect(() => {
    const look = (): void => setGranted(isGrantedNow());
    // Who changes it does so elsewhere, and comes back.
    window.addEventListener('focus', look);
    return () => window.removeEventListener('focus', look);
  }, []);
  return [granted, setGranted];
}

const isGrantedNow = (): boolean => canNotify() && Notification.permission === 'granted';

/** Switches notifications on and off. The browser is asked for leave on that click alone. */
export function NotifySwitch() {
  const [on, setOn] = useRemembered(remembered);
  const [denied, setDenied] = useState(false);
  const [isGranted, setGranted] = useGranted();
  if (!canNotify()) return null;
  const turn = async (): Promise<void> => {
    if (on && isGranted) {
      setOn(false);
      return;
    }
    const answer = await Notification.requestPermission();
    setDenied(answer !== 'granted');
    setGranted(answer === 'granted');
    setOn(answer === 'granted');
  };
  return (
    <>
      <Button small pressed={on && isGranted} onClick={() => void turn()}>
        Notify me
      </Button>
      {denied ? (
        <span className="quiet small" role="status">
          Your browser blocks notifications from this page; you can allow them in the site settings.
        </span>
      ) : null}
    </>
  );
}
