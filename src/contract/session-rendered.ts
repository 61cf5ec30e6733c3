export const renderFormats = ['md', 'html'] as const;
export type RenderFormat = (typeof renderFormats)[number];

/** The story of a session as a document: in a file, or here. */
export interface SessionRendered {
  readonly sessionId: string;
  readonly format: RenderFormat;
  /** Bytes. */
  readonly size: number;
  readonly file?: string;
  readonly text?: string;
  /** Part of the session could not be read; the document says what. */
  readonly damaged: boolean;
}
