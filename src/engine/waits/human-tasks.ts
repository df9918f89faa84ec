import { type Database, retryConflicts } from '#kernel/database'
import { kernelFailure, type Problem } from '#kernel/errors'
import { checkAnswer, type FormField, readForm } from '../definition/kinds/human-form.ts'
import { engineFailure } from '../errors.ts'
import type { HumanRequest } from '../steps/human.ts'
import { type ClosedNow, closeWaits } from './close-waits.ts'

/** A question of an execution to a person. */
export interface HumanTask extends HumanRequest {
  readonly id: string
  readonly executionId: string
  readonly flowId: string
  readonly flowLabel: string
  /** The account of the execution. */
  readonly accountId: string
  readonly stepId: string
  readonly item: number
  /** `cancelled` once its execution has ended. */
  readonly state: 'open' | 'answered' | 'timed_out' | 'cancelled'
  readonly fields: readonly FormField[]
  readonly answer: unknown
  readonly answeredBy: string | null
  readonly comment: string | null
  readonly createdAt: Date
  readonly expiresAt: Date | null
  readonly closedAt: Date | null
}

/** A person with an account. */
export interface Person {
  readonly id: string
  readonly username: string | null
  readonly roles: readonly string[]
  /** Whether the account has the permission `manage workflows`. */
  readonly managesAll: boolean
}

interface TaskFilter {
  /** Only tasks that this person may see. */
  readonly person: Person
  /** Only those that the person may answer without managing all workflows. */
  readonly assigned: boolean
  readonly state: HumanTask['state'] | undefined
  readonly executionId: string | undefined
  readonly limit: number
  readonly offset: number
}

interface Answer {
  readonly answer: unknown
  readonly comment: string | undefined
  /** An account id, or `mail:` and an address. */
  readonly by: string
  /** Records the answer in the transaction that stores it. Called again when the transaction is retried. */
  readonly record: (transaction: AnswerTransaction) => Promise<void>
}

/** The transaction that stores an answer. */
type AnswerTransaction = Parameters<Parameters<Database['transaction']>[0]>[0]

/** Questions of executions to people. */
export interface HumanTasks {
  /** The oldest first. */
  list(filter: TaskFilter): Promise<{ readonly tasks: readonly HumanTask[]; readonly total: number }>
  /** Undefined: there is no such task. */
  read(id: string): Promise<HumanTask | undefined>
  /**
   * Answers a task; the first answer counts. Throws `human_task_not_found`, `human_task_closed`, and `invalid_input` with a problem for
   * each invalid field. The caller has checked who answers.
   */
  answer(id: string, answer: Answer): Promise<HumanTask>
}

/** Whether a person may answer a task. Never throws. */
export function mayAnswer(task: Pick<HumanTask, 'assignees' | 'accountId'>, person: Person): boolean {
  return person.managesAll || isAssigned(task, person)
}

/** Whether a person may see a task: also the account that waits for the answer. Never throws. */
export function maySee(task: Pick<HumanTask, 'assignees' | 'accountId'>, person: Person): boolean {
  return task.accountId === person.id || mayAnswer(task, person)
}

function isAssigned(
  { assignees, accountId }: Pick<HumanTask, 'assignees' | 'accountId'>,
  { id, username, roles }: Person,
): boolean {
  if (assignees === null) return accountId === id
  const { accounts } = assignees
  return (
    accounts.includes(id) ||
    (username !== null && accounts.includes(username)) ||
    assignees.roles.some((role) => roles.includes(role))
  )
}

const columns = `
  wait.id, wait.execution_id as "executionId", execution.flow_id as "flowId", wait.account_id as "accountId", wait.step_id as "stepId",
  wait.item, wait.request, wait.answer, wait.answered_by as "answeredBy", wait.comment, wait.created_at as "createdAt",
  wait.wake_at as "expiresAt", wait.closed_at as "closedAt", wait.current_state as state,
  (
    select version.definition ->> 'label' from engine_flow_versions as version
    where version.flow_id = execution.flow_id and version.version = execution.flow_version
  ) as "flowLabel"
`

/** Open tasks of an execution that has ended are cancelled ones. */
const tasks = (condition: string) => `
  (
    select wait.*, case when wait.state = 'open' and ended.work_state = 'finished' then 'cancelled' else wait.state end as current_state
    from engine_waits as wait
    join engine_executions as ended on ended.id = wait.execution_id
    where wait.kind = 'human' and ${condition}
  ) as wait
  join engine_executions as execution on execution.id = wait.execution_id
`

