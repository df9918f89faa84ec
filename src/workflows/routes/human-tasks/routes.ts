import { Type } from 'typebox'
import { engineFailure, type HumanTask, mayAnswer, maySee, type Person } from '#engine'
import { managesAll, readRate, requireAccount } from '#executions-api'
import { kernelFailure } from '#kernel/errors'
import { type HttpServer, offsetOf, type Principal, pageQuery } from '#kernel/http'
import { workflowsPrefix } from '../../api.ts'
import type { WorkflowsOptions } from '../../route-options.ts'
import { anything, flag, integer } from '../../schemas/values.ts'
import { addAnswerPageRoutes } from './answer-page.ts'
import { recordAnswer } from './record-answer.ts'
import { describeTask, TaskPart, TaskState } from './schemas.ts'

/** Assignees need no permission of their own. */
const config = { access: { signedIn: true, anyScope: true }, ratePolicy: readRate } as const

const params = Type.Object({
  task_id: Type.String({ format: 'uuid', description: 'The id of the human task.' }),
})

const AnswerBody = Type.Object(
  {
    answer: anything('The answer: an object with the fields of the form.'),
    comment: Type.Optional(Type.String({ maxLength: 10_000, description: 'A comment. Default: none.' })),
  },
  { additionalProperties: false },
)

/** Lists and answers the questions of executions to people. */
export function addHumanTaskRoutes(routes: HttpServer, options: WorkflowsOptions): void {
  const { engine, events } = options

  async function findTask(id: string, person: Person): Promise<HumanTask> {
    const task = await engine.humanTasks.read(id)
    if (task !== undefined && maySee(task, person)) return task
    throw engineFailure('human_task_not_found', { details: { human_task_id: id } })
  }

  routes.get(
    `${workflowsPrefix}/human-tasks`,
    {
      config,
      schema: {
        operationId: 'listHumanTasks',
        summary: 'List human tasks',
        description:
          'Lists the human tasks of your executions and those assigned to you, the oldest first; with `manage workflows` all of them.',
        querystring: Type.Object(
          {
            state: Type.Optional(TaskState),
            assigned: Type.Optional(
              Type.Enum(['me'], { description: 'Only tasks that are assigned to you, or to your role.' }),
            ),
            execution: Type.Optional(
              Type.String({ format: 'uuid', description: 'Only tasks of this execution.' }),
            ),
            ...pageQuery,
          },
          { additionalProperties: false },
        ),
        response: {
          200: Type.Object(
            { tasks: Type.Array(TaskPart), total: integer('Number of matching tasks.') },
            { description: 'A page of human tasks.' },
          ),
        },
      },
    },
    async ({ principal, query }, reply) => {
      const person = personOf(principal)
      const { tasks, total } = await engine.humanTasks.list({
        person,
        assigned: query.assigned === 'me',
        state: query.state,
        executionId: query.execution,
        limit: query.limit,
        offset: offsetOf(query),
      })
      return reply
        .header('cache-control', 'no-store')
        .send({ tasks: tasks.map((task) => describeTask(task, rightsTo(task, principal))), total })
    },
  )

  routes.get(
    `${workflowsPrefix}/human-tasks/:task_id`,
    {
      config,
      schema: {
        operationId: 'readHumanTask',
        summary: 'Get a human task',
        params,
        response: { 200: { ...TaskPart, description: 'The human task.' } },
      },
    },
    async ({ principal, params: { task_id: id } }, reply) => {
      const person = personOf(principal)
      const task = await findTask(id, person)
      return reply.header('cache-control', 'no-store').send(describeTask(task, rightsTo(task, principal)))
    },
  )

  routes.post(
    `${workflowsPrefix}/human-tasks/:task_id/answer`,
    {
      config,
      schema: {
        operationId: 'answerHumanTask',
        summary: 'Answer a human task',
        description: 'The execution continues with the answer. The first answer counts.',
        params,
        body: AnswerBody,
        response: {
          200: Type.Object(
            {
              success: flag('Always true: the answer is stored.'),
              execution_id: Type.String(),
              task: TaskPart,
            },
            { description: 'The answered task.' },
          ),
        },
      },
    },
    async (request) => {
      const { principal, body } = request
      const { task_id: id } = request.params
      const person = personOf(principal)
      const task = await findTask(id, person)
      if (!mayAnswer(task, person)) {
        throw kernelFailure('permission_denied', {
          message: 'This human task is assigned to others.',
          details: { human_task_id: id },
        })
      }
      const answered = await engine.humanTasks.answer(id, {
        answer: body.answer,
        comment: body.comment,
        by: person.id,
        record: recordAnswer(events, task, request, { by: person.id, via: principal.method }),
      })
      return {
        success: true,
        execution_id: answered.executionId,
        task: describeTask(answered, rightsTo(answered, principal)),
      }
    },
  )

  addAnswerPageRoutes(routes, options)
}

function personOf(principal: Principal): Person {
  return {
    id: requireAccount(principal),
    username: principal.username,
    roles: principal.roles,
    managesAll: managesAll(principal),
  }
}

/** Seeing an execution takes a permission, and answering a task takes none. */
function rightsTo(task: HumanTask, principal: Principal) {
  const person = personOf(principal)
  const isOwner = task.accountId === person.id && principal.permissions.has('run workflows')
  return { mayAnswer: mayAnswer(task, person), mayOpenExecution: person.managesAll || isOwner }
}
