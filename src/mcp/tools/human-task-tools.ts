import { type Static, Type } from 'typebox'
import { pathSegment } from '../public-api.ts'
import { defineTool, workflowsApi } from './tool.ts'

const TaskEntry = Type.Object({
  human_task_id: Type.String(),
  execution_id: Type.String(),
  flow_id: Type.String(),
  flow_label: Type.String(),
  step_id: Type.String(),
  message: Type.String({ description: 'The question, as Markdown.' }),
  form: Type.Object({}, { additionalProperties: true, description: 'The JSON schema of the answer.' }),
  require_comment: Type.Boolean({ description: 'Whether the answer needs a comment.' }),
  may_answer: Type.Boolean({ description: 'Whether this account may answer it.' }),
  state: Type.String({ description: 'open, answered, timed_out or cancelled.' }),
  expires_at: Type.Union([Type.Integer(), Type.Null()], { description: 'Epoch seconds of its timeout.' }),
})

type TaskFields = Omit<Static<typeof TaskEntry>, 'human_task_id'> & { readonly id: string }

function describe(task: TaskFields): Static<typeof TaskEntry> {
  return {
    human_task_id: task.id,
    execution_id: task.execution_id,
    flow_id: task.flow_id,
    flow_label: task.flow_label,
    step_id: task.step_id,
    message: task.message,
    form: task.form,
    require_comment: task.require_comment,
    may_answer: task.may_answer,
    state: task.state,
    expires_at: task.expires_at,
  }
}

const maxTasks = 50

/** Lists the questions that executions wait for. */
export const listHumanTasks = defineTool({
  name: 'list_human_tasks',
  title: 'List human tasks',
  description:
    'Lists open questions of executions to people, the oldest first, up to 50: those of your executions and those assigned to you.',
  input: Type.Object(
    {
      execution_id: Type.Optional(
        Type.String({ minLength: 1, maxLength: 200, description: 'Only questions of this execution.' }),
      ),
      assigned_to_me: Type.Optional(
        Type.Boolean({ description: 'Only questions that are assigned to this account or its roles.' }),
      ),
    },
    { additionalProperties: false },
  ),
  output: Type.Object({ tasks: Type.Array(TaskEntry), total: Type.Integer() }),
  readOnly: true,
  idempotent: true,
  async run({ execution_id: execution, assigned_to_me: mine }, { api }) {
    const { tasks, total } = await api.call<{ tasks: TaskFields[]; total: number }>({
      path: `${workflowsApi}/human-tasks`,
      query: { state: 'open', execution, limit: maxTasks, ...(mine === true && { assigned: 'me' }) },
    })
    return { tasks: tasks.map(describe), total }
  },
})

/** Answers a question of an execution. */
export const answerHumanTask = defineTool({
  name: 'answer_human_task',
  title: 'Answer a human task',
  description:
    'Answers a question of an execution, which then continues. The question is for a person: show it to the user and send the answer of the user, never one of your own. The first answer counts and cannot be changed.',
  input: Type.Object(
    {
      human_task_id: Type.String({
        minLength: 1,
        maxLength: 200,
        description: 'The id that list_human_tasks returned.',
      }),
      answer: Type.Object(
        {},
        { additionalProperties: true, description: 'The answer, with the fields of the form of the task.' },
      ),
      comment: Type.Optional(Type.String({ maxLength: 10_000, description: 'A comment on the answer.' })),
    },
    { additionalProperties: false },
  ),
  output: Type.Object({ execution_id: Type.String(), task: TaskEntry, next: Type.String() }),
  readOnly: false,
  idempotent: false,
  async run({ human_task_id: id, answer, comment }, { api }) {
    const { execution_id, task } = await api.call<{ execution_id: string; task: TaskFields }>({
      method: 'POST',
      path: `${workflowsApi}/human-tasks/${pathSegment(id)}/answer`,
      body: { answer, ...(comment !== undefined && { comment }) },
    })
    return {
      execution_id,
      task: describe(task),
      next: 'Call get_execution with this execution_id and wait_seconds.',
    }
  },
})
