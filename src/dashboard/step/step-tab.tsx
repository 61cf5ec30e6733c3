import { msBetween, tookWords } from '../../base/time-spent.js';
import { usageWords } from '../../base/usage.js';
import type { StepDetail } from '../../contract/http-api.js';
import type { BlockStory, EdgeStory } from '../../contract/session-story.js';
import { refusedWords } from '../../render/blocker-text.js';
import { InCode } from '../parts/in-code.js';
import { visibleTitle } from '../../render/visible-text.js';
import { Markdown } from '../parts/markdown.js';
import { TimeTold } from '../parts/time-told.js';
import { ModeHere } from '../preferences/mode-here.js';
import { NoteForm } from '../session/note-form.js';
import { ArtifactList } from './artifact-list.js';
import { CommandStep } from './command-step.js';
import { EdgeTold } from './edge-told.js';
import { GapList } from './gap-list.js';
import { Folded } from '../parts/folded.js';
import { ValueTold } from './value-told.js';
import { AnswersGiven } from '../waiting/answer-panel.js';
import { StepWaiting } from '../waiting/step-waiting.js';
import { ResumeHere } from './resume-here.js';

export interface StepTabProps {
  readonly detail: StepDetail;
  /** The same node as it is now, where nobody has done it yet. */
  readonly standing: StepDetail['node'] | undefined;
  /** The step is done by now, whatever is shown of it. */
  readonly goneOn: boolean;
  readonly onSelect: (nodeId: string) => void;
  /** The reader has changed something here and wants to see it. */
  readonly onWritten: () => void;
  /** Why nothing can be added. */
  readonly closed: string | undefined;
}

/** What happened at a step: how it was done, what was kept on the way, what people wrote beside it. */
export function StepTab({ detail, standing: now, goneOn, onSelect, onWritten, closed }: StepTabProps) {
  const { node, done, sessionId, openGaps } = detail;
  const standing = node.blocks.at(-1);
  const took = (doneAt: string): string => {
    const words = tookWords(msBetween(node.cameBy.at, doneAt), node.waited ?? 0);
    return words === '' ? '' : `took ${words}`;
  };
  return (
    <>
      {node.command !== undefined ? null : <BlockedBefore node={node} />}
      {standing === undefined ? null : (
        <StepWaiting
          key={node.nodeId}
          sessionId={sessionId}
          nodeId={node.nodeId}
          blocked={node.status === 'blocked'}
          goneOn={goneOn}
          closed={closed}
          onChanged={onWritten}
        >
          <Blocked block={standing} standing={done.length === 0} />
        </StepWaiting>
      )}
      <CommandStep detail={detail} onSelect={onSelect} />
      {node.command === undefined ? null : <BlockedBefore node={node} />}
      {done.map(({ nodeId, branch, edge }) => (
        <section key={edge.event}>
          <h3>
            {done.length === 1 ? 'Done' : `Done (branch ${branch ?? '?'}${branch === 1 ? ', preferred' : ''})`}{' '}
            <TimeTold at={edge.at} />
            <span className="quiet small">{took(edge.at)}</span>
            <button type="button" className="goto" onClick={() => onSelect(nodeId)}>
              {done.length === 1 ? 'Next step' : 'Follow this branch'}
            </button>
          </h3>
          <Used usage={edge.usage} />
          <EdgeTold edge={edge} />
        </section>
      ))}
      {done.length + node.checkpoints.length > 1 && node.usage !== undefined ? (
        <section>
          <h3>Used in all</h3>
          <Used usage={node.usage} />
        </section>
      ) : null}
      {node.pending === undefined ? (
        <section>
          <h3>
            The run ended with {node.cameBy.step?.title ?? 'its start'} <TimeTold at={node.cameBy.at} />
          </h3>
          <Used usage={node.cameBy.usage} />
          <EdgeTold edge={node.cameBy} />
        </section>
      ) : now === undefined ? null : (
        <>
          <ResumeHere sessionId={sessionId} nodeId={node.nodeId} closed={closed} />
          <ModeHere
            sessionId={sessionId}
            nodeId={node.nodeId}
            preferences={now.preferences}
            closed={closed}
            onChanged={onWritten}
          />
        </>
      )}
      {node.checkpoints.map(({ event, at, output, usage, gaps, late }) => (
        <section key={event}>
          <h3>
            {late ? 'Checkpoint, recorded late' : 'Checkpoint'} <TimeTold at={at} />
          </h3>
          <Used usage={usage} />
          {output.notes === undefined ? null : <Markdown text={output.notes} />}
          <ArtifactList artifacts={output.artifacts} />
          <GapList gaps={gaps} />
        </section>
      ))}
      {openGaps.length === 0 ? null : (
        <section>
          <h3>Open here</h3>
          <GapList gaps={openGaps} />
        </section>
      )}
      <CameBy detail={detail} onSelect={onSelect} />
      <section>
        <h3>Comments</h3>
        {node.notes.map(({ event, at, text }) => (
          <div key={event} className="person-note">
            <Markdown text={text} />
            <p className="quiet small">
              <TimeTold at={at} />
            </p>
          </div>
        ))}
        <NoteForm sessionId={sessionId} nodeId={node.nodeId} onWritten={onWritten} closed={closed} />
      </section>
    </>
  );
}

