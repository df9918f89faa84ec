/** One name for one model: without a tag the runtime means `latest`, and it does not tell upper from lower case. */
export function canonicalModelName(name: string): string {
  const lower = name.toLowerCase()
  return lower.includes(':', lower.lastIndexOf('/') + 1) ? lower : `${lower}:latest`
}
