/** What agents call it, and what it is called on the command line. Longer names stand before those that they begin with. */
const names: readonly (readonly [RegExp, string])[] = [
  [/\bcontinue_workflow\b/gu, 'workrail continue'],
  [/\bcheckpoint_workflow\b/gu, 'workrail checkpoint'],
  [/\bstart_workflow\b/gu, 'workrail start'],
  [/\binspect_workflow\b/gu, 'workrail inspect'],
  [/\blist_workflows\b/gu, 'workrail list'],
  [/\bresume_session\b/gu, 'workrail resume'],
  [/\boutput[./]notesMarkdown\b/gu, '--notes'],
  [/\boutput[./]artifacts\b/gu, '--artifact'],
  [/\boutput[./]gaps\b/gu, '--gap'],
  [/"confirmed": true/gu, '--confirmed'],
  [/\bcontext[./](?=\w)/gu, ''],
  [/preferences \{"mode":"(\w+)"\}/gu, '--mode $1'],
];

/** Sentences of answers and rejections speak to agents of tools and fields; people have commands and options. */
export function inOwnWords(text: string): string {
  return names.reduce((said, [name, own]) => said.replaceAll(name, own), text);
}

/** Where in a request something is wrong, as the option that it came from. */
export function optionAt(pointer: string): string {
  const [, field = '', inner, ...rest] = pointer.split('/');
  const deeper = rest.length > 0 ? ` at /${rest.join('/')}` : '';
  if (field === 'context') return inner === undefined ? '--context' : `--context ${inner}${deeper}`;
  if (field === 'output' && inner === 'notesMarkdown') return '--notes';
  if (field === 'output' && inner === 'artifacts') return `--artifact${ordinal(rest)}`;
  if (field === 'output' && inner === 'gaps') return `--gap${ordinal(rest)}`;
  if (field === 'preferences' && inner !== undefined) return `--${preferenceNames[inner] ?? inner}`;
  return optionNames[field] ?? pointer;
}

function ordinal([index, ...rest]: readonly string[]): string {
  if (index === undefined || index === '-') return '';
  return ` ${Number(index) + 1}${rest.length > 0 ? ` at /${rest.join('/')}` : ''}`;
}

const preferenceNames: { readonly [field: string]: string } = {
  gateHandling: 'gates',
  assumptionPolicy: 'assumptions',
  riskPolicy: 'risk',
};
const optionNames: { readonly [field: string]: string } = {
  stateToken: '<stateToken>',
  sessionToken: '<sessionToken>',
  ackToken: '<ackToken>',
  workflowId: '<workflow>',
  confirmed: '--confirmed',
  session: '--session',
  sessionId: '--session',
  mode: '--mode',
  page: '--page',
  query: '<words>',
  tag: '--tag',
  kind: '--kind',
  gitBranch: '--branch',
  gitHead: '--commit',
};
