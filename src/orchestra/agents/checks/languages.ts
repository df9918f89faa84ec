/** Whether somebody who wrote `de`, `de-AT`, `German` or `Deutsch` means this language. */
export function isLanguage(
  written: string,
  { code, name }: { readonly code: string; readonly name: string },
): boolean {
  const asked = written.trim().toLowerCase()
  if (asked === name.toLowerCase() || asked.split(/[-_]/)[0] === code) return true
  return asked === ownNameOf(code)
}

/** What speakers of a language call it. */
function ownNameOf(code: string): string | undefined {
  return new Intl.DisplayNames([code], { type: 'language', fallback: 'none' }).of(code)?.toLowerCase()
}
