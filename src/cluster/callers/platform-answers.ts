import { Type } from 'typebox'
import { Compile } from 'typebox/compile'

const profile = Compile(
  Type.Object({ id: Type.String({ minLength: 1 }), permissions: Type.Array(Type.String()) }),
)
const failure = Compile(
  Type.Object({
    error: Type.Object({
      message: Type.String(),
      details: Type.Optional(Type.Object({ scopes: Type.Optional(Type.Array(Type.String())) })),
    }),
  }),
)

/** What of an account matters here. */
export interface Account {
  readonly id: string
  readonly permissions: readonly string[]
}

/** Reads the profile of an account; undefined when it is something else. */
export function readProfile(text: string): Account | undefined {
  const answer = parse(text)
  return profile.Check(answer) ? answer : undefined
}

/** Reads the sentence of an error; undefined when it is something else. */
export function readRefusal(text: string): string | undefined {
  const answer = parse(text)
  return failure.Check(answer) ? answer.error.message : undefined
}

/** Reads what a refused credential is limited to; undefined when the refusal does not say. */
export function readScopes(text: string): readonly string[] | undefined {
  const answer = parse(text)
  return failure.Check(answer) ? answer.error.details?.scopes : undefined
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
