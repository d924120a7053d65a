/** Saves a text as a file of the reader's; nothing leaves this page. */
export const save = (fileName: string, type: string, text: string): void =>
  saveBlob(fileName, new Blob([text], { type }));

export function saveBlob(fileName: string, blob: Blob): void {
  const url = URL.createObjectURL(blob);
  const link = document.createElement('a');
  link.href = url;
  link.download = fileName;
  link.click();
  // The browser has taken the bytes when the click returns; later ones of the same page are not affected.
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
