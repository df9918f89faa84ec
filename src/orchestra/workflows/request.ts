import { type Static, Type } from 'typebox'
import { FlowDefinition } from '#engine'
import { oneLine } from '#kernel/http'

const { id, label, description, version, category, tags } = FlowDefinition.properties

const agentId = Type.String({ minLength: 1, maxLength: 64, description: 'An agent id of `GET /agents`.' })

const AgentEntry = Type.Object(
  {
    agent: agentId,
    id: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 64,
        description: 'The step id. Default: the agent id.',
      }),
    ),
    label: Type.Optional(
      Type.String({ minLength: 1, maxLength: 200, ...oneLine, description: 'The display name of the step.' }),
    ),
    agent_version: Type.Optional(
      Type.Integer({ minimum: 1, description: 'Default: the current version when the step starts.' }),
    ),
    input: Type.Optional(
      Type.String({
        maxLength: 100_000,
        description:
          'The input, with `{{path}}`. Default: `{{content}}`, or in a sequence the last content that an agent returned.',
      }),
    ),
    instructions: Type.Optional(
      Type.String({
        maxLength: 20_000,
        description:
          'Additional instructions, with `{{path}}`; `{{steps.ID}}` is the output of an earlier step.',
      }),
    ),
    parameters: Type.Optional(
      Type.Record(Type.String(), Type.Union([Type.String(), Type.Number(), Type.Boolean()]), {
        description: 'Parameters by name.',
      }),
    ),
  },
  { additionalProperties: false },
)

export type AgentEntry = Static<typeof AgentEntry>

export const modes = ['sequential', 'parallel'] as const

const fields = {
  label,
  description,
  version,
  category,
  tags,
  mode: Type.Optional(
    Type.Enum([...modes], {
      description:
        '`sequential`: each agent starts after the previous one and works on its content. `parallel`: all agents start at once on the same content. Default: sequential.',
    }),
  ),
  agents: Type.Array(Type.Union([agentId, AgentEntry]), {
    minItems: 1,
    maxItems: 100,
    description: 'Agents in order: ids, or objects with options.',
  }),
}

export const NewWorkflow = Type.Object(
  {
    id: Type.Optional(Type.Unsafe<string>({ ...id, description: 'Default: derived from the label.' })),
    ...fields,
  },
  { additionalProperties: false },
)

export const ChangedWorkflow = Type.Object(
  {
    ...fields,
    expected_version: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 2_147_483_647,
        description:
          'The revision the change was made on. If it is no longer the current one, nothing is saved (409).',
      }),
    ),
  },
  { additionalProperties: false },
)

export type WorkflowFields = Omit<Static<typeof ChangedWorkflow>, 'expected_version'>
