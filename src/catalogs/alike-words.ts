import { stemOf } from './operation-words.js';

/** Words that are meant alike, one group a line: what is asked for in one may be called by another. */
const groups = `
my me mine own self authenticated current
list index browse enumerate all show
get fetch retrieve show read view describe lookup load display see inspect check
search find query lookup
create add new make insert register generate open
delete remove destroy drop erase clear kick
update edit change modify patch set alter replace adjust
rename update
close reopen update
send post publish write create
cancel abort stop terminate
start run launch trigger begin dispatch
upload attach
download export
enable activate
disable deactivate
invite add
assign add
kick remove ban
approve accept confirm
reject decline deny
reply comment answer
repository repo
organization organisation org
environment env
configuration config settings preferences
authentication auth login
authorization permission access role
message msg chat text sms
channel conversation room
user member person people account profile
team group
server guild
issue ticket bug
label tag
image picture photo avatar icon
file content document attachment
folder directory
deployment deploy
namespace ns
service svc
database db
variable var
secret credential password
webhook hook
song track
reaction emoji
link url
mail email
notification alert
schedule cron
version release
application app
log history
status state
job task
comment note
pipeline workflow
`;

/** Short for words that stand apart. */
const spelledOut: ReadonlyMap<string, readonly string[]> = new Map([
  ['pr', ['pull', 'request']],
  ['prs', ['pull', 'request']],
  ['mr', ['merge', 'request']],
  ['dm', ['direct', 'message']],
  ['ci', ['workflow', 'actions']],
  ['whoami', ['authenticated', 'user']],
  ['pvc', ['persistent', 'volume', 'claim']],
]);

const reading = new Set(
  'list get fetch retrieve show read view describe lookup see inspect check find search query count browse download export which what who'
    .split(' ')
    .map(stemOf),
);
const changing = new Set(
  'create add make register delete remove destroy drop erase clear update edit change modify patch set rename close reopen merge send post publish write cancel stop terminate start launch trigger dispatch upload enable disable invite kick ban approve reject protect assign unassign lock unlock star mark move copy replace upsert transfer archive restore revoke rotate'
    .split(' ')
    .map(stemOf),
);

/** What a search asks to be done, by its first verb. */
export interface AskedAction {
  readonly stem: string;
  readonly changes: boolean;
}

/** Undefined where a search names only what it is about. */
export function askedAction(query: string): AskedAction | undefined {
  const stems = query
    .toLowerCase()
    .split(/[^a-z]+/u)
    .filter((word) => word !== '')
    .map(stemOf);
  // Elsewhere a run is a thing: `cancel a run`.
  if (stems[0] === 'run') return { stem: 'run', changes: true };
  const stem = stems.find(isAction);
  return stem === undefined ? undefined : { stem, changes: changing.has(stem) };
}

/** Whether a word, in its stem, says what is done rather than to what. */
export const isAction = (stem: string): boolean => changing.has(stem) || reading.has(stem);

const alike = new Map<string, Set<string>>();
for (const line of groups.trim().split('\n')) {
  const words = line.split(' ').map(stemOf);
  for (const word of words)
    alike.set(word, new Set([...(alike.get(word) ?? []), ...words].filter((one) => one !== word)));
}

/** Other words, in their stems, for a word in its stem. */
export const alikeWords = (stem: string): readonly string[] => [...(alike.get(stem) ?? [])];

export const spelledOutWords = (word: string): readonly string[] => spelledOut.get(word)?.map(stemOf) ?? [word];