const isAssignedTo = `
  (
    case when wait.request::jsonb -> 'assignees' = 'null' then wait.account_id = $1::uuid
    else wait.request::jsonb -> 'assignees' -> 'accounts' ?| $2::text[] or wait.request::jsonb -> 'assignees' -> 'roles' ?| $3::text[]
    end
  )
`

/** Without closed tasks, the index of open ones is used. */
const listed = (isOpen: boolean) => `
  from ${tasks(isOpen ? `wait.state = 'open'` : 'true')}
  where ($4::boolean or (wait.account_id = $1::uuid and not $5::boolean) or ${isAssignedTo})
    and ($6::text is null or wait.current_state = $6)
    and ($7::uuid is null or wait.execution_id = $7)
`

type TaskRow = Omit<HumanTask, keyof HumanRequest | 'fields' | 'answer'> & {
  readonly request: string
  readonly answer: string | null
}

function taskOf({ request, answer, ...row }: TaskRow): HumanTask {
  const asked = JSON.parse(request) as HumanRequest
  return {
    ...row,
    ...asked,
    fields: readForm(asked.form, 'form').fields,
    answer: answer === null ? null : (JSON.parse(answer) as unknown),
  }
}

interface HumanTasksOptions {
  readonly database: Database
  readonly onClosed: (closed: readonly ClosedNow[]) => void
}

export function createHumanTasks({ database, onClosed }: HumanTasksOptions): HumanTasks {
  async function read(id: string): Promise<HumanTask | undefined> {
    const [row] = await database.query<TaskRow>(`select ${columns} from ${tasks('wait.id = $1')}`, [id])
    return row === undefined ? undefined : taskOf(row)
  }

  async function requireTask(id: string): Promise<HumanTask> {
    const task = await read(id)
    if (task === undefined) throw engineFailure('human_task_not_found', { details: { human_task_id: id } })
    return task
  }

  return {
    read,

    async list({ person, assigned, state, executionId, limit, offset }) {
      const values = [
        person.id,
        [person.id, ...(person.username === null ? [] : [person.username])],
        person.roles,
        person.managesAll && !assigned,
        assigned,
        state ?? null,
        executionId ?? null,
      ]
      const from = listed(state === 'open')
      const [rows, [count]] = await Promise.all([
        database.query<TaskRow>(
          `select ${columns} ${from} order by wait.created_at, wait.id limit $8 offset $9`,
          [...values, limit, offset],
        ),
        database.query<{ total: number }>(`select count(*)::integer as total ${from}`, values),
      ])
      return { tasks: rows.map(taskOf), total: count?.total ?? 0 }
    },

    async answer(id, { answer, comment, by, record }) {
      const task = await requireTask(id)
      if (task.state !== 'open') throw closedTask(task)
      requireValid(task, answer, comment)
      const closed = await retryConflicts(() =>
        database.transaction(async (transaction) => {
          const closing = await closeWaits(transaction, [id], {
            state: 'answered',
            answer: JSON.stringify(answer),
            answeredBy: by,
            comment: comment?.trim() === '' ? undefined : comment,
          })
          if (closing[0]?.state === 'answered') await record(transaction)
          return closing
        }),
      )
      const after = await requireTask(id)
      if (closed[0]?.state !== 'answered') throw closedTask(after)
      onClosed(closed)
      return after
    },
  }
}

function closedTask({ id, state }: HumanTask) {
  const why = { open: 'closed', answered: 'answered', timed_out: 'timed out', cancelled: 'cancelled' }[state]
  return engineFailure('human_task_closed', {
    message: `This human task is ${why} already.`,
    details: { human_task_id: id, state },
  })
}

function requireValid(
  { fields, require_comment: needsComment }: HumanTask,
  answer: unknown,
  comment?: string,
): void {
  const problems: Problem[] = checkAnswer(fields, answer)
  if (needsComment && (comment ?? '').trim() === '')
    problems.push({ path: 'comment', message: 'is required', code: 'required' })
  const [first] = problems
  if (first === undefined) return
  throw kernelFailure('invalid_input', { message: `${first.path} ${first.message}.`, problems })
}
