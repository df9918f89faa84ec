import { invalidField } from './errors.ts'

interface KnownNames {
  /** The request field that contains the list. */
  readonly path: string
  readonly noun: string
  readonly given: readonly string[]
  readonly known: readonly string[]
}

/** Throws `invalid_input` for the first name that does not exist. */
export function requireKnownNames({ path, noun, given, known }: KnownNames): void {
  const index = given.findIndex((name) => !known.includes(name))
  if (index < 0) return
  throw invalidField(
    `${path}[${index}]`,
    `names a ${noun} that does not exist: "${given[index]}"; use one of ${known.join(', ')}`,
    'choice',
  )
}
