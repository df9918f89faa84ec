/** A moment that came as epoch seconds, as the rest of the console has moments. */
export function momentOf(epochSeconds: number): string {
  return new Date(epochSeconds * 1000).toISOString()
}
