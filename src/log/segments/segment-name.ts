import { idPatterns, type WriterId } from '../../base/ids.js';

export interface SegmentName {
  readonly name: string;
  readonly firstSeq: number;
  readonly writer: WriterId;
}

/** `<first seq>-<writer>.ndjson`: names never clash, and sort by when their segments begin. */
export function segmentName(firstSeq: number, writer: WriterId): string {
  return `${String(firstSeq).padStart(6, '0')}-${writer}.ndjson`;
}

export function parseSegmentName(name: string): SegmentName | undefined {
  const [, seq, writer] = /^(\d{6,15})-([0-9a-z]+)\.ndjson$/u.exec(name) ?? [];
  if (seq === undefined || writer === undefined || !idPatterns.writer.test(writer)) return undefined;
  return { name, firstSeq: Number(seq), writer: writer as WriterId };
}
