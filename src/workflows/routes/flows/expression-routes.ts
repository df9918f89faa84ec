import { Type } from 'typebox'
import type { Engine } from '#engine'
import { access, requireAccount } from '#executions-api'
import type { HttpServer } from '#kernel/http'
import { workflowsPrefix } from '../../api.ts'

const EvaluateBody = Type.Object(
  {
    expression: Type.String({
      minLength: 1,
      maxLength: 4000,
      description: 'The expression, as between `{{=` and `}}`.',
    }),
    variables: Type.Optional(
      Type.Record(Type.String({ minLength: 1, maxLength: 64 }), Type.Unknown(), {
        maxProperties: 500,
        description:
          'The variables by name, such as `steps`, `item` or a key of the shared memory. `now` is the time of the request unless it is given. Default: none.',
      }),
    ),
  },
  { additionalProperties: false, description: 'An expression and the data it reads.' },
)

const EvaluatedExpression = Type.Object({
  value: Type.Unknown({ description: 'The result as JSON; null when there is a problem.' }),
  problem: Type.Union(
    [
      Type.Object({
        kind: Type.Enum(['missing', 'failed'], {
          description:
            '`missing`: a value that the expression reads does not exist. `failed`: any other problem.',
        }),
        message: Type.String({ description: 'What is wrong.' }),
        position: Type.Union([Type.Integer(), Type.Null()], {
          description: 'The character at which it was found, from 0; null when unknown.',
        }),
      }),
      Type.Null(),
    ],
    { description: 'Why there is no result; null when there is one.' },
  ),
})

/** Evaluates expressions for the author of a flow. */
export function addExpressionRoutes(routes: HttpServer, { expressions }: Pick<Engine, 'expressions'>): void {
  routes.post(
    `${workflowsPrefix}/flows/expressions/evaluate`,
    {
      config: { access: access.managesWorkflows },
      schema: {
        operationId: 'evaluateExpression',
        summary: 'Evaluate an expression',
        description:
          'Evaluates an expression with the limits it has in a flow. The status is 200 even if the expression is invalid or fails.',
        body: EvaluateBody,
        response: { 200: EvaluatedExpression },
      },
    },
    async ({ body: { expression, variables = {} }, principal }, reply) => {
      const accountId = requireAccount(principal)
      const evaluated = await expressions.evaluate({ expression, variables, accountId })
      reply.header('cache-control', 'no-store')
      if (evaluated.kind === 'value') return reply.send({ value: evaluated.value, problem: null })
      const { kind, problem } = evaluated
      return reply.send({ value: null, problem: { kind, ...problem } })
    },
  )
}
