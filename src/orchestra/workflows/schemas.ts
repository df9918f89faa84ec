import { type Static, Type } from 'typebox'
import { FlowDefinition } from '#engine'
import { oneLine } from '#kernel/http'
import { flag, freeForm, integer, maybeInteger, maybeText, text, texts } from '../schemas/values.ts'

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

const modes = ['sequential', 'parallel'] as const

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

const listed = {
  id: Type.String(),
  label: text('The display name.'),
  description: text('The description; may be empty.'),
  version: text('The version label of the author, else the revision number.'),
  agents: texts('The agents, in the order of the steps.'),
  mode: Type.Enum([...modes], { description: '`sequential` when no two steps can run in parallel.' }),
  revision: integer('The revision number, from 1.'),
  built_in: flag('Whether the workflow is built-in. Built-in workflows cannot be changed.'),
  category: maybeText('The category.'),
  tags: Type.Array(Type.String()),
  approval_required: flag('Whether every execution requires approval.'),
  created_at: integer('Epoch seconds.'),
  updated_at: integer('Epoch seconds.'),
}

export const WorkflowList = Type.Object({
  workflows: Type.Array(Type.Object(listed)),
  total: integer('Number of workflows on all pages.'),
})

const Step = Type.Object({
  id: Type.String(),
  type: text('`agent`, or another step type.'),
  label: maybeText('The display name.'),
  dependencies: texts('Steps that must finish before it.'),
  agent: maybeText('The agent; null for other step types.'),
  agent_version: maybeInteger('Null: the current version when the step starts.'),
  input: maybeText('The input template.'),
  instructions: maybeText('Additional instructions.'),
  parameters: freeForm('Parameters by name.'),
})

export const WholeWorkflow = Type.Object({
  ...listed,
  steps: Type.Array(Step),
  required_inputs: texts('Paths that the context of an execution must have.'),
})

export const SavedWorkflow = Type.Object({
  success: Type.Boolean(),
  status: Type.Enum(['created', 'updated', 'unchanged']),
  workflow: WholeWorkflow,
})

export const DeletedWorkflow = Type.Object({
  success: Type.Boolean(),
  workflow_id: Type.String(),
  status: Type.Enum(['deleted']),
  executions_under_way: integer('Running and queued executions of it; they continue.'),
})
