/** Deeper than any schema that a person writes, and far from what could end the process. */
const mostLevels = 100
/** As many as a long context has tokens; looking at many more would keep everyone else waiting. */
const mostValues = 300_000

/** What is wrong with the extent of a body, whatever it says. In a loop, because it may be nested very deep. */
export function describeExcess(body: object): string | undefined {
  let level: object[] = [body]
  let values = 0
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > mostLevels) return `is nested more than ${mostLevels} levels deep`
    const next: object[] = []
    for (const holder of level) {
      const inner: unknown[] = Object.values(holder)
      values += inner.length
      if (values > mostValues) return `has more than ${mostValues} values`
      for (const value of inner) if (typeof value === 'object' && value !== null) next.push(value)
    }
    level = next
  }
  return undefined
}
