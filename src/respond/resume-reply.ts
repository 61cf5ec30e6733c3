import type { ResumeAnswer, ResumeCandidate } from '../contract/answer.js';
import type { Reply } from '../contract/reply.js';
import { callText } from '../contract/call-text.js';
import { lookupReply } from './reply-with.js';

export function resumeReply(answer: ResumeAnswer, asked: string): Reply {
  const { candidates, found, warnings, nextCall } = answer;
  const lines: string[] = [];
  if (candidates.length === 0) lines.push(`No work is recorded here${asked === '' ? '' : `, so none for “${asked}”`}.`);
  else if (found === 0) lines.push(`Nothing matches “${asked}”. The most recent work:`);
  else
    lines.push(
      found > candidates.length
        ? `${found} found, the best ${candidates.length} (more words, a branch or a sessionId find the others):`
        : `${found} found:`,
    );
  candidates.forEach((candidate, index) => lines.push(candidateText(candidate, index + 1)));
  for (const { message } of warnings) lines.push(`Warning: ${message}.`);
  if (nextCall !== undefined)
    lines.push(found === 0 ? `To begin something new: ${callText(nextCall)}` : `Next: ${callText(nextCall)}`);
  return lookupReply(lines.join('\n'), answer);
}

function candidateText(candidate: ResumeCandidate, number: number): string {
  const {
    sessionId,
    title,
    workflowTitle,
    workflowId,
    status,
    pending,
    lastActivity,
    branch,
    whyMatched,
    snippet,
    nextCall,
    warnings,
  } = candidate;
  const what =
    workflowTitle === undefined
      ? status === 'unreadable'
        ? 'its beginning cannot be read'
        : 'notes without a workflow'
      : `“${workflowTitle}” (${workflowId ?? ''})`;
  const where = pending === null ? status : `${status}, at “${pending}”`;
  const stands = workflowTitle === undefined ? what : `${what}, ${where}`;
  return [
    `${number}. session ${sessionId}${title === undefined ? '' : ` “${title}”`}: ${stands}; last worked on ${lastActivity}${branch === undefined ? '' : `, branch ${branch}`}; matched by ${whyMatched}.`,
    ...(snippet === '' ? [] : [snippet.replaceAll(/^/gmu, '   ')]),
    ...warnings.map(({ message }) => `   Warning: ${message}.`),
    ...(nextCall === undefined ? [] : [`   Go on: ${callText(nextCall)}`]),
  ].join('\n');
}
