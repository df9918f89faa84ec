import { Type } from 'typebox'
import type { HumanTask } from '#engine'
import { units } from '#executions-api'
import { anything, flag, freeForm, integer, maybeInteger, maybeText, text } from '../../schemas/values.ts'

const taskStates = ['open', 'answered', 'timed_out', 'cancelled'] as const

export const TaskState = Type.Enum([...taskStates], {
  description: '`cancelled`: the execution has ended without an answer.',
})

export const TaskPart = Type.Object({
  id: Type.String(),
  execution_id: Type.String(),
  flow_id: Type.String(),
  flow_label: Type.String(),
  step_id: Type.String(),
  item: integer('The index of the batch item, from 0.'),
  message: text('What is asked, as Markdown.'),
  form: freeForm('The JSON schema of the answer.'),
  require_comment: flag('Whether the answer needs a comment.'),
  assignees: Type.Union(
    [
      Type.Object({
        accounts: Type.Array(Type.String()),
        roles: Type.Array(Type.String()),
        emails: Type.Array(Type.String()),
      }),
      Type.Null(),
    ],
    { description: 'Who may answer; null: the account of the execution.' },
  ),
  may_answer: flag('Whether you may answer it.'),
  may_open_execution: flag('Whether you may see its execution. An assignee may see the task alone.'),
  state: TaskState,
  created_at: integer('Epoch seconds.'),
  expires_at: maybeInteger('Epoch seconds of its timeout.'),
  answer: anything('The answer; null until then.'),
  answered_by: maybeText('The account that answered, or `mail:` and an address; null without an answer.'),
  comment: maybeText('The comment of the answer.'),
  closed_at: maybeInteger('Epoch seconds; null while it is open.'),
})

/** What the caller may do with a task. */
interface Rights {
  readonly mayAnswer: boolean
  readonly mayOpenExecution: boolean
}

/** A human task in a response. */
export function describeTask(task: HumanTask, { mayAnswer, mayOpenExecution }: Rights) {
  return {
    id: task.id,
    execution_id: task.executionId,
    flow_id: task.flowId,
    flow_label: task.flowLabel,
    step_id: task.stepId,
    item: task.item,
    message: task.message,
    form: task.form,
    require_comment: task.require_comment,
    assignees:
      task.assignees === null
        ? null
        : {
            accounts: [...task.assignees.accounts],
            roles: [...task.assignees.roles],
            emails: [...task.assignees.emails],
          },
    may_answer: mayAnswer && task.state === 'open',
    may_open_execution: mayOpenExecution,
    state: task.state,
    created_at: units.epochSeconds(task.createdAt),
    expires_at: units.epochSeconds(task.expiresAt),
    answer: task.answer,
    answered_by: task.answeredBy,
    comment: task.comment,
    closed_at: units.epochSeconds(task.closedAt),
  }
}
