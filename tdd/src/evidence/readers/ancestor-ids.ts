const maxDepth = 64

/** The ids that stand above one: of `a > b > c` they are `a` and `a > b`. */
export function ancestorIds(id: string, separator: string): string[] {
  const ancestors: string[] = []
  let end = id.indexOf(separator)
  while (end !== -1 && ancestors.length < maxDepth) {
    ancestors.push(id.slice(0, end))
    end = id.indexOf(separator, end + separator.length)
  }
  return ancestors
}
