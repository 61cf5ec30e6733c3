import { useRef } from 'react';
import { Button } from '../parts/button.js';
import { documentDesk } from './document-desk.js';

/** The way in for who does not drag. */
export function DocumentButton({ main = false }: { readonly main?: boolean }) {
  const field = useRef<HTMLInputElement>(null);
  return (
    <>
      <input
        ref={field}
        type="file"
        hidden
        multiple
        accept=".yaml,.yml,.json"
        aria-label="OpenAPI documents to import"
        onChange={({ currentTarget }) => {
          documentDesk.bringIn([...(currentTarget.files ?? [])]);
          currentTarget.value = '';
        }}
      />
      <Button onClick={() => field.current?.click()} {...(main && { look: 'main' as const })}>
        Import an OpenAPI document
      </Button>
    </>
  );
}
