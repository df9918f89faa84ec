import { type Static, Type } from 'typebox'
import { fillText, fillValue } from '../../expressions/templates.ts'
import { common } from '../common-step.ts'
import { checkTemplate } from './check-values.ts'
import { modelOptions } from './model-options.ts'
import type { StepKind } from './step-kind.ts'
import { inText, inValue } from './used-paths.ts'

const schema = Type.Object(
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
        modelOptions(
          'A model id of the catalogue, or a route. Default: the model of the agent, else the default chain.',
        ),
        { additionalProperties: false, description: 'The model of the agent and its parameters.' },
      ),
    ),
  },
  { additionalProperties: false, description: 'Runs an agent of the catalogue.' },
)

export type AgentStep = Static<typeof schema>

const defaultInput = '{{content}}'

export const agent = {
  type: 'agent',
  plural: 'Agent steps',
  schema,
  traits: {
    pure: false,
    callsModels: true,
    sendsPrompt: false,
    callsServices: false,
    decides: 'never',
    validatesOutput: false,
  },
  phase: 'agent_working',
  namesIn: {
    parameters: 'has a name that is not a letter, then up to 63 letters, digits and underscores',
  },
  check: ({ input, instructions, parameters }, place) => [
    ...checkTemplate(input, `${place}.input`),
    ...checkTemplate(instructions, `${place}.instructions`),
    ...checkTemplate(parameters, `${place}.parameters`),
  ],
  pathsUsed: ({ input = defaultInput, instructions, parameters }) => [
    ...inText(input, 'input'),
    ...inText(instructions, 'instructions'),
    ...inValue(parameters ?? {}, 'parameters'),
  ],
  agentOf: (step) => step.agent,
  describeInput: ({ agent: id, input = defaultInput, instructions, parameters }, scope) => ({
    agent: id,
    input: fillValue(input, scope).value,
    instructions: instructions === undefined ? null : fillText(instructions, scope).value,
    parameters: fillValue(parameters ?? {}, scope).value,
  }),
} as const satisfies StepKind<AgentStep>
