import type { CommandDetail } from '../../contract/catalogs-told.js';
import { visibleTitle } from '../../render/visible-text.js';
import { Folded } from '../parts/folded.js';
import { ValueTold } from '../step/value-told.js';
import { SchemaTold } from './schema-told.js';
import type { Definitions } from './schema-words.js';

type Content = CommandDetail['answers'][number]['content'];

export interface ContentToldProps {
  readonly content: Content;
  readonly definitions: Definitions;
}

/** A body by its content types: those that look the same are told once. */
export function ContentTold({ content, definitions }: ContentToldProps) {
  const shapes = new Map<string, { readonly types: string[]; readonly one: Content[number] }>();
  for (const one of content) {
    const key = JSON.stringify(one.schema ?? null);
    const known = shapes.get(key);
    if (known === undefined) shapes.set(key, { types: [one.type], one });
    else known.types.push(one.type);
  }
  return [...shapes.values()].map(({ types, one }) => (
    <div key={types.join()} className="content-told">
      <p className="quiet small">{visibleTitle(types.join(', '))}</p>
      {one.schema === undefined ? (
        <p className="quiet">The document does not say what it looks like.</p>
      ) : (
        <SchemaTold schema={one.schema} definitions={definitions} />
      )}
      {one.example === undefined ? null : (
        <Folded kind="Example" lazy>
          <ValueTold value={one.example} />
        </Folded>
      )}
    </div>
  ));
}
