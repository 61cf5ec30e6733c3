/** The words that events, definitions and answers share. Each set is closed: a new member is a decision, not a string. */

export const userOnlyReasons = [
  'needs_user_secret_or_token',
  'needs_user_account_access',
  'needs_user_artifact',
  'needs_user_choice',
  'needs_user_approval',
  'needs_user_environment_action',
] as const;

export const gapSeverities = ['info', 'warning', 'critical'] as const;

export const gapCategories = [
  'user_only_dependency',
  'contract_violation',
  'confirmation',
  'limit',
  'agent_disclosed',
  'unexpected',
] as const;

/** How a document is shown to people, where its fold alone does not say it. */
export const documentForms = ['findings', 'comments'] as const;
export type DocumentForm = (typeof documentForms)[number];

export const blockerCodes = [
  'USER_ONLY_DEPENDENCY',
  'CONFIRMATION_REQUIRED',
  'MISSING_REQUIRED_OUTPUT',
  'INVALID_REQUIRED_OUTPUT',
  'RULE_FAILED',
  'MISSING_CONTEXT_KEY',
  'ASSESSMENT_FOLLOWUP_REQUIRED',
  'COMMAND_OUTCOME_UNKNOWN',
  'STATE_NOT_WRITTEN',
] as const;

export const warningCodes = [
  'WORKFLOW_CHANGED',
  'SESSION_INCOMPLETE',
  'TORN_TAIL',
  'LEGACY_ID',
  'BOLDER_THAN_RECOMMENDED',
  'LOOKS_LIKE_A_SECRET',
  'STEP_SKIPPED',
  'LOOP_LIMIT',
  'GAP_RECORDED',
  'CONFIRMATION_PENDING',
  'TEMPLATE_PROBLEM',
  'KEY_NOT_SAVED',
  'BROKEN_FILE_PASSED_OVER',
] as const;

/** What a person answers to one question of a draft. */
export const answerKinds = ['agreed', 'refused', 'value', 'file'] as const;

/** How a wait for a person's answer ends without one: whoever called gave up, or the user would not say it there. */
export const waitEnds = ['cancelled', 'declined'] as const;

/** What kind of answer a question wants of a person. */
export const questionKinds = ['agreement', 'value', 'secret', 'action'] as const;

/** What became of one try of a command. Of an unknown one nobody can say whether the server did it. */
export const callOutcomes = ['ok', 'failed', 'unknown', 'not_sent'] as const;

/** What follows a try: the step is done, it is sent again, somebody has to say what became of it, or the run ends there. */
export const afterTry = ['done', 'again', 'ask', 'stop'] as const;

/** Whether a request may be sent once more where nobody knows what became of it: as often as one likes, with the same key, or not. */
export const repeatRules = ['repeatable', 'keyed', 'once'] as const;
export type RepeatRule = (typeof repeatRules)[number];

/** What somebody says of a command whose outcome nobody knows: send it again, it was done, or it was not and shall not be. */
export const settlements = ['repeat', 'done', 'failed'] as const;
export type Settlement = (typeof settlements)[number];

/** How a step came by what a command left: by sending it, from another branch or run, by somebody's word, or not at all. */
export const commandSources = ['sent', 'reused', 'settled', 'skipped'] as const;

/** Whose word a plan goes on: that of whoever called, or of the person whom the program asked. */
export const confirmers = ['caller', 'asked'] as const;

/** Why there is no body of an answer that came: it is in memory only, or it was longer than is allowed. */
export const noBodyReasons = ['secret', 'too_long'] as const;

/** How a run ends that does not come to its last step. */
export const stopStatuses = ['failed', 'canceled'] as const;

/** How a version of a state came to be: by operations, as a whole, from several heads, or under another schema. */
export const stateChanges = ['patch', 'update', 'merge', 'migrate'] as const;

/** What somebody says of a change that a merge could not apply: it stays out, or it is made now. */
export const conflictChoices = ['leave', 'apply'] as const;

/** Why lines were taken out of a log. */
export const withdrawalReasons = ['damaged', 'lost', 'redacted'] as const;

/** What calling a command may do, as people tell it apart. */
export const safetyWords = ['safe', 'changes', 'deletes'] as const;
export type SafetyWord = (typeof safetyWords)[number];
