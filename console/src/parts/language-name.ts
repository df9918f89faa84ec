const names = new Intl.DisplayNames(['en'], { type: 'language' })

/** The English name of a language, or its code when the browser does not know it. */
export function languageName(code: string): string {
  try {
    return names.of(code) ?? code
  } catch {
    return code
  }
}
