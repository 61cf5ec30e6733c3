import { randomBytes } from 'node:crypto';
import { err, ok, type Result } from '../base/result.js';
import { limits } from '../base/limits.js';
import { addressRules, type AddressRules } from './address-rules.js';
import type { Gates } from './at-once.js';
import type { CallProblem } from './call-problem.js';
import type { CallSettings } from './call-settings.js';
import { checkedUrl } from './checked-url.js';
import type { Clock } from './clock.js';
import type { ReadSecret } from './fill-secrets.js';
import type { OpenFile } from './request-body.js';
import type { SecretMask } from './secret-mask.js';
import type { SecretSource } from './secret-source.js';
import type { Transport } from './transport.js';

/** What every call stands on. */
export interface CallsWorld {
  readonly transport: Transport;
  readonly gates: Gates;
  readonly clock: Clock;
  readonly chance: () => number;
  readonly openFile: OpenFile;
  readonly secrets: SecretSource;
  readonly mask: SecretMask;
}

/** A catalog as its calls need it. */
export interface CalledCatalog {
  readonly settings: CallSettings;
  /** Undefined where there is none that credentials go to. */
  readonly origin: string | undefined;
  readonly rules: AddressRules;
  readonly timeoutMs: number;
  readonly answerBytes: number;
  readonly atOnce: number;
}

export function calledCatalog(settings: CallSettings): Result<CalledCatalog, CallProblem> {
  const base = checkedUrl(settings.baseUrl);
  if (!base.ok) return base;
  const rules = addressRules(settings.allow);
  if (!rules.ok) return err(rules.error);
  const {
    timeoutMs = limits.callMs,
    answerBytes = limits.callAnswer,
    atOnce = limits.callsAtOnce,
  } = settings.limits ?? {};
  return ok({ settings, origin: base.value.origin, rules: rules.value, timeoutMs, answerBytes, atOnce });
}

/** Reads the secrets that a catalog has for an origin; from then on they are masked. */
export const secretsFor =
  ({ secrets, mask }: CallsWorld, catalog: string, origin: string): ReadSecret =>
  (name) => {
    const read = secrets.read({ catalog, origin, name });
    if (read.ok) mask.learn(read.value);
    return read;
  };

export const newBoundary = (): string => `workrail-${randomBytes(18).toString('hex')}`;
