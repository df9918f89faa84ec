/** The canonical name of a model: the default tag is `latest`, and case does not matter. */
export function canonicalModelName(name: string): string {
  const lower = name.toLowerCase()
  return lower.includes(':', lower.lastIndexOf('/') + 1) ? lower : `${lower}:latest`
}
