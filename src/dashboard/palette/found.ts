import type { Route } from '../router/route.js';

/** Something to go to or to do. */
export interface Found {
  readonly key: string;
  readonly title: string;
  readonly hint: string;
  /** By which it is found besides its title. */
  readonly words?: string;
  readonly to?: Route;
  readonly run?: () => void;
}

export interface FoundGroup {
  readonly title: string;
  readonly found: readonly Found[];
}
