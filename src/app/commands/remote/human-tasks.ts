import { UserError } from '#kernel/errors'
import { readGiven, readObject } from '../run/read-request.ts'
import { oneLine, printable, shellQuoted, terminalWidth, writeTable, writeTime } from '../text.ts'
import { askForm, describeField, exampleAnswer, fieldsOf, type TaskForm } from './answer-form.ts'
import { connect, type PlatformApi, PlatformError } from './platform-api.ts'
import { exitCodes, inPath, printJson, type RemoteOptions } from './remote-command.ts'

/** As in the responses of the API. */
export interface HumanTask {
  readonly id: string
  readonly execution_id: string
  readonly flow_id: string
  readonly flow_label: string
  readonly step_id: string
  readonly message: string
  readonly form: TaskForm
  readonly require_comment: boolean
  readonly assignees: {
    readonly accounts: readonly string[]
    readonly roles: readonly string[]
    readonly emails: readonly string[]
  } | null
  readonly may_answer: boolean
  readonly state: string
  readonly created_at: number
  readonly expires_at: number | null
  readonly answer: unknown
  readonly answered_by: string | null
  readonly comment: string | null
}

export interface ListOptions extends RemoteOptions {
  readonly state: string
  readonly mine?: true
  readonly run?: string
  readonly limit: number
}

/** `tutti human-tasks list` */
export async function listHumanTasks({ state, mine, run, limit, json, ...options }: ListOptions) {
  const api = await connect(options)
  const { entries, total } = await api.list<HumanTask>('/human-tasks', {
    entries: 'tasks',
    query: {
      state: state === 'all' ? undefined : state,
      execution: run,
      ...(mine === true && { assigned: 'me' }),
    },
    limit,
  })
  if (json === true) {
    printJson(entries)
    return exitCodes.done
  }
  if (entries.length === 0) {
    console.error(state === 'open' ? 'No run waits for an answer.' : 'No human task was found.')
    return exitCodes.done
  }
  const { isTTY } = process.stdout
  const now = new Date()
  const rows = entries.map((task) => [
    task.id,
    task.state.replace('_', ' '),
    oneLine(task.flow_id),
    oneLine(task.step_id),
    writeTime(task.created_at, now, isTTY),
    task.state === 'open' ? writeTime(task.expires_at, now, isTTY) : '',
    oneLine(task.message),
  ])
  const header = ['ID', 'STATE', 'FLOW', 'STEP', 'ASKED', 'ENDS', 'MESSAGE']
  console.log(writeTable(header, rows, { width: terminalWidth(), shrink: [2, 3, 6] }))
  if (total > entries.length) console.error(`The oldest ${entries.length} of ${total}; --limit shows more.`)
  return exitCodes.done
}

/** `tutti human-tasks show` */
export async function showHumanTask(id: string, { json, ...options }: RemoteOptions) {
  const api = await connect(options)
  const task = await readTask(api, id)
  if (json === true) {
    printJson(task)
    return exitCodes.done
  }
  const now = new Date()
  const { isTTY } = process.stdout
  const isOpen = task.state === 'open'
  const rows = [
    ['Run', `${task.execution_id}, step ${oneLine(task.step_id)}`],
    ['Asked', writeTime(task.created_at, now, isTTY)],
    ...(isOpen && task.expires_at !== null ? [['Ends', writeTime(task.expires_at, now, isTTY)]] : []),
    ['For', assigneesOf(task)],
    ...(task.answered_by === null ? [] : [['Answer', oneLine(JSON.stringify(task.answer))]]),
    ...(task.answered_by === null ? [] : [['By', oneLine(task.answered_by)]]),
    ...(task.comment === null ? [] : [['Comment', oneLine(task.comment)]]),
  ]
  console.log(`${oneLine(task.flow_label)}: ${task.state.replace('_', ' ')}\n${task.id}\n`)
  console.log(`${writeTable(rows[0] ?? [], rows.slice(1))}\n\n${printable(task.message.trim())}`)
  if (!isOpen) return exitCodes.done
  console.log(`\n${writeForm(task)}`)
  console.error(task.may_answer ? `\n${howToAnswer(task, api)}` : '\nIt is assigned to others.')
  return exitCodes.done
}

