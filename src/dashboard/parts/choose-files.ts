/** Lets somebody choose files where no button for it is on the page. */
export function chooseFiles(accept: string, take: (files: readonly File[]) => void): void {
  const field = document.createElement('input');
  field.type = 'file';
  field.multiple = true;
  field.accept = accept;
  field.addEventListener('change', () => take([...(field.files ?? [])]));
  field.click();
}
