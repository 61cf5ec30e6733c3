/** Lets somebody choose files where no button for it is on the page. */
export function chooseFiles(accept: string, take: (files: readonly File[]) => void): void {
  const field = document.createElement('input');
  field.type = 'file';
  field.multiple = true;
  field.accept = accept;
  field.hidden = true;
  field.addEventListener('change', () => {
    field.remove();
    take([...(field.files ?? [])]);
  });
  field.addEventListener('cancel', () => field.remove());
  // What is in no document may be cleared away while the dialog of the system is open, and nothing would come of it.
  document.body.append(field);
  field.click();
}