/** Reads a task. Throws a PlatformError. */
async function readTask(api: PlatformApi, id: string): Promise<HumanTask> {
  return await api.call<HumanTask>(`/human-tasks/${inPath(id)}`)
}

const maxShownLines = 20

/** The question of a run and how to answer it, for a terminal. Undefined: it is closed, or not visible to the account. */
export async function describeOpenTask(api: PlatformApi, id: string): Promise<string | undefined> {
  let task: HumanTask
  try {
    task = await readTask(api, id)
  } catch (error) {
    if (error instanceof PlatformError) return undefined
    throw error
  }
  if (task.state !== 'open') return undefined
  const ends = task.expires_at === null ? '' : `, until ${writeTime(task.expires_at, new Date(), false)}`
  const lines = printable(task.message.trim()).split('\n')
  const shown = lines.length > maxShownLines ? [...lines.slice(0, maxShownLines), '…'] : lines
  return [
    `tutti: ${oneLine(task.step_id)} waits for an answer${ends}:`,
    '',
    ...shown.map((line) => `  ${line}`.trimEnd()),
    '',
    task.may_answer ? `tutti: ${howToAnswer(task, api)}` : `tutti: It is for ${assigneesOf(task)}.`,
  ].join('\n')
}

function assigneesOf({ assignees }: HumanTask): string {
  if (assignees === null) return 'the account of the run'
  const { accounts, roles, emails } = assignees
  const groups = [accounts.join(', '), ...roles.map((role) => `role ${role}`), emails.join(', ')]
  return oneLine(groups.filter((group) => group !== '').join(', '))
}

function writeForm({ form, require_comment: needsComment }: HumanTask): string {
  const rows = fieldsOf(form).map((field) => [field.name, describeField(field), oneLine(field.title ?? '')])
  const comment = needsComment ? [['--comment', 'text, required', 'Comment']] : []
  return writeTable(['FIELD', 'ANSWER', 'TITLE'], [...rows, ...comment])
}

/** The command that answers a task, with an example of the answer. */
export function howToAnswer(task: HumanTask, { flags }: Pick<PlatformApi, 'flags'>): string {
  const answer = shellQuoted(JSON.stringify(exampleAnswer(task.form)))
  const comment = task.require_comment ? " --comment '…'" : ''
  return `Answer it: npx tutti human-tasks answer ${task.id} --answer ${answer}${comment}${flags}`
}

export interface AnswerOptions extends RemoteOptions {
  readonly answer?: string
  readonly comment?: string
}

/** `tutti human-tasks answer` */
export async function answerHumanTask(id: string, { answer, comment, json, ...options }: AnswerOptions) {
  const api = await connect(options)
  const task = await readTask(api, id)
  const given = answer === undefined ? await ask(task, api) : await readAnswer(answer)
  return await sendAnswer(api, task, { answer: given, comment, json })
}

/** The answer on the command line: a JSON object, @FILE or standard input (-). Throws a UserError. */
export async function readAnswer(given: string): Promise<Readonly<Record<string, unknown>>> {
  return readObject(await readGiven(given, '--answer'), '--answer')
}

/** Asks at the terminal for each field. Throws a UserError without a terminal. */
async function ask(task: HumanTask, api: PlatformApi): Promise<Readonly<Record<string, unknown>>> {
  if (!process.stdin.isTTY) throw new UserError(`There is no terminal to ask at. ${howToAnswer(task, api)}`)
  console.error(`${printable(task.message.trim())}\n`)
  return await askForm(task.form)
}

interface GivenAnswer {
  readonly answer: Readonly<Record<string, unknown>>
  readonly comment: string | undefined
  readonly json: true | undefined
}

/** Answers a task and says so. Throws a PlatformError, for example for a field that is missing. */
export async function sendAnswer(api: PlatformApi, task: HumanTask, { answer, comment, json }: GivenAnswer) {
  const answered = await api.call(`/human-tasks/${inPath(task.id)}/answer`, {
    method: 'POST',
    body: { answer, ...(comment !== undefined && { comment }) },
  })
  if (json === true) {
    printJson(answered)
    return exitCodes.done
  }
  const run = task.execution_id
  console.log(`Answered ${oneLine(task.step_id)} of the run ${run} with ${oneLine(JSON.stringify(answer))}.`)
  console.log(`Follow the run: npx tutti runs show ${run} --follow${api.flags}`)
  return exitCodes.done
}
