import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isJsonObject } from '../base/json-value.js';
import { type Mode, modeNames, type Preferences, preferencesSchema } from '../base/preferences.js';
import { errorCode } from './storage-fault.js';

export interface GlobalPreferences {
  readonly mode?: Mode;
  readonly preferences?: Partial<Preferences>;
  readonly workflowFolders?: readonly string[];
}

/** What the user set for all sessions. A file that cannot be understood is a warning, never a crash. */
export function readGlobalPreferences(configFolder: string, warn: (line: string) => void): GlobalPreferences {
  const file = join(configFolder, 'config.json');
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (cause) {
    if (errorCode(cause) !== 'ENOENT') warn(`${file} could not be read and is left out: ${String(cause)}`);
    return {};
  }
  try {
    return parse(JSON.parse(text));
  } catch (cause) {
    warn(`${file} is left out until it is put right: ${cause instanceof Error ? cause.message : String(cause)}`);
    return {};
  }
}

function parse(value: unknown): GlobalPreferences {
  if (!isJsonObject(value)) throw new Error('the file should hold one object');
  const mode = modeNames.find((name) => name === value['mode']);
  if (value['mode'] !== undefined && mode === undefined) throw new Error(`mode should be one of ${modeNames.join(', ')}`);
  const preferences = preferencesSchema.partial().optional().safeParse(value['preferences']);
  if (!preferences.success) throw new Error(preferences.error.issues.map((issue) => `preferences.${issue.path.join('.')}: ${issue.message}`).join('; '));
  const folders = value['workflowFolders'];
  if (folders !== undefined && !isStringList(folders)) throw new Error('workflowFolders should be a list of folders');
  return {
    ...(mode !== undefined && { mode }),
    ...(preferences.data !== undefined && { preferences: withoutGaps(preferences.data) }),
    ...(folders !== undefined && { workflowFolders: folders }),
  };
}

const isStringList = (value: unknown): value is readonly string[] => Array.isArray(value) && value.every((entry) => typeof entry === 'string' && entry !== '');

const withoutGaps = (values: { readonly [K in keyof Preferences]?: Preferences[K] | undefined }): Partial<Preferences> =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
