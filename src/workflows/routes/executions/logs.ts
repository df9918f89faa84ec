import { Type } from 'typebox'
import { access, findExecution, readRate, schemas } from '#executions-api'
import type { HttpServer } from '#kernel/http'
import { workflowsPrefix } from '../../api.ts'
import { describeLogLine } from '../../responses/logs.ts'
import type { WorkflowsOptions } from '../../route-options.ts'
import { LogLinePart, logLevels } from '../../schemas/parts.ts'
import { flag, integer } from '../../schemas/values.ts'

/** The log of an execution. */
export function addLogsRoute(routes: HttpServer, { engine }: Pick<WorkflowsOptions, 'engine'>): void {
  routes.get(
    `${workflowsPrefix}/executions/:execution_id/logs`,
    {
      config: { access: access.seesExecutions, ratePolicy: readRate },
      schema: {
        operationId: 'readExecutionLogs',
        summary: 'Get the log of an execution',
        description: 'The oldest entries come first. For the next page pass `last_seq` as `after`.',
        params: schemas.executionParams,
        querystring: Type.Object(
          {
            after: Type.Integer({ minimum: 0, default: 0, description: '`last_seq` of the page before.' }),
            level: Type.Enum([...logLevels], { default: 'debug', description: 'This one and graver ones.' }),
            step: Type.Optional(Type.String({ maxLength: 64, description: 'Only lines about this step.' })),
            limit: Type.Integer({ minimum: 1, maximum: 1000, default: 200, description: 'Lines at most.' }),
          },
          { additionalProperties: false },
        ),
        response: {
          200: Type.Object(
            {
              execution_id: Type.String(),
              logs: Type.Array(LogLinePart),
              total: integer('Lines that match, on all pages.'),
              last_seq: integer('Of the last line here; `after` itself when there is none.'),
              has_more: flag('Whether there are further lines now.'),
            },
            { description: 'A page of the log.' },
          ),
        },
      },
    },
    async ({ principal, params, query }, reply) => {
      const { id, events } = await findExecution(engine, principal, params.execution_id)
      const least = logLevels.indexOf(query.level)
      const matching = events
        .map(describeLogLine)
        .filter(
          ({ level, step }) =>
            logLevels.indexOf(level) >= least && (query.step === undefined || step === query.step),
        )
      const after = matching.filter(({ seq }) => seq > query.after)
      const logs = after.slice(0, query.limit)
      return reply.header('cache-control', 'no-store').send({
        execution_id: id,
        logs,
        total: matching.length,
        last_seq: logs.at(-1)?.seq ?? query.after,
        has_more: after.length > logs.length,
      })
    },
  )
}
