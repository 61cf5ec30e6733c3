import type { z } from 'zod';
import type { ReadonlyOutput } from '../base/readonly-output.js';
import type { ApiRouteName, apiRoutes } from './api-routes.js';
import { bundleImported } from './bundle-answers.js';
import {
  catalogChange,
  catalogDetail,
  catalogImported,
  catalogsPage,
  choicesOffered,
  commandDetail,
  commandsPage,
  documentPreview,
} from './catalogs-told.js';
import { jsonObject } from './described.js';
import { doctorReport } from './doctor-answers.js';
import { eventsPage } from './event-told.js';
import { aboutServer, documentsAt, nodesCompared, resumeWords, runGraph, stepDetail, timeline } from './http-api.js';
import { noteTold, preferencesTold, sessionLabelled } from './people-answers.js';
import { pruneAnswer } from './prune-answers.js';
import { questionAnswered, questionsTold, waitingHere } from './question-told.js';
import { sessionHits, sessionsPage } from './session-list.js';
import { sessionHead } from './session-story.js';
import { changesOfState } from './state-messages.js';
import { stateAnswers } from './states-told.js';
import { workflowDetail, workflowsPage } from './workflow-answers.js';

export type JsonRouteName = {
  [N in ApiRouteName]: (typeof apiRoutes)[N]['answer'] extends { readonly kind: 'json' } ? N : never;
}[ApiRouteName];

/** What each route answers as JSON. Apart from the routes, as only the OpenAPI document needs them built. */
export const apiAnswers = {
  about: aboutServer,
  sessions: sessionsPage,
  session: sessionHead,
  hits: sessionHits,
  graph: runGraph,
  documents: documentsAt,
  step: stepDetail,
  timeline: timeline,
  events: eventsPage,
  diff: nodesCompared,
  resume: resumeWords,
  waiting: waitingHere,
  questions: questionsTold,
  answer: questionAnswered,
  notes: noteTold,
  labels: sessionLabelled,
  preferences: preferencesTold,
  choosePreferences: preferencesTold,
  sessionPreferences: preferencesTold,
  chooseSessionPreferences: preferencesTold,
  workflows: workflowsPage,
  workflow: workflowDetail,
  choices: choicesOffered,
  catalogs: catalogsPage,
  catalog: catalogDetail,
  commands: commandsPage,
  command: commandDetail,
  previewDocument: documentPreview,
  importDocument: catalogImported,
  enableCatalog: catalogChange,
  removeCatalog: catalogChange,
  doctor: doctorReport,
  import: bundleImported,
  prune: pruneAnswer,
  ...stateAnswers,
  stateChanges: changesOfState,
  openapi: jsonObject('The document'),
} as const satisfies { readonly [N in JsonRouteName]: z.ZodType };

export type AnswerOf<N extends JsonRouteName> = ReadonlyOutput<(typeof apiAnswers)[N]>;
