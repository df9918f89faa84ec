/** For an option that may be repeated and may list several names with commas. */
export function collectNames(text: string, before: readonly string[] = []): readonly string[] {
  const given = text
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '')
  return [...new Set([...before, ...given])]
}
