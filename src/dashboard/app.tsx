import { QueryClientProvider } from '@tanstack/react-query';
import { type MouseEvent, Suspense, useEffect, useRef, useState } from 'react';
import { queryClient } from './api/query-client.js';
import { useLiveState } from './api/live-connection.js';
import { ImportDrop } from './bundles/import-drop.js';
import { KeyHelp } from './keys/key-help.js';
import { keyMap } from './keys/key-map.js';
import { useKeys } from './keys/use-keys.js';
import { Palette } from './palette/palette.js';
import { Announcer } from './parts/announcer.js';
import { FaultBoundary } from './parts/fault-boundary.js';
import { Skeleton } from './parts/skeleton.js';
import { StateNotice } from './parts/state-notice.js';
import { WaysOut } from './parts/ways-out.js';
import { visibleTitle } from '../render/visible-text.js';
import { navigate, useRoute } from './router/navigate.js';
import { writeRoute } from './router/route.js';
import { TopBar } from './top-bar.js';
import { WaitingSign } from './waiting/waiting-sign.js';
import { View } from './view.js';

/** The frame that every view stands in. */
export function App() {
  const route = useRoute();
  const main = useRef<HTMLElement>(null);
  const [help, setHelp] = useState(false);
  const [palette, setPalette] = useState(false);
  const skip = (event: MouseEvent): void => {
    event.preventDefault();
    main.current?.focus();
  };
  useEffect(() => keyMap.listen(), []);
  useKeys('Everywhere', [
    {
      keys: 'Ctrl+k',
      says: 'Go to a session, workflow, step, command or view; also while writing',
      run: () => setPalette(true),
    },
    { keys: '?', says: 'Keyboard shortcuts', run: () => setHelp(true) },
    { keys: 'g s', says: 'Go to the sessions', run: () => navigate({ view: 'sessions' }) },
    { keys: 'g w', says: 'Go to the workflows', run: () => navigate({ view: 'workflows' }) },
    { keys: 'g a', says: 'Go to the catalogs', run: () => navigate({ view: 'catalogs' }) },
    { keys: 'g p', says: 'Go to the preferences', run: () => navigate({ view: 'preferences' }) },
    { keys: 'g c', says: 'Go to maintenance', run: () => navigate({ view: 'care' }) },
  ]);
  return (
    <QueryClientProvider client={queryClient}>
      <div className="shell">
        <div>
          <a className="skip-link" href="#main" onClick={skip}>
            Skip to content
          </a>
          <TopBar route={route} onHelp={() => setHelp(true)} />
          <BreakLine />
        </div>
        <main id="main" ref={main} tabIndex={-1}>
          <FaultBoundary place={writeRoute(route)}>
            <Suspense fallback={<Skeleton what="the view" lines={8} />}>
              {route.view === 'nowhere' ? (
                <StateNotice kind="missing" title="Page not found">
                  <p>
                    Nothing exists at this address: <code>{visibleTitle(route.path)}</code>
                  </p>
                  <WaysOut />
                </StateNotice>
              ) : (
                <View route={route} />
              )}
            </Suspense>
          </FaultBoundary>
        </main>
        <ImportDrop />
        <Announcer />
        <WaitingSign />
        {palette ? <Palette onClose={() => setPalette(false)} /> : null}
        {help ? <KeyHelp onClose={() => setHelp(false)} /> : null}
      </div>
    </QueryClientProvider>
  );
}

const clock = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', second: '2-digit' });

/** The track under the header; broken while nobody answers, with what is still true. */
function BreakLine() {
  const state = useLiveState();
  return (
    <>
      <div className={state.is === 'lost' ? 'track-line lost' : 'track-line'} aria-hidden="true" />
      {state.is === 'lost' ? (
        <p className="broken-line" role="alert">
          <span>
            <strong>Disconnected.</strong> This page is up to date as of {clock.format(state.since)}; the log on disk is
            safe. The page reconnects when <code>workrail serve</code> is back.
          </span>
          {state.why === undefined ? null : <span className="quiet">{state.why}</span>}
        </p>
      ) : null}
    </>
  );
}
