import { byteLength } from '../../base/byte-budget.js';
import { limits } from '../../base/limits.js';
import type { Rejection } from '../../base/rejection.js';
import { err, ok, type Result } from '../../base/result.js';
import type { SessionLabelled } from '../../contract/people-answers.js';
import { beginningMissing } from '../world/log-rejections.js';
import type { Environment } from '../world/environment.js';
import { findSession } from '../world/find-session.js';
import { drive, turn } from '../world/drive.js';

export interface LabelAsked {
  readonly session?: string | undefined;
  readonly title?: string | undefined;
  /** In place of those it has. */
  readonly tags?: readonly string[] | undefined;
  /** Retention leaves it alone. */
  readonly keep?: boolean | undefined;
}

/** Gives a session a title or tags, or marks it to be kept. What is so already is not recorded again. */
export async function labelSession(
  env: Environment,
  { session, title, tags, keep }: LabelAsked,
): Promise<Result<SessionLabelled, Rejection>> {
  const wrong = unfit(title, tags);
  if (wrong !== undefined) return err(wrong);
  const found = await findSession(env, session);
  if (!found.ok) return found;
  const log = env.store.open(found.value);
  const wanted = {
    title: title?.trim(),
    tags: tags === undefined ? undefined : [...new Set(tags.map((tag) => tag.trim()))],
    keep,
  };
  const labelled = turn<'missing' | boolean, SessionLabelled>(
    ({ state }) => {
      if (!state.started) return { answer: 'missing' };
      const data = {
        ...(wanted.title !== undefined && wanted.title !== state.title && { title: wanted.title }),
        ...(wanted.tags !== undefined &&
          JSON.stringify(wanted.tags) !== JSON.stringify(state.tags) && { tags: wanted.tags }),
        ...(wanted.keep !== undefined && wanted.keep !== state.keep && { keep: wanted.keep }),
      };
      return Object.keys(data).length === 0
        ? { answer: false }
        : { answer: true, events: [{ kind: 'session_labelled', data }] };
    },
    ({ state, findings }, changed) => {
      if (changed === 'missing') return { done: err(beginningMissing(log.id, findings)) };
      return {
        done: ok({
          sessionId: log.id,
          ...(state.title !== undefined && { title: state.title }),
          tags: state.tags,
          keep: state.keep,
          changed,
        }),
      };
    },
  );
  return drive(log, labelled, 'keyed');
}

function unfit(title: string | undefined, tags: readonly string[] | undefined): Rejection | undefined {
  const wrong = (message: string): Rejection => ({
    code: 'VALIDATION_ERROR',
    message: `${message}; nothing was recorded`,
    action: 'choose another one',
  });
  if (title !== undefined && title.trim() === '') return wrong('the title is blank');
  if (title !== undefined && title.trim().length > limits.title)
    return wrong(`the title has ${title.trim().length} characters, but the limit is ${limits.title}`);
  if (tags !== undefined && tags.length > limits.tagCount)
    return wrong(`there are ${tags.length} tags, but the limit is ${limits.tagCount}`);
  const tag = tags?.find((one) => one.trim() === '' || byteLength(one) > limits.tag);
  return tag === undefined
    ? undefined
    : wrong(
        tag.trim() === ''
          ? 'a tag is blank'
          : `the tag ${JSON.stringify(tag.slice(0, 20))}… has ${byteLength(tag)} bytes, but the limit is ${limits.tag}`,
      );
}
