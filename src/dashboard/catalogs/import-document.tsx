import { useQuery } from '@tanstack/react-query';
import { limits } from '../../base/limits.js';
import { plural } from '../../base/plural.js';
import type { DocumentPreview } from '../../contract/catalogs-told.js';
import { visibleTitle } from '../../render/visible-text.js';
import { ApiFailure } from '../api/api-failure.js';
import { changes } from '../api/changes.js';
import { failureWords } from '../api/failure-words.js';
import { queries } from '../api/queries.js';
import { Button } from '../parts/button.js';
import { CommandTold } from '../parts/command-told.js';
import { Dialog } from '../parts/dialog.js';
import { Folded } from '../parts/folded.js';
import { InCode } from '../parts/in-code.js';
import { ViolationList } from '../workflows/violation-list.js';
import { documentDesk, type HandedDocument } from './document-desk.js';
import { DocumentForm } from './document-form.js';
import { kindWords } from './kind-words.js';
import '../step/step.css';
import '../workflows/workflows.css';
import './catalogs.css';

const largest = limits.apiDocument / 1024 / 1024;

/** A document that was handed in: what it is, what is wrong with it, and where it goes. */
export function ImportDocument({ handed: { id, file } }: { readonly handed: HandedDocument }) {
  const tooLarge = file.size > limits.apiDocument;
  const looked = useQuery({
    queryKey: ['document', id],
    enabled: !tooLarge,
    staleTime: Infinity,
    gcTime: 0,
    retry: false,
    queryFn: async () => {
      // What is imported later is what is looked at now, whatever becomes of the file.
      const bytes = await bytesOf(file);
      return { bytes, preview: await changes.previewDocument(bytes, file.name) };
    },
  });
  const catalogs = useQuery(queries.catalogs());
  const { data, error } = looked;
  const title = `Import ${visibleTitle(file.name)}`;
  return (
    <Dialog title={title} onClose={documentDesk.done}>
      {tooLarge ? (
        <Refused text={`The file is larger than ${largest} MB. Nothing was imported.`} />
      ) : error !== null ? (
        <Refused text={failureWords(error)} />
      ) : data === undefined || catalogs.data === undefined ? (
        <p className="quiet" role="status">
          Reading the whole document before anything is imported.
        </p>
      ) : !data.preview.valid ? (
        <Invalid preview={data.preview} />
      ) : (
        <>
          <What preview={data.preview} />
          <OtherFiles preview={data.preview} name={file.name} />
          <DocumentForm key={id} bytes={data.bytes} name={file.name} preview={data.preview} here={catalogs.data} />
        </>
      )}
    </Dialog>
  );
}

async function bytesOf(file: File): Promise<Blob> {
  try {
    return new Blob([await file.arrayBuffer()]);
  } catch (cause) {
    throw new ApiFailure('The browser cannot read this file. It may be gone, or a folder.', { cause, status: 0 });
  }
}

const Close = () => (
  <div className="actions">
    <Button onClick={documentDesk.done}>Close</Button>
  </div>
);

const Refused = ({ text }: { readonly text: string }) => (
  <>
    <p className="aside grave" role="alert">
      <strong>Not imported:</strong> <InCode text={text} />
    </p>
    <Close />
  </>
);

function Invalid({ preview }: { readonly preview: DocumentPreview }) {
  const { violations, warnings, omitted } = preview;
  return (
    <>
      <p className="aside grave" role="alert">
        <strong>This document cannot be imported.</strong> {plural(violations.length, 'violation')}; nothing was
        written.
      </p>
      <ViolationList violations={violations} tone="grave" />
      <Warnings warnings={warnings} omitted={omitted} />
      <Close />
    </>
  );
}

/** Parts that lie in files beside it did not come with it. */
function OtherFiles({ preview, name }: { readonly preview: DocumentPreview; readonly name: string }) {
  const isMissing = ({ rule, message }: DocumentPreview['warnings'][number]): boolean =>
    rule === 'reference' && typeof message === 'string' && message.includes('without its folder');
  return preview.warnings.some(isMissing) ? (
    <div className="aside warning">
      <p>It refers to other files, which are left out here. To have all of it, import it where they are:</p>
      <CommandTold words={['catalogs', 'import', name]} label="Copy the command" />
    </div>
  ) : null;
}

function What({ preview }: { readonly preview: DocumentPreview }) {
  const { title = '', version = '', kind, commands = 0, providers = 0, safety, groups = [] } = preview;
  const { safe = 0, changes: changing = 0, deletes = 0 } = safety ?? {};
  const counts = [
    ...(safe > 0 ? [`${safe} safe`] : []),
    ...(changing > 0 ? [`${changing} that change something`] : []),
    ...(deletes > 0 ? [`${deletes} that delete`] : []),
  ];
  return (
    <>
      <div className="document-what">
        <h3>{visibleTitle(title)}</h3>
        <p className="quiet">
          {kind === undefined ? '' : `${kindWords[kind]}, `}version {visibleTitle(version)}
        </p>
        <p>
          <strong>{plural(commands, 'command')}</strong>
          {counts.length === 0 ? '' : `: ${counts.join(', ')}`}.
          {providers === 0 ? '' : ` ${providers} can list choices for an input.`}
        </p>
        {groups.length < 2 ? null : (
          <p className="quiet small">
            Groups: {visibleTitle(groups.slice(0, mostGroups).join(', '))}
            {groups.length > mostGroups ? ' and more' : ''}
          </p>
        )}
      </div>
      <Warnings warnings={preview.warnings} omitted={preview.omitted} />
      <FirstCommands first={preview.first ?? []} of={commands} />
    </>
  );
}

interface FirstCommandsProps {
  readonly first: NonNullable<DocumentPreview['first']>;
  readonly of: number;
}

const FirstCommands = ({ first, of }: FirstCommandsProps) =>
  first.length === 0 ? null : (
    <Folded kind="Commands" hint={of > first.length ? `first ${first.length} of ${of}` : undefined}>
      <ul className="told-list">
        {first.map(({ command, summary }) => (
          <li key={command}>
            <code>{visibleTitle(command)}</code> {visibleTitle(summary)}
          </li>
        ))}
      </ul>
    </Folded>
  );

const mostGroups = 12;

function Warnings({
  warnings,
  omitted = 0,
}: {
  readonly warnings: DocumentPreview['warnings'];
  omitted?: number | undefined;
}) {
  return warnings.length === 0 ? null : (
    <Folded kind={plural(warnings.length + omitted, 'warning')} hint="it can be imported all the same">
      <ViolationList violations={warnings} tone="warning" />
      {omitted === 0 ? null : <p className="quiet small">And {omitted} more.</p>}
    </Folded>
  );
}
