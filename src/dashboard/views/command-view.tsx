import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { CommandDetail } from '../../contract/catalogs-told.js';
import { repeatableWords } from '../../contract/repeatable-words.js';
import { visibleTitle } from '../../render/visible-text.js';
import { queries } from '../api/queries.js';
import { CodeTold } from '../catalogs/code-told.js';
import { ContentTold } from '../catalogs/content-told.js';
import { LibraryNav } from '../catalogs/library-nav.js';
import { ParametersTold } from '../catalogs/parameters-told.js';
import { SafetyTag } from '../catalogs/safety-tag.js';
import { Folded } from '../parts/folded.js';
import { InCode } from '../parts/in-code.js';
import { Markdown } from '../parts/markdown.js';
import { NotYet } from '../parts/state-notice.js';
import { Link } from '../router/link.js';
import { nameTab } from '../waiting/tab-sign.js';
import '../step/step.css';
import '../catalogs/catalogs.css';

interface CommandViewProps {
  readonly catalogId: string;
  readonly command: string;
}

/** One command: what it takes, what it answers, and a step to copy. */
export function CommandView({ catalogId, command }: CommandViewProps) {
  const asked = useQuery(queries.command(catalogId, command));
  const { data } = asked;
  useEffect(() => {
    nameTab(`${catalogId} ${command} · WorkRail`);
    return () => {
      nameTab('WorkRail');
    };
  }, [catalogId, command]);
  return data === undefined ? <NotYet asked={asked} what="the command" lines={8} /> : <Command told={data} />;
}

function Command({ told }: { readonly told: CommandDetail }) {
  const { catalog, catalogTitle, command, method, path, safety, summary, description, deprecated, enabled } = told;
  const { baseUrl, repeatable, step, provider, parameters, body, answers, definitions, leftOut = [] } = told;
  return (
    <div className="command-view">
      <header className="catalogs-head">
        <LibraryNav at="catalog" />
        <div className="catalog-title">
          <h1>
            <code>{visibleTitle(command)}</code>
          </h1>
          {summary === '' ? null : <p className="command-summary">{visibleTitle(summary)}</p>}
          <p className="catalog-line small quiet">
            <SafetyTag safety={safety} />
            {deprecated ? <span className="tag warning">deprecated</span> : null}
            <code>
              {method} {visibleTitle(path)}
            </code>
            <Link to={{ view: 'catalog', catalogId: catalog }}>{visibleTitle(catalogTitle)}</Link>
            {baseUrl === undefined ? null : <span>{visibleTitle(baseUrl)}</span>}
          </p>
        </div>
      </header>
      <div className="command-step">
        <section aria-label="Step">
          <h2>Step for a workflow</h2>
          {enabled ? null : (
            <p className="aside warning">
              The catalog is disabled, so workflows cannot run this.{' '}
              <Link to={{ view: 'catalog', catalogId: catalog }}>Enable it</Link>
            </p>
          )}
          <CodeTold text={step} language="yaml" />
          <p className="quiet small">A request is {repeatableWords(repeatable)}.</p>
        </section>
        {provider === undefined ? null : (
          <section aria-label="As a provider">
            <h2>As a provider</h2>
            <p>
              It can list the choices of an input: from <code>{provider.items}</code>
              {provider.fields.length === 0 ? null : (
                <>
                  , by{' '}
                  {provider.fields.slice(0, 5).map((field, index) => (
                    <span key={field}>
                      {index === 0 ? '' : ' or '}
                      <code>{visibleTitle(field)}</code>
                    </span>
                  ))}
                </>
              )}
              .
            </p>
            <CodeTold text={provider.input} language="yaml" />
          </section>
        )}
      </div>
      <div className="command-says">
        {description === '' || description === summary ? null : <Markdown text={description} />}
        <ParametersTold parameters={parameters} definitions={definitions} />
        {body === undefined ? null : (
          <section aria-label="Body">
            <h2>Body {body.required ? <span className="small accent">required</span> : null}</h2>
            {body.description === undefined ? null : (
              <p>
                <InCode text={body.description} />
              </p>
            )}
            <ContentTold content={body.content} definitions={definitions} />
          </section>
        )}
        <section aria-label="Answers">
          <h2>Answers</h2>
          {answers.map(({ status, description: says, content }) => (
            <Folded
              key={status}
              lazy
              open={status.startsWith('2')}
              kind={<span className={statusTone(status)}>{status}</span>}
              hint={visibleTitle(says)}
            >
              {content.length === 0 ? (
                <p className="quiet">No body.</p>
              ) : (
                <ContentTold content={content} definitions={definitions} />
              )}
            </Folded>
          ))}
          {leftOut.length === 0 ? null : (
            <p className="quiet small">Left out, as there are too many schemas: {visibleTitle(leftOut.join(', '))}.</p>
          )}
        </section>
      </div>
    </div>
  );
}

const statusTone = (status: string): string =>
  status.startsWith('2') ? 'good' : /^[45]/u.test(status) ? 'grave' : 'quiet';
