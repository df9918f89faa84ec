import { Type } from 'typebox'
import { common } from './common-step.ts'
import { modelOptions } from './model-options.ts'

export const AgentSchema = Type.Object(
  {
    ...common,
    type: Type.Literal('agent', { description: 'Has an agent of the catalogue do its work.' }),
    agent: Type.String({
      pattern: '^[a-z0-9][a-z0-9_-]{0,63}$',
      'x-means': 'must be the id of an agent: lower-case letters, digits, hyphens and underscores',
      description: 'An id of the catalogue of agents.',
    }),
    agent_version: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 2_147_483_647,
        description: 'Which version of the agent. Default: whichever is current when the step begins.',
      }),
    ),
    input: Type.Optional(
      Type.String({
        maxLength: 100_000,
        description: 'What the agent works on, with `{{path}}`. Default: `{{content}}`.',
      }),
    ),
    instructions: Type.Optional(
      Type.String({
        maxLength: 20_000,
        description: 'What is asked of it besides what it does anyway, with `{{path}}`.',
      }),
    ),
    parameters: Type.Optional(
      Type.Record(
        Type.String({ pattern: '^[A-Za-z][A-Za-z0-9_]{0,63}$' }),
        Type.Union([Type.String({ maxLength: 2000 }), Type.Number(), Type.Boolean()]),
        {
          maxProperties: 50,
          additionalProperties: false,
          description:
            'What its prompt asks for by name, such as `target_language`; texts may have `{{path}}`.',
        },
      ),
    ),
    ai_options: Type.Optional(
      Type.Object(
        modelOptions(
          'An id of the model catalogue. Default: the one that the agent says, else the default chain.',
        ),
        { additionalProperties: false, description: 'Which model the agent asks, and how.' },
      ),
    ),
  },
  { additionalProperties: false, description: 'Has an agent of the catalogue do its work.' },
)
