const longest = 300

/**
 * What a provider said, fit for a caller: one short line without control characters, and without our key, which some
 * providers repeat when they refuse it.
 */
export function tellable(said: string, key?: string): string {
  const shown = key === undefined || key.length < 4 ? said : said.replaceAll(key, '[key]')
  const line = shown
    .replaceAll(/\b(sk|tk)[-_][\w*-]{4,}/g, '[key]')
    .replaceAll(/[\p{Cc}\s]+/gu, ' ')
    .trim()
  return line.length > longest ? `${line.slice(0, longest - 1)}…` : line
}
