import { type Static, Type } from 'typebox'
import type { Problem } from '#kernel/errors'
import { oneLine } from '#kernel/http'
import { placeholdersIn } from '../../expressions/templates.ts'
import { checkTemplate } from './check-values.ts'

/** Of each kind, as written and with placeholders filled. */
export const maxAssignees = 50

const list = (description: string) =>
  Type.Optional(
    Type.Array(Type.String({ minLength: 1, maxLength: 1000, ...oneLine }), {
      maxItems: maxAssignees,
      description,
    }),
  )

export const assignees = Type.Object(
  {
    accounts: list('Accounts, by id or username. May contain `{{path}}`.'),
    roles: list('Roles: every account with one of them. May contain `{{path}}`.'),
    emails: list(
      'E-mail addresses. Each gets a link of its own, with `notify.email`. May contain `{{path}}`.',
    ),
  },
  {
    additionalProperties: false,
    description:
      'Who may answer, besides accounts with the permission `manage workflows`. A placeholder may be a list. Default: the account of the execution.',
  },
)

export type Assignees = Static<typeof assignees>

/** Whether a text looks like an e-mail address that mail servers accept. */
export function isAddress(text: string): boolean {
  return text.length <= 254 && /^[^\s@]+@[^\s@]+$/.test(text)
}

/** Finds assignees that no one can be, as far as the definition alone says. */
export function checkAssignees(given: Assignees | undefined, place: string): Problem[] {
  if (given === undefined) return []
  const placed = Object.entries(given).flatMap(([part, texts]) =>
    texts.map((text, index) => ({ part, text, path: `${place}.${part}[${index}]` })),
  )
  if (placed.length === 0) {
    const message =
      'names no one who could answer: add accounts, roles or emails, or leave it out for the account of the execution'
    return [{ path: place, message, code: 'required' }]
  }
  return placed.flatMap(({ part, text, path }) => {
    const problems = checkTemplate(text, path)
    if (part === 'emails' && placeholdersIn(text).length === 0 && !isAddress(text))
      problems.push({ path, message: 'must be an e-mail address', code: 'value' })
    return problems
  })
}
