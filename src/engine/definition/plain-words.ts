import type { Problem } from '#kernel/errors'

/** What the sorts of JSON are called by people. */
const sorts: Readonly<Record<string, string>> = {
  string: 'a text',
  number: 'a number',
  integer: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
}

type Words = (message: string) => string

const amount = (message: string): string => /-?\d[\d.e+]*/.exec(message)?.[0] ?? ''

/** By the rule that was broken. */
const wordsOf: Readonly<Record<string, Words>> = {
  type: (message) =>
    message.replaceAll(/\b(?:string|number|integer|boolean|array|object)\b/g, (sort) => sorts[sort] ?? sort),
  minLength: (message) =>
    amount(message) === '1' ? 'must not be empty' : `must have at least ${amount(message)} characters`,
  maxLength: (message) => `must not have more than ${amount(message)} characters`,
  minItems: (message) =>
    amount(message) === '1'
      ? 'must have at least one entry'
      : `must have at least ${amount(message)} entries`,
  maxItems: (message) => `must not have more than ${amount(message)} entries`,
  maxProperties: (message) => `must not have more than ${amount(message)} entries`,
  uniqueItems: () => 'must not have the same entry twice',
  minimum: (message) => `must be at least ${amount(message)}`,
  maximum: (message) => `must be at most ${amount(message)}`,
}

/** Says what a schema found in the words of whoever fills in a form. */
export function inPlainWords(problem: Problem): Problem {
  const words = wordsOf[problem.code]
  return words === undefined ? problem : { ...problem, message: words(problem.message) }
}
