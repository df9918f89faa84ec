import { Type } from 'typebox'
import {
  agentStatuses,
  categories,
  GivenAgentDefinition,
  inputTypes,
  outputFormats,
} from '../../agents/definition.ts'
import { flag, freeForm, integer, maybeNumber, maybeText, number, text, texts } from '../../schemas/values.ts'

const PerformanceMetrics = Type.Object(
  {
    average_cost: maybeNumber('Dollars for a run, over 30 days; null when nothing ran.'),
    success_rate: maybeNumber('Percent of the runs of 30 days; null when nothing ran.'),
    average_duration: maybeNumber('Seconds of the runs of 30 days that succeeded; null when none did.'),
    executions_24h: integer('Runs of the last 24 hours.'),
    user_rating: maybeNumber('1 to 5, the mean of what people gave; null when nobody did.'),
    last_updated: integer('When these numbers were read, in epoch seconds.'),
  },
  { description: 'What was measured.' },
)

const agentFields = {
  id: text('Names the agent.'),
  label: text('What people call it.'),
  description: text('What it is for.'),
  category: Type.Enum([...categories]),
  status: Type.Enum([...agentStatuses], { description: 'Only an active one works.' }),
  version: text('The number of its version, as steps name it: `1`, and one more with each save.'),
  capabilities: texts('What it can do.'),
  supported_languages: texts('Codes of languages; `*` is any.'),
  input_types: Type.Array(Type.Enum([...inputTypes])),
  output_format: Type.Enum([...outputFormats]),
  configuration: Type.Object({
    supports_streaming: flag('Whether its text comes as it is written.'),
    max_input_length: integer('Characters.'),
    timeout: integer('Seconds for one try.'),
    retry_limit: integer('How often a model is asked again.'),
  }),
  performance_metrics: Type.Union([PerformanceMetrics, Type.Null()], {
    description: 'Null unless `include_metrics` asks for them.',
  }),
  pricing: Type.Object(
    {
      base_cost: number('Dollars for a result.'),
      per_token: number('Dollars for a token of the model.'),
      bulk_discount: number('Share that is taken off for items of a batch.'),
      enterprise_rate: number('Factor for accounts of the tier enterprise.'),
    },
    { description: 'What it costs besides the model.' },
  ),
  model: Type.Union(
    [
      Type.Object({
        provider: text('Who would be asked now.'),
        id: text('The model that would be asked now.'),
        input_cost: maybeNumber('Dollars for a million tokens in; null when nobody knows.'),
        output_cost: maybeNumber('Dollars for a million tokens out; null when nobody knows.'),
      }),
      Type.Null(),
    ],
    { description: 'The model it would ask now, with its price; null when it asks none, or nobody has it.' },
  ),
  works_without_model: flag('Whether it has a result where there is no language model.'),
  built_in: flag('Whether it comes with the platform: it can be copied and switched off, not changed.'),
  owner_id: maybeText('The account that made it; null for those that come with the platform.'),
  created_at: integer('Epoch seconds.'),
  updated_at: integer('Epoch seconds.'),
}

const AgentEntry = Type.Object(agentFields, { description: 'An agent.' })

export const AgentList = Type.Object(
  {
    agents: Type.Array(AgentEntry),
    total: integer('How many agents there are, on all pages.'),
    categories: Type.Array(
      Type.Object({
        id: Type.Enum([...categories]),
        label: text('For people.'),
        count: integer('How many agents it has, whichever category was asked for.'),
      }),
      { description: 'Every category.' },
    ),
    filters_applied: Type.Object({
      category: maybeText('Null: any.'),
      status: maybeText('Null: any.'),
      include_metrics: flag('Whether what was measured is told.'),
      sort: text('What they are ordered by.'),
    }),
    pagination: Type.Object({
      page: integer('From 1.'),
      per_page: integer('Most on a page.'),
      total_pages: integer('How many there are; 0 without agents.'),
    }),
  },
  { description: 'A page of agents.' },
)

export const WholeAgent = Type.Object(
  {
    ...agentFields,
    revision: integer('The same as `version`, as a number.'),
    current_revision: integer('The version that works when a step names none.'),
    agent_definition: freeForm('The agent as it was saved; `PUT` takes it back.'),
    note: maybeText('What changed, in the words of whoever saved it.'),
    saved_at: integer('When this version was saved, in epoch seconds.'),
    saved_by: maybeText('The account that saved it; null for the platform itself.'),
  },
  { description: 'One version of an agent, with everything it does.' },
)

export const AgentVersions = Type.Object(
  {
    agent_id: text('Names the agent.'),
    versions: Type.Array(
      Type.Object({
        version: agentFields.version,
        revision: integer('The same as a number.'),
        current: flag('Whether it works when a step names none.'),
        label: agentFields.label,
        note: maybeText('What changed, in the words of whoever saved it.'),
        saved_at: integer('Epoch seconds.'),
        saved_by: maybeText('The account that saved it.'),
      }),
    ),
    total: integer('How many there are, on all pages.'),
  },
  { description: 'A page of versions, the newest first.' },
)

export const SavedAgent = Type.Object(
  {
    success: flag('Always true.'),
    agent_id: text('Names the agent.'),
    status: Type.Enum(['created', 'updated', 'unchanged', 'rolled_back']),
    agent: WholeAgent,
  },
  { description: 'What was saved.' },
)

export const DeletedAgent = Type.Object(
  {
    success: flag('Always true.'),
    agent_id: text('Named the agent.'),
    status: Type.Enum(['deleted']),
    used_by: texts('Workflows that name it, whose executions fail from now on.'),
  },
  { description: 'The agent is gone. What it made stays.' },
)

const note = Type.String({ maxLength: 1000, description: 'What changed, in your words.' })
const status = Type.Enum([...agentStatuses])
const expected = Type.Integer({
  minimum: 1,
  maximum: 2_147_483_647,
  description:
    'The version you made your change on. When it is no longer the current one, nothing is saved (409). The same as `If-Match`.',
})

export const NewAgentBody = Type.Object(
  {
    agent_definition: GivenAgentDefinition,
    status: Type.Optional(status),
    note: Type.Optional(note),
  },
  { additionalProperties: false },
)

export const ChangedAgentBody = Type.Object(
  {
    agent_definition: Type.Optional(GivenAgentDefinition),
    status: Type.Optional(status),
    note: Type.Optional(note),
    expected_version: Type.Optional(expected),
  },
  {
    additionalProperties: false,
    minProperties: 1,
    description: 'The agent as it shall be, whether it works, or both.',
  },
)

export const RollBackBody = Type.Object(
  {
    version: Type.Integer({
      minimum: 1,
      maximum: 2_147_483_647,
      description: 'The version that shall be again.',
    }),
    note: Type.Optional(note),
    expected_version: Type.Optional(expected),
  },
  { additionalProperties: false },
)

export const agentParams = Type.Object({
  id: Type.String({ minLength: 1, maxLength: 200, description: 'The id of the agent.' }),
})
