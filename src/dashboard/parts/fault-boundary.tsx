import { Component, type ReactNode } from 'react';
import { liveConnection } from '../api/live-connection.js';
import { Button } from './button.js';
import { StateNotice } from './state-notice.js';

/** The files of a view could not be had: nobody answers, or who answers is another version. */
export class UnloadedView extends Error {
  constructor(cause: unknown) {
    super('the files of this view could not be loaded', { cause });
    this.name = 'UnloadedView';
  }
}

export interface FaultBoundaryProps {
  /** Another place is tried anew. */
  readonly place: string;
  readonly children: ReactNode;
}

interface Caught {
  readonly message: string;
  /** Its file could not be had. */
  readonly unloaded: boolean;
}

/** A mistake of the page's own takes down the view it is in, and nothing else. A class, because only one can catch it. */
export class FaultBoundary extends Component<FaultBoundaryProps, { readonly caught: Caught | undefined }> {
  constructor(props: FaultBoundaryProps) {
    super(props);
    this.state = { caught: undefined };
  }

  private stopListening: () => void = () => undefined;

  static getDerivedStateFromError(cause: unknown): { readonly caught: Caught } {
    const message = cause instanceof Error ? cause.message : String(cause);
    return { caught: { message, unloaded: cause instanceof UnloadedView } };
  }

  override componentDidMount(): void {
    let lost = false;
    // A browser does not ask twice for a module that it could not have.
    this.stopListening = liveConnection.listen(() => {
      const { is } = liveConnection.state();
      if (is === 'live' && lost && this.state.caught?.unloaded === true) window.location.reload();
      lost = is === 'lost' || (lost && is !== 'live');
    });
  }

  override componentWillUnmount(): void {
    this.stopListening();
  }

  override componentDidUpdate(before: FaultBoundaryProps): void {
    if (before.place !== this.props.place && this.state.caught !== undefined) this.setState({ caught: undefined });
  }

  override render(): ReactNode {
    const { caught } = this.state;
    if (caught === undefined) return this.props.children;
    return (
      <StateNotice
        kind={caught.unloaded ? 'disconnected' : 'damaged'}
        title={caught.unloaded ? 'This view could not be loaded' : 'Something went wrong in this view'}
      >
        <p>
          {caught.unloaded
            ? 'The server does not respond, or runs another version now. This page reloads when workrail serve is back.'
            : `This is a bug in the page; your session on disk has not changed. ${caught.message}`}
        </p>
        <div className="actions">
          <Button look="main" onClick={() => window.location.reload()}>
            Reload the page
          </Button>
        </div>
      </StateNotice>
    );
  }
}
