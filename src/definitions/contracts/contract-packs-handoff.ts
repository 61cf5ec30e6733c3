import type { DocumentFold } from '../compiled/compiled-workflow.js';
import { contractPack, type ContractPack } from './contract-pack.js';
import { described, listOf, oneOf, openRecord, record, text } from './contract-pack-schema.js';

/** Loose where workflows differ: what every receiver needs is required, and more is welcome. */
const open = true;
const texts = (description: string, least = 0): ReturnType<typeof described> =>
  described(description, listOf(text(), 100, least));
const summary = described('What the receiver needs to know first, in ten lines or fewer', text(4000));
const confidence = oneOf('low', 'medium', 'high');
const openQuestions = texts('What is not settled, each as a question somebody could answer');

const questionList: DocumentFold = { document: 'open_questions', fold: 'list', field: 'openQuestions' };

/** What one stage of work leaves for the next, which has seen none of it. */
export const handoffPacks: readonly ContractPack[] = [
  contractPack({
    name: 'discovery_handoff',
    kind: 'wr.discovery_handoff',
    title: 'What an investigation found out, for whoever decides or builds on it',
    open,
    required: ['summary', 'recommendation'],
    properties: {
      summary,
      problem: described('The problem as it turned out to be', text(4000)),
      findings: listOf(openRecord({ claim: text(), evidence: text(), confidence }, ['claim', 'evidence']), 100),
      options: listOf(
        openRecord({ name: text(200), summary: text(), for: listOf(text(), 20), against: listOf(text(), 20) }, [
          'name',
          'summary',
        ]),
        20,
      ),
      recommendation: described('What to do now, and why that', text(4000)),
      confidence,
      openQuestions,
    },
    example: {
      summary: 'Exports fail because the header is taken from the first row. About one export in forty has none.',
      problem: 'The writer learns its columns from data that may be absent.',
      findings: [
        {
          claim: 'Every failure of the last month had no rows.',
          evidence: 'All 212 entries of the error log carry "0 rows".',
          confidence: 'high',
        },
      ],
      options: [
        {
          name: 'Columns from the query',
          summary: 'Hand the columns to the writer.',
          for: ['Known without any row'],
          against: ['Changes the signature of the writer'],
        },
        { name: 'Skip empty exports', summary: 'Answer with no file.', against: ['Scheduled jobs wait for the file'] },
      ],
      recommendation: 'Hand the columns to the writer: two callers change, and nothing that is stored.',
      confidence: 'high',
      openQuestions: ['May the file of an empty export have a header and nothing else?'],
    },
    documents: [{ document: 'handoff.discovery', fold: 'header' }, questionList],
  }),
  contractPack({
    name: 'shaping_handoff',
    kind: 'wr.shaping_handoff',
    title: 'A problem made ready to be built: its bounds, an outline of the solution, and what is left out',
    open,
    required: ['problem', 'solution', 'outOfScope'],
    properties: {
      problem: described('Who is held up by what today', text(4000)),
      appetite: described('How much it is worth, before anybody asks how much it takes', text(500)),
      solution: described('The outline: precise enough to build, rough enough to leave room', text(8000)),
      acceptance: texts('What an outsider could check when it is done'),
      risks: listOf(openRecord({ risk: text(), answer: text() }, ['risk']), 50),
      outOfScope: texts('What is deliberately not done; may be empty'),
      openQuestions,
    },
    example: {
      problem: 'Whoever schedules an export of a list that happens to be empty gets an error mail each night.',
      appetite: 'Two days',
      solution:
        'The query already knows its columns. Hand them to the writer, which writes the header before it asks for the first row.',
      acceptance: [
        'An empty list gives a file with the header alone.',
        'The file of a list with rows is the same, byte for byte.',
      ],
      risks: [
        {
          risk: 'An import elsewhere may refuse a file without rows.',
          answer: 'Try it with the two imports we know of first.',
        },
      ],
      outOfScope: ['The other export formats', 'Wording of the error mails'],
      openQuestions: [],
    },
    documents: [{ document: 'handoff.shaping', fold: 'header' }, questionList],
  }),
  contractPack({
    name: 'coding_handoff',
    kind: 'wr.coding_handoff',
    title: 'A finished piece of code, for whoever reviews, merges or maintains it',
    open,
    required: ['summary', 'filesChanged'],
    properties: {
      summary,
      branch: text(300),
      filesChanged: described('From the top of the repository; may be empty', listOf(text(500), 2000)),
      decisions: listOf(openRecord({ decision: text(), why: text() }, ['decision', 'why']), 50),
      verified: described(
        'Each criterion with the command or observation that shows it',
        listOf(record({ criterion: text(), by: text() }, ['criterion', 'by']), 100),
      ),
      notVerified: texts('What could not be checked here, and why'),
      lookFirst: texts('Where a reviewer should look first'),
      followUps: texts('What is left for later, deliberately'),
      openQuestions,
    },
    example: {
      summary:
        'An empty list is exported as a header alone. The writer gets its columns from the query and writes the header before the first row is read.',
      branch: 'fix/empty-export',
      filesChanged: ['src/export.ts', 'src/export.test.ts'],
      decisions: [
        {
          decision: 'Columns are an argument of the writer.',
          why: 'It cannot be called without them, and both callers have them.',
        },
      ],
      verified: [
        {
          criterion: 'An empty list gives the header alone.',
          by: 'npm test -- export: 12 passed, one of them new and red before the change.',
        },
      ],
      notVerified: ['The nightly job, which needs the production scheduler.'],
      lookFirst: ['src/export.ts, where the header is written'],
      followUps: [],
      openQuestions: [],
    },
    documents: [{ document: 'handoff.coding', fold: 'header' }, questionList],
  }),
  contractPack({
    name: 'differentiation_handoff',
    kind: 'wr.differentiation_handoff',
    title: 'What sets the candidates apart, and which one to go on with',
    open,
    required: ['summary', 'chosen'],
    properties: {
      summary,
      candidates: listOf(
        openRecord(
          {
            name: text(200),
            difference: described('What it has that the others lack, or does otherwise', text()),
            cost: text(),
            failsWhen: text(),
          },
          ['name', 'difference'],
        ),
        20,
      ),
      chosen: described('The name of the candidate to go on with, or of none', text(200)),
      why: text(4000),
      wouldChange: described('What would make another choice right', text()),
      openQuestions,
    },
    example: {
      summary: 'Three ways to learn the columns differ in who pays: the caller, the reader, or the file.',
      candidates: [
        {
          name: 'from the caller',
          difference: 'Cannot be forgotten, as it is an argument.',
          cost: 'Both callers change.',
          failsWhen: 'A caller does not know its columns.',
        },
        {
          name: 'from a schema file',
          difference: 'Needs no change of code when columns change.',
          cost: 'A second source of truth.',
          failsWhen: 'The file and the query drift apart.',
        },
      ],
      chosen: 'from the caller',
      why: 'Both callers know their columns, and the compiler keeps it so.',
      wouldChange: 'A third caller that streams rows of unknown columns.',
      openQuestions: [],
    },
    documents: [{ document: 'handoff.differentiation', fold: 'header' }, questionList],
  }),
];
