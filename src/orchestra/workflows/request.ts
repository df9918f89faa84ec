import { type Static, Type } from 'typebox'
import { FlowDefinition } from '#engine'
import { oneLine } from '#kernel/http'

const { id, label, description, version, category, tags } = FlowDefinition.properties

const agentId = Type.String({ minLength: 1, maxLength: 64, description: 'An id of `GET /agents`.' })

const AgentEntry = Type.Object(
  {
    agent: agentId,
    id: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 64,
        description: 'Names the step. Default: the id of the agent.',
      }),
    ),
    label: Type.Optional(
      Type.String({ minLength: 1, maxLength: 200, ...oneLine, description: 'What people call the step.' }),
    ),
    agent_version: Type.Optional(
      Type.Integer({ minimum: 1, description: 'Default: whichever is current when the step begins.' }),
    ),
    input: Type.Optional(
      Type.String({
        maxLength: 100_000,
        description:
          'What it works on, with `{{path}}`. Default: `{{content}}`, or in a sequence the last content an agent made.',
      }),
    ),
    instructions: Type.Optional(
      Type.String({
        maxLength: 20_000,
        description:
          'What is asked of it besides, with `{{path}}`; `{{steps.ID}}` is what a step before made.',
      }),
    ),
    parameters: Type.Optional(
      Type.Record(Type.String(), Type.Union([Type.String(), Type.Number(), Type.Boolean()]), {
        description: 'By their names.',
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
        '`sequential`: each begins when the one before has ended, and works on the content made so far. `parallel`: all begin at once, on the same content. Default: sequential.',
    }),
  ),
  agents: Type.Array(Type.Union([agentId, AgentEntry]), {
    minItems: 1,
    maxItems: 100,
    description: 'In their order: ids, or objects that say more.',
  }),
}

/** What `POST /workflows` takes. */
export const NewWorkflow = Type.Object(
  {
    id: Type.Optional(Type.Unsafe<string>({ ...id, description: 'Default: made from the label.' })),
    ...fields,
  },
  { additionalProperties: false },
)

/** What `PUT /workflows/{id}` takes. */
export const ChangedWorkflow = Type.Object(
  {
    ...fields,
    expected_version: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 2_147_483_647,
        description:
          'The revision you made your change on. When it is no longer the current one, nothing is saved (409).',
      }),
    ),
  },
  { additionalProperties: false },
)

export type WorkflowFields = Omit<Static<typeof ChangedWorkflow>, 'expected_version'>
