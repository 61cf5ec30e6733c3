import path from 'node:path';
import type { Rejection } from '../../base/rejection.js';
import { err, ok, type Result } from '../../base/result.js';
import type { FolderTrusted } from '../../contract/workspace-made.js';
import { isRealFolder } from '../../files/folders.js';
import { globalPreferencesFile, trustFolder } from '../../machine/global-preferences.js';
import type { Environment } from '../world/environment.js';

/** Lets a data folder be used that another user made. */
export async function trustProject(
  env: Environment,
  { folder }: { readonly folder: string },
): Promise<Result<FolderTrusted, Rejection>> {
  const trusted = path.basename(folder) === '.workrail' ? folder : path.join(folder, '.workrail');
  if (!isRealFolder(trusted))
    return err({
      code: 'NOT_FOUND',
      message: `${trusted} is not a folder`,
      action: 'name the .workrail/ to trust',
      context: { file: trusted },
    });
  const done = trustFolder(env.roots.config, trusted, env.randomId());
  const file = globalPreferencesFile(env.roots.config);
  return Promise.resolve(
    done.ok
      ? ok({ trusted, file })
      : err({ code: 'PRECONDITION_FAILED', message: done.error, action: 'fix that file, then try again' }),
  );
}