/** Model, tokens and cost, as the agent told them. */
function Used({ usage }: { readonly usage: EdgeStory['usage'] | undefined }) {
  return usage === undefined ? null : <p className="quiet small">Used {visibleTitle(usageWords(usage))}</p>;
}

/** What was handed in and could not be taken, why, and what people said to it. */
function Blocked({ block, standing }: { readonly block: BlockStory; readonly standing: boolean }) {
  const { at, blockers, refused, answers, command } = block;
  return (
    <section className={command === true && !standing ? 'aside' : 'aside grave'}>
      <h3>
        {command === undefined
          ? 'Blocked'
          : blockers.some(({ code }) => code === 'COMMAND_OUTCOME_UNKNOWN')
            ? 'You were asked what happened'
            : 'You were asked to agree'}{' '}
        <TimeTold at={at} />
      </h3>
      {(command === true ? [] : blockers).map(({ code, message, fix }) => (
        <div key={`${code} ${message}`}>
          <p>
            <InCode text={message} />
          </p>
          <p className="quiet">
            <InCode text={fix} />
          </p>
        </div>
      ))}
      {refused === undefined ? null : (
        <p className="said">
          <InCode text={refusedWords(refused)} />
        </p>
      )}
      <AnswersGiven answers={answers} />
      {standing ? (
        <Draft block={block} standing />
      ) : isEmpty(block) ? null : (
        <Folded kind={command === true ? 'What you were shown' : 'Handed-in work'}>
          <Draft block={block} standing={false} />
        </Folded>
      )}
    </section>
  );
}

const BlockedBefore = ({ node: { blocks } }: Pick<StepDetail, 'node'>) =>
  blocks.slice(0, -1).map((block) => <Blocked key={block.event} block={block} standing={false} />);

/** Told elsewhere, or never there. */
const isEmpty = ({ output, context, gaps }: BlockStory): boolean =>
  output.notes === undefined && output.artifacts.length === 0 && gaps.length === 0 && Object.keys(context).length === 0;

/** What waits for the user, or did. */
function Draft({ block, standing }: { readonly block: BlockStory; readonly standing: boolean }) {
  const { output, context, gaps, command } = block;
  const silent = standing ? <p className="quiet">No notes.</p> : null;
  return (
    <>
      {command === true ? null : <h4>Handed in</h4>}
      {output.notes === undefined ? silent : <Markdown text={output.notes} />}
      <ArtifactList artifacts={output.artifacts} />
      <GapList gaps={gaps} />
      {Object.keys(context).length === 0 ? null : <ValueTold value={context} />}
    </>
  );
}

/** Where it came from. What was handed in there is told there; what it left open counts here. */
function CameBy({ detail: { node, parent }, onSelect }: Pick<StepTabProps, 'detail' | 'onSelect'>) {
  const { cameBy } = node;
  if (node.pending === undefined) return null;
  const lost = !node.whole && parent === undefined;
  return (
    <section>
      <h3>Previous step</h3>
      <p>
        {lost ? 'Earlier steps are missing on disk.' : cameBy.kind === 'started' ? 'The run started here.' : 'After '}
        {parent === undefined ? null : (
          <button type="button" className="goto" onClick={() => onSelect(parent.nodeId)}>
            {cameBy.step?.title ?? parent.title ?? 'the step before'}
          </button>
        )}{' '}
        <TimeTold at={cameBy.at} />
      </p>
      {cameBy.skipped.length === 0 ? null : (
        <p>{cameBy.skipped.length === 1 ? '1 step skipped' : `${cameBy.skipped.length} steps skipped`}</p>
      )}
      {cameBy.skipped.map(({ path, title, reason }) => (
        <p key={path} className="quiet">
          {title}: <InCode text={reason} />
        </p>
      ))}
      <GapList gaps={cameBy.gaps} />
      {node.whole ? null : (
        <p className="aside warning">
          A step before this one is not on disk, so what holds here is known only in part.
        </p>
      )}
    </section>
  );
}
