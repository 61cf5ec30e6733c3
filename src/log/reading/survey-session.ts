import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as letOthersIn } from 'node:timers/promises';
import { sha256Hex } from '../../base/digest.js';
import type { SessionId, WorkflowHash } from '../../base/ids.js';
import type { SessionSurvey, SurveyedPart, SurveyVisit } from '../port/store-carry.js';
import { pinFile } from '../segments/pins.js';
import { findingsOf } from '../segments/reading.js';
import type { SessionFolder } from '../segments/session-folder.js';
import { knownAfter, passInSteps } from './pass-over.js';

/**
 * Reads and checks every byte of a session without folding it: one segment is in memory at a time. Others may append
 * meanwhile; what is surveyed is what stood there at one moment. Which pins its runs need is for the asker to say.
 */
export async function surveySession(at: SessionFolder, id: SessionId, visit: SurveyVisit = {}): Promise<SessionSurvey> {
  let segments: SurveyedPart[] = [];
  const steps = passInSteps(at, id, {
    begin: (rules) => {
      segments = [];
      visit.begin?.(rules.redacted);
    },
    segment: ({ name, position: { offset } }, { events, bytes }) => {
      const file = `segments/${name}`;
      for (const [index, event] of events.entries()) visit.line?.(event, file, index + 1);
      // A segment without one whole append holds nothing.
      if (offset > 0) segments.push({ name: file, size: offset, sha256: sha256Hex(bytes.subarray(0, offset)) });
      visit.progress?.(bytes.length);
    },
  });
  let step = steps.next();
  for (; step.done !== true; step = steps.next()) await letOthersIn();
  const known = knownAfter(id, at, step.value);
  return {
    origin: known.origin,
    segments,
    pins: [...known.pinNames].flatMap((hash) => surveyedPin(at, hash)),
    findings: findingsOf({ ...known, missingPins: new Set() }),
    lines: step.value.lines,
    redacted: known.redacted,
  };
}

function surveyedPin({ pins }: SessionFolder, hash: WorkflowHash): SurveyedPart[] {
  const stat = lstatSync(join(pins, pinFile(hash)), { throwIfNoEntry: false });
  return stat?.isFile() === true ? [{ name: `pins/${pinFile(hash)}`, size: stat.size, sha256: hash }] : [];
}
