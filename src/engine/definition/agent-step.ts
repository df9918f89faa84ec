import { Type } from 'typebox'
import { common } from './common-step.ts'
import { modelOptions } from './model-options.ts'

export const AgentSchema = Type.Object(
  {
    ...common,
    type: Type.Literal('agent', { description: 'Runs an agent of the catalogue.' }),
    agent: Type.String({
      pattern: '^[a-z0-9][a-z0-9_-]{0,63}$',
      'x-means': 'must be the id of an agent: lower-case letters, digits, hyphens and underscores',
      description: 'The id of an agent of the catalogue.',
    }),
    agent_version: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 2_147_483_647,
        description: 'The version of the agent. Default: the current version when the step starts.',
      }),
    ),
    input: Type.Optional(
      Type.String({
        maxLength: 100_000,
        description: 'The input of the agent, with `{{path}}`. Default: `{{content}}`.',
      }),
    ),
    instructions: Type.Optional(
      Type.String({
        maxLength: 20_000,
        description: 'Additional instructions for the agent, with `{{path}}`.',
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
            'Values of the parameters in the prompt of the agent, such as `target_language`; texts may contain `{{path}}`.',
        },
      ),
    ),
    ai_options: Type.Optional(
      Type.Object(
        modelOptions('A model id of the catalogue. Default: the model of the agent, else the default chain.'),
        { additionalProperties: false, description: 'The model of the agent and its parameters.' },
      ),
    ),
  },
  { additionalProperties: false, description: 'Runs an agent of the catalogue.' },
)
