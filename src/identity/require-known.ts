import { invalidField } from './errors.ts'

interface KnownNames {
  /** The field the list came in. */
  readonly path: string
  readonly noun: string
  readonly given: readonly string[]
  readonly known: readonly string[]
}

/** Throws for the first name that is none of the known ones. */
export function requireKnown({ path, noun, given, known }: KnownNames): void {
  const index = given.findIndex((name) => !known.includes(name))
  if (index < 0) return
  throw invalidField(
    `${path}[${index}]`,
    `names a ${noun} that does not exist: "${given[index]}"; there are ${known.join(', ')}`,
    'choice',
  )
}
