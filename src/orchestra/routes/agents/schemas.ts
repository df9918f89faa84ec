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
    average_cost: maybeNumber('Dollars per run over the last 30 days; null without runs.'),
    success_rate: maybeNumber('Percent of the runs of the last 30 days; null without runs.'),
    average_duration: maybeNumber('Seconds per successful run of the last 30 days; null without one.'),
    executions_24h: integer('Runs of the last 24 hours.'),
    user_rating: maybeNumber('Mean rating, 1 to 5; null without ratings.'),
    last_updated: integer('When these numbers were read. Epoch seconds.'),
  },
  { description: 'Statistics of past runs.' },
)

const agentFields = {
  id: text('The id of the agent.'),
  label: text('The display name.'),
  description: text('The purpose of the agent.'),
  category: Type.Enum([...categories]),
  status: Type.Enum([...agentStatuses], { description: 'Only an active agent runs.' }),
  version: text('The version number that steps refer to; it grows by one with each save.'),
  capabilities: texts('Capabilities.'),
  supported_languages: texts('Language codes; `*` is any language.'),
  input_types: Type.Array(Type.Enum([...inputTypes])),
  output_format: Type.Enum([...outputFormats]),
  configuration: Type.Object({
    supports_streaming: flag('Whether its text is streamed.'),
    max_input_length: integer('Characters.'),
    timeout: integer('Timeout of one attempt, in seconds.'),
    retry_limit: integer('Maximum retries of the model call.'),
  }),
  performance_metrics: Type.Union([PerformanceMetrics, Type.Null()], {
    description: 'Null without `include_metrics`.',
  }),
  pricing: Type.Object(
    {
      base_cost: number('Dollars per result.'),
      per_token: number('Dollars per token of the model.'),
      bulk_discount: number('Discount for items of a batch, 0 to 1.'),
      enterprise_rate: number('Price factor for accounts of the enterprise tier.'),
    },
    { description: 'The surcharge for the agent, besides the model.' },
  ),
  model: Type.Union(
    [
      Type.Object({
        provider: text('The provider that would be called now.'),
        id: text('The model that would be called now.'),
        input_cost: maybeNumber('Dollars per million input tokens; null when the price is unknown.'),
        output_cost: maybeNumber('Dollars per million output tokens; null when the price is unknown.'),
      }),
      Type.Null(),
    ],
    {
      description:
        'The model it would call now, with its price; null when it calls none or none is available.',
    },
  ),
  works_without_model: flag('Whether it can run without a language model.'),
  built_in: flag('Whether the agent is built-in: it can be copied and disabled, not changed.'),
  owner_id: maybeText('The account that created it; null for built-in agents.'),
  created_at: integer('Epoch seconds.'),
  updated_at: integer('Epoch seconds.'),
}

const AgentEntry = Type.Object(agentFields, { description: 'An agent.' })

export const AgentList = Type.Object(
  {
    agents: Type.Array(AgentEntry),
    total: integer('Number of agents on all pages.'),
    categories: Type.Array(
      Type.Object({
        id: Type.Enum([...categories]),
        label: text('The display name.'),
        count: integer('Number of agents of this category, whatever the filter.'),
      }),
      { description: 'All categories.' },
    ),
    filters_applied: Type.Object({
      category: maybeText('Null: no filter.'),
      status: maybeText('Null: no filter.'),
      include_metrics: flag('Whether `performance_metrics` are included.'),
      sort: text('The sort order.'),
    }),
    pagination: Type.Object({
      page: integer('From 1.'),
      per_page: integer('Agents per page.'),
      total_pages: integer('Number of pages; 0 without agents.'),
    }),
  },
  { description: 'A page of agents.' },
)

export const WholeAgent = Type.Object(
  {
    ...agentFields,
    revision: integer('The same as `version`, as a number.'),
    current_revision: integer('The version that runs when a step names none.'),
    agent_definition: freeForm('The definition as it was saved; `PUT` accepts it.'),
    note: maybeText('The note of the author about the change.'),
    saved_at: integer('When this version was saved. Epoch seconds.'),
    saved_by: maybeText('The account that saved it; null for the platform.'),
  },
  { description: 'One version of an agent with its definition.' },
)

export const AgentVersions = Type.Object(
  {
    agent_id: text('The id of the agent.'),
    versions: Type.Array(
      Type.Object({
        version: agentFields.version,
        revision: integer('The same as a number.'),
        current: flag('Whether it runs when a step names no version.'),
        label: agentFields.label,
        note: maybeText('The note of the author about the change.'),
        saved_at: integer('Epoch seconds.'),
        saved_by: maybeText('The account that saved it.'),
      }),
    ),
    total: integer('Number of versions on all pages.'),
  },
  { description: 'A page of versions, the newest first.' },
)

export const SavedAgent = Type.Object(
  {
    success: flag('Always true.'),
    agent_id: text('The id of the agent.'),
    status: Type.Enum(['created', 'updated', 'unchanged', 'rolled_back']),
    agent: WholeAgent,
  },
  { description: 'The saved agent.' },
)

export const ValidatedAgent = Type.Object(
  {
    success: flag('Whether the definition is valid.'),
    agent_id: maybeText('The id of the agent; null when it is missing or invalid.'),
    id_taken: flag('Whether an agent with this id exists: `PUT` would save a new version.'),
    validation_results: Type.Object({
      valid: flag('Whether the definition is valid.'),
      errors: Type.Array(
        Type.Object({
          path: text('The path in the definition, such as `parameters.tone.default`.'),
          message: text('The problem.'),
          code: text('The code of the problem.'),
        }),
        { description: 'All problems.' },
      ),
    }),
  },
  { description: 'The result of the validation. Nothing was saved.' },
)

export const DeletedAgent = Type.Object(
  {
    success: flag('Always true.'),
    agent_id: text('The id of the deleted agent.'),
    status: Type.Enum(['deleted']),
    used_by: texts('Workflows that name it; their executions fail from now on.'),
  },
  { description: 'The agent is deleted. Its past outputs stay.' },
)

const note = Type.String({ maxLength: 1000, description: 'A note about the change.' })
const status = Type.Enum([...agentStatuses])
const expected = Type.Integer({
  minimum: 1,
  maximum: 2_147_483_647,
  description:
    'The version the change was made on. If it is no longer the current one, nothing is saved (409). The same as `If-Match`.',
})

export const NewAgentBody = Type.Object(
  {
    agent_definition: GivenAgentDefinition,
    status: Type.Optional(status),
    note: Type.Optional(note),
  },
  { additionalProperties: false },
)

export const ValidatedAgentBody = Type.Object(
  { agent_definition: GivenAgentDefinition },
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
    description: 'A new definition, a new status, or both.',
  },
)

export const RollBackBody = Type.Object(
  {
    version: Type.Integer({
      minimum: 1,
      maximum: 2_147_483_647,
      description: 'The version to roll back to.',
    }),
    note: Type.Optional(note),
    expected_version: Type.Optional(expected),
  },
  { additionalProperties: false },
)

export const agentParams = Type.Object({
  id: Type.String({ minLength: 1, maxLength: 200, description: 'The id of the agent.' }),
})
