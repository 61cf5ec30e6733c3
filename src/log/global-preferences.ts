import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { modeNames, preferencesSchema } from '../base/preferences.js';
import { errorCode } from './storage-fault.js';

const schema = z.looseObject({
  mode: z.enum(modeNames).optional(),
  preferences: preferencesSchema.partial().optional(),
  workflowFolders: z.array(z.string().min(1)).optional(),
});

export type GlobalPreferences = Readonly<Pick<z.infer<typeof schema>, 'mode' | 'preferences' | 'workflowFolders'>>;

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
    const { mode, preferences, workflowFolders } = schema.parse(JSON.parse(text));
    return {
      ...(mode !== undefined && { mode }),
      ...(preferences !== undefined && { preferences }),
      ...(workflowFolders !== undefined && { workflowFolders }),
    };
  } catch (cause) {
    const why = cause instanceof z.ZodError ? cause.issues.map((issue) => `${issue.path.join('.') || 'the file'}: ${issue.message}`).join('; ') : String(cause);
    warn(`${file} is left out until it is put right: ${why}`);
    return {};
  }
}
