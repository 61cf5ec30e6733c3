/** Where a folder stands in git, by names and digests only: no path of this machine, no credentials. */
export interface RepositoryObservation {
  readonly branch?: string;
  readonly commit?: string;
  readonly repository?: string;
  readonly remote?: string;
  readonly root?: string;
}

export function observeRepository(_folder: string): RepositoryObservation | undefined {
  throw new Error('not written yet');
}

export function headOf(_folder: string): { readonly branch?: string; readonly commit?: string } | undefined {
  throw new Error('not written yet');
}
