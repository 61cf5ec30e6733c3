import type { WarningTold } from '../../contract/answer.js';
import type { Finding } from '../../log/port/finding.js';
import { findingText } from '../world/log-rejections.js';

const told = 3;

/** What is amiss with a session on disk, as warnings of the present. */
export function sessionWarnings(findings: readonly Finding[]): readonly WarningTold[] {
  const shown = findings.slice(0, told).map((finding): WarningTold => {
    const text = `${findingText(finding)}; ${finding.remedy}`;
    switch (finding.level) {
      case 'torn':
        return { code: 'TORN_TAIL', message: `the end of a write is missing: ${text}` };
      case 'incomplete':
        return { code: 'SESSION_INCOMPLETE', message: `this session is incomplete on disk: ${text}` };
      case 'damage':
        return { code: 'SESSION_DAMAGED', message: `this session is damaged and read-only: ${text}` };
      case 'newer':
        return { code: 'SESSION_NEWER_FORMAT', message: `this session is read-only: ${text}` };
    }
  });
  return findings.length > told
    ? [...shown, { code: 'MORE_WARNINGS', message: `${findings.length - told} more findings of that kind` }]
    : shown;
}
