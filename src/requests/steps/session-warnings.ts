import type { WarningTold } from '../../contract/answer.js';
import type { Finding } from '../../log/port/finding.js';
import { findingText } from '../world/log-rejections.js';

const told = 3;

const warnings: { readonly [level in Finding['level']]: { readonly code: string; readonly says: string } } = {
  torn: { code: 'TORN_TAIL', says: 'the end of a write is missing' },
  incomplete: { code: 'SESSION_INCOMPLETE', says: 'this session is incomplete on disk' },
  damage: { code: 'SESSION_DAMAGED', says: 'this session is damaged and read-only' },
  newer: { code: 'SESSION_NEWER_FORMAT', says: 'this session is read-only' },
};

/** What is amiss with a session on disk, as warnings of the present. */
export function sessionWarnings(findings: readonly Finding[]): readonly WarningTold[] {
  const shown = findings.slice(0, told).map((finding): WarningTold => {
    const { code, says } = warnings[finding.level];
    return { code, message: `${says}: ${findingText(finding)}; ${finding.remedy}` };
  });
  return findings.length > told
    ? [...shown, { code: 'MORE_WARNINGS', message: `${findings.length - told} more problems of this kind` }]
    : shown;
}
