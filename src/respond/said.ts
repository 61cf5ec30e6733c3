/** An event in words. */
export interface Said {
  readonly says: string;
  readonly details?: readonly (string | undefined)[];
}
