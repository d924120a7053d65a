/** Saves a text as a file on the user's disk, without any request. */
export const save = (fileName: string, type: string, text: string): void =>
  saveBlob(fileName, new Blob([text], { type }));

export function saveBlob(fileName: string, blob: Blob): void {
  const url = URL.createObjectURL(blob);
  const link = document.createElement('a');
  link.href = url;
  link.download = fileName;
  link.click();
  // The browser has taken the bytes once the click returns, so the URL may be revoked later.
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
