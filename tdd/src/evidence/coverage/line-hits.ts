/** Counts lines, each once: covered when any mention of it was reached. */
export function createLineHits() {
  const reachedByLine = new Map<string, boolean>()
  return {
    add(line: string, reached: boolean): void {
      reachedByLine.set(line, reached || reachedByLine.get(line) === true)
    },
    total: (): number => reachedByLine.size,
    covered: (): number => [...reachedByLine.values()].filter(Boolean).length,
  }
}
