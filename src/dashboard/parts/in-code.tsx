import { Fragment } from 'react';
import { visibleText } from '../../render/visible-text.js';

/** A sentence; what stands in backticks is shown as code. One that has no other beside it stays what it is. */
export const InCode = ({ text }: { readonly text: string }) =>
  visibleText(text)
    .split(/`([^`\n]+)`/u)
    .map((part, index) =>
      index % 2 === 0 ? <Fragment key={index}>{part}</Fragment> : <code key={index}>{part}</code>,
    );
