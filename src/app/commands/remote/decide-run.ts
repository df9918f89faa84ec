import { UserError } from '#kernel/errors'
import { oneLine } from '../text.ts'
import { fieldsOf } from './answer-form.ts'
import { type HumanTask, howToAnswer, readAnswer, sendAnswer } from './human-tasks.ts'
import { connect, type PlatformApi } from './platform-api.ts'
import { exitCodes, inPath, printJson, type RemoteOptions } from './remote-command.ts'

type Decision = 'approve' | 'reject'

export interface DecideOptions extends RemoteOptions {
  readonly comment?: string
  /** The older name of `comment`. */
  readonly note?: string
  readonly task?: string
  /** A JSON object, with `approve` only. */
  readonly answer?: string
}

/**
 * `tutti runs approve` and `tutti runs reject`: answers the open human task of a run, else decides about a run that waits for approval
 * before its start. A run never waits for both.
 */
export async function decideRun(id: string, decision: Decision, given: DecideOptions) {
  const { task: wanted, answer, json, comment = given.note, ...options } = given
  const api = await connect(options)
  const query = { execution: id, state: 'open' }
  const { entries: tasks } = await api.list<HumanTask>('/human-tasks', {
    entries: 'tasks',
    query,
    limit: 100,
  })
  if (tasks.length > 0) {
    const task = chooseTask(tasks, wanted)
    const chosen = answer === undefined ? decisionFor(task, decision, api) : await readAnswer(answer)
    return await sendAnswer(api, task, { answer: chosen, comment, json })
  }
  if (wanted !== undefined || answer !== undefined)
    throw new UserError(
      `The run ${id} waits for no answer. Without --task and --answer its start is approved.`,
    )
  return await decideStart(api, id, decision, { comment, json })
}

/** By its id or its step; without a name it must be the only one. Throws a UserError. */
function chooseTask(tasks: readonly HumanTask[], wanted: string | undefined): HumanTask {
  const found = tasks.filter(
    ({ id, step_id: step }) => wanted === undefined || wanted === id || wanted === step,
  )
  const [only, ...more] = found
  if (only !== undefined && more.length === 0) return only
  const listed = tasks.map(
    ({ id, step_id: step, message }) => `  ${id}  ${oneLine(step)}  ${oneLine(message)}`,
  )
  const problem =
    only === undefined
      ? `The run has no open task ${wanted}. Open are:`
      : 'Several tasks are open; choose one with --task:'
  throw new UserError([problem, ...listed].join('\n'))
}

/** The field `approved` has the decision. Throws a UserError for a form that needs more. */
function decisionFor(
  task: HumanTask,
  decision: Decision,
  api: PlatformApi,
): Readonly<Record<string, unknown>> {
  const fields = fieldsOf(task.form)
  const needed = fields.filter(({ name, isRequired }) => isRequired && name !== 'approved')
  const decides = fields.some(({ name, type }) => name === 'approved' && type === 'boolean')
  if (decides && needed.length === 0) return { approved: decision === 'approve' }
  const reason = decides
    ? `The task needs more than a decision: ${needed.map(({ name }) => name).join(', ')}.`
    : 'The task has no field "approved".'
  throw new UserError(`${reason}\n${howToAnswer(task, api)}`)
}

async function decideStart(
  api: PlatformApi,
  id: string,
  decision: Decision,
  { comment, json }: { readonly comment: string | undefined; readonly json: true | undefined },
) {
  const answer = await api.call(`/executions/${inPath(id)}/${decision}`, {
    method: 'POST',
    body: comment === undefined ? {} : { note: comment },
  })
  if (json === true) printJson(answer)
  else if (decision === 'reject') console.log(`The run ${id} is rejected and does not start.`)
  else console.log(`The run ${id} is approved. Follow it: npx tutti runs show ${id} --follow${api.flags}`)
  return exitCodes.done
}
