import type { BundleImported } from '../../contract/bundle-answers.js';
import type { CatalogChange, CatalogImported, DocumentPreview } from '../../contract/catalogs-told.js';
import type {
  AnswerBody,
  CatalogRemoveBody,
  LabelsBody,
  NoteBody,
  PreferencesBody,
  PruneBody,
  SessionPreferencesBody,
} from '../../contract/api-bodies.js';
import type { NoteTold, PreferencesTold, SessionLabelled } from '../../contract/people-answers.js';
import type { QuestionAnswered } from '../../contract/question-told.js';
import type { PruneAnswer } from '../../contract/prune-answers.js';
import type { SettleBody } from '../../contract/state-routes.js';
import type { StateTold } from '../../contract/states-told.js';
import { address } from './address.js';
import { ask } from './ask.js';

export interface DocumentAsked {
  readonly name: string;
  readonly catalogId: string;
  readonly to: 'project' | 'user';
  readonly baseUrl?: string;
  readonly overwrite?: 'true';
  readonly expectedDocument?: string;
}

/** Everything that the page can change. What is shown follows from the live stream, and from `invalidateQueries` where that is too slow. */
export const changes = {
  answer: (id: string, body: AnswerBody) =>
    ask<QuestionAnswered>(address(['sessions', id, 'answers']), { method: 'POST', body }),
  addNote: (id: string, body: NoteBody) => ask<NoteTold>(address(['sessions', id, 'notes']), { method: 'POST', body }),
  label: (id: string, body: LabelsBody) =>
    ask<SessionLabelled>(address(['sessions', id, 'labels']), { method: 'POST', body }),
  /** What new sessions begin with. */
  choosePreferences: (body: PreferencesBody) =>
    ask<PreferencesTold>(address(['preferences']), { method: 'POST', body }),
  /** Of one session from the step that waits, or from one step of it. */
  chooseInSession: (id: string, body: SessionPreferencesBody) =>
    ask<PreferencesTold>(address(['sessions', id, 'preferences']), { method: 'POST', body }),
  importBundle: (file: Blob, merge: boolean) =>
    ask<BundleImported>(address(['import'], merge ? { merge: 'true' } : {}), { method: 'POST', file }),
  /** What an import would make of an API document. */
  previewDocument: (file: Blob, name: string) =>
    ask<DocumentPreview>(address(['documents', 'preview'], { name }), { method: 'POST', file }),
  importDocument: (file: Blob, asked: DocumentAsked) =>
    ask<CatalogImported>(address(['catalogs'], { ...asked }), { method: 'POST', file }),
  enableCatalog: (id: string, enabled: boolean) =>
    ask<CatalogChange>(address(['catalogs', id, 'enabled']), { method: 'POST', body: { enabled } }),
  removeCatalog: (id: string, body: CatalogRemoveBody) =>
    ask<CatalogChange>(address(['catalogs', id, 'remove']), { method: 'POST', body }),
  /** A change that a merge could not make: it is made now, or left out. */
  settle: (state: string, body: SettleBody) =>
    ask<StateTold>(address([state, 'settle'], {}, '/workflow-states/'), { method: 'POST', body }),
  prune: (body: PruneBody) => ask<PruneAnswer>(address(['prune']), { method: 'POST', body }),
};
