import type { Problem } from '#kernel/errors'
import { isAddress, maxAssignees } from '../definition/kinds/human-assignees.ts'
import type { Step } from '../definition/step-types.ts'
import { fillValue, placeholdersIn, reportMissing } from '../expressions/templates.ts'
import { askingSteps, type Question } from './asking-steps.ts'
import { StepFailure } from './step-failure.ts'
import type { StepRun } from './step-run.ts'

/** Accounts, by id or username, and roles. */
export interface People {
  readonly accounts: readonly string[]
  readonly roles: readonly string[]
}

/** Returns those of the named accounts and roles that exist and can answer. */
export type FindPeople = (named: People) => Promise<People>

/** The assignees of an open task. */
export interface FilledAssignees extends People {
  readonly emails: readonly string[]
}

/**
 * Warns about assignees that do not exist. They do not prevent saving: accounts and roles may be created later, and a flow may be
 * deployed to several platforms. Throws when the database is unavailable.
 */
export async function findAssigneeWarnings(
  steps: readonly Step[],
  findPeople: FindPeople,
): Promise<Problem[]> {
  const asked = askingSteps(steps).flatMap(({ path, assignees: { accounts = [], roles = [] } = {} }) =>
    accounts.length + roles.length === 0 ? [] : [{ path: `${path}assignees`, accounts, roles }],
  )
  const named = {
    accounts: asked.flatMap(({ accounts }) => accounts.filter(isLiteral)),
    roles: asked.flatMap(({ roles }) => roles.filter(isLiteral)),
  }
  if (named.accounts.length + named.roles.length === 0) return []
  const found = await findPeople(named)
  return asked.flatMap(({ path, ...one }) =>
    unknownIn(one, found).map((problem) => ({ ...problem, path: `${path}.${problem.path}` })),
  )
}

function isLiteral(text: string): boolean {
  return placeholdersIn(text).length === 0
}

/** The literal names that were not found. */
function unknownIn(named: People, found: People): Problem[] {
  const [accounts, roles] = [new Set(found.accounts), new Set(found.roles)]
  return [
    ...named.accounts.flatMap((name, index) =>
      accounts.has(name) || !isLiteral(name)
        ? []
        : [
            {
              path: `accounts[${index}]`,
              message: `no active account has the id or username "${name}": it cannot answer. Correct the name, or create the account`,
              code: 'unknown_account',
            },
          ],
    ),
    ...named.roles.flatMap((name, index) =>
      roles.has(name) || !isLiteral(name)
        ? []
        : [
            {
              path: `roles[${index}]`,
              message: `there is no role "${name}": no account with it can answer. Correct the name, or create the role`,
              code: 'unknown_role',
            },
          ],
    ),
  ]
}

/**
 * The assignees of a task that opens; null: the account of the execution. Throws INVALID_STEP.
 *
 * | `assignees`, filled                                        | then                                                       |
 * |------------------------------------------------------------|------------------------------------------------------------|
 * | none                                                       | the account of the execution                               |
 * | a placeholder without a value                              | is left out, with a warning                                |
 * | a placeholder with a list                                  | each of its texts is an assignee                           |
 * | a value that is no text, too long, or no e-mail address    | INVALID_STEP                                               |
 * | more than 50 accounts, roles or addresses                  | INVALID_STEP                                               |
 * | an account or role that does not exist                     | stays assigned, with a warning: it may be created later    |
 * | no one is left who exists, and all are literal             | the same: saving the flow warned of it                     |
 * | no one is left who exists, and there were placeholders     | INVALID_STEP                                               |
 */
export async function fillAssignees(
  run: Pick<StepRun, 'scope' | 'failedProducerOf' | 'log'>,
  given: Question['assignees'],
  findPeople: FindPeople = async (named) => named,
): Promise<FilledAssignees | null> {
  if (given === undefined) return null
  const { value, missing } = fillValue(given, run.scope)
  reportMissing(run, missing)
  const filled = value as { readonly [Part in keyof FilledAssignees]?: unknown }
  const assignees = {
    accounts: textsIn(filled.accounts, 'accounts'),
    roles: textsIn(filled.roles, 'roles'),
    emails: textsIn(filled.emails, 'emails'),
  }
  const wrong = assignees.emails.find((address) => !isAddress(address))
  if (wrong !== undefined) throw invalid(`"assignees.emails" has "${wrong}", which is not an e-mail address.`)
  const { accounts, roles, emails } = assignees
  const found = accounts.length + roles.length === 0 ? assignees : await findPeople({ accounts, roles })
  const canAnswer = found.accounts.length + found.roles.length + emails.length > 0
  if (!canAnswer && placeholdersIn(given).length > 0)
    throw invalid(
      `"assignees" names no one who could answer: ${describe(assignees)}. Each must be an active account, a role or an e-mail address.`,
    )
  for (const { path, message, code } of unknownIn(assignees, found))
    run.log('warning', `assignees.${path}: ${message}.`, { warning: code })
  return assignees
}

/** The texts of one part; a placeholder may have become a list. Throws INVALID_STEP. */
function textsIn(part: unknown, name: keyof FilledAssignees): string[] {
  const texts = [part ?? []]
    .flat(2)
    .filter((one) => one !== null && one !== '')
    .map((one) => {
      if (typeof one !== 'string' && typeof one !== 'number')
        throw invalid(`"assignees.${name}" has a value that is not a text.`)
      // Outputs of steps may contain characters that the database cannot compare.
      const text = String(one).toWellFormed().replaceAll('\0', '\uFFFD').trim()
      if (text.length <= maxLength) return text
      throw invalid(`"assignees.${name}" has a text of more than ${maxLength} characters.`)
    })
  const distinct = [...new Set(texts)].filter((text) => text !== '')
  if (distinct.length <= maxAssignees) return distinct
  throw invalid(`"assignees.${name}" has more than ${maxAssignees} entries with its placeholders filled.`)
}

/** Usernames, names of roles and addresses are shorter. */
const maxLength = 1000

function describe({ accounts, roles }: FilledAssignees): string {
  const names = [...accounts, ...roles].map((name) => `"${name.slice(0, 100)}"`)
  return names.length === 0 ? 'its placeholders have no value' : `${names.join(', ')} is unknown`
}

function invalid(message: string): StepFailure {
  return new StepFailure({ code: 'INVALID_STEP', message })
}
