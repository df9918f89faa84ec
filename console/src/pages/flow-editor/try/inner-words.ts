interface Nested {
  readonly total: number
  readonly completed: number
  readonly failed: number
}

/** The scopes of a container type, as one and as several. */
const scopeWords: Readonly<Record<string, readonly [one: string, several: string]>> = {
  for_each: ['Item', 'items'],
  repeat_until: ['Iteration', 'iterations'],
}

/** The name of one run through the steps of a container. An agent has a turn, then the calls of that turn. */
export function nameOfScope(type: string, index: number): string {
  if (type === 'tool_agent') {
    const turn = Math.floor(index / 2) + 1
    return index % 2 === 0 ? `Turn ${turn}` : `Calls of turn ${turn}`
  }
  const [one] = scopeWords[type] ?? []
  return one === undefined ? 'Steps' : `${one} ${index + 1}`
}

/** The progress of a container: how many of its scopes have ended. The number of turns is not known before. */
export function describeNested(type: string, { total, completed, failed }: Nested): string {
  const [, several] = scopeWords[type] ?? []
  const failures = failed === 0 ? '' : `, ${failed} failed`
  if (type === 'tool_agent') return `Turns and calls: ${completed}${failures}`
  return several === undefined ? `Inner steps${failures}` : `${completed} of ${total} ${several}${failures}`
}
