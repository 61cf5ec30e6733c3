import { useRef } from 'react';
import { Button } from '../parts/button.js';
import { importDesk } from './import-desk.js';

/** The way in for who does not drag. */
export function ImportButton() {
  const field = useRef<HTMLInputElement>(null);
  const mergeField = useRef<HTMLInputElement>(null);
  const take = (input: HTMLInputElement, merge: boolean): void => {
    importDesk.bringIn([...(input.files ?? [])], merge);
    input.value = '';
  };
  return (
    <div className="import-choices">
      <input
        ref={field}
        type="file"
        hidden
        multiple
        aria-label="Bundles to import"
        onChange={(event) => take(event.currentTarget, false)}
      />
      <input
        ref={mergeField}
        type="file"
        hidden
        multiple
        aria-label="Bundles to merge"
        onChange={(event) => take(event.currentTarget, true)}
      />
      <Button onClick={() => field.current?.click()}>Choose a bundle</Button>
      <Button onClick={() => mergeField.current?.click()} title="Merge into the local session, if both share a history">
        Import and merge
      </Button>
    </div>
  );
}
