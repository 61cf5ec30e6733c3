import { z } from 'zod';
import type { JsonValue } from '../../base/json-value.js';
import { limits } from '../../base/limits.js';
import { type PartRole, partRoles } from '../compiled/schema-parts.js';

// Source documents are JSON by construction, so that any value will do here.
export const json = z.custom<JsonValue>((value) => value !== undefined);

/** A text of a file that is found wherever it stands: its holes are checked, its expressions read. */
export const part = (role: PartRole): z.ZodString => z.string().min(1).register(partRoles, { role });

/** An expression of a file. */
export const asked = (role: PartRole): z.ZodString => part(role).max(limits.expression);

/** JSON of any form, each text of which may have holes. */
export const filled = z.custom<JsonValue>((value) => value !== undefined).register(partRoles, { role: 'told' });
