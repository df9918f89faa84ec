import { type Static, Type } from 'typebox'
import { pathSegment } from '../public-api.ts'
import { defineTool, workflowsApi } from './tool.ts'

const nullableText = (description: string) => Type.Union([Type.String(), Type.Null()], { description })

const FlowEntry = Type.Object({
  id: Type.String({ description: 'The flow_id for run_flow and get_flow.' }),
  label: Type.String(),
  description: nullableText('Purpose of the flow.'),
  version: Type.String(),
  category: nullableText('Category of the flow.'),
  tags: Type.Array(Type.String()),
  steps: Type.Integer({ description: 'Number of steps.' }),
  approval_required: Type.Boolean({ description: 'Whether executions need an approval.' }),
})

type FlowFields = Static<typeof FlowEntry>

/** Reduces the API response to the fields that a model needs. */
function pickEntry(flow: FlowFields): FlowFields {
  const { id, label, description, version, category, tags, steps, approval_required } = flow
  return { id, label, description, version, category, tags, steps, approval_required }
}

export const listFlows = defineTool({
  name: 'list_flows',
  title: 'List flows',
  description:
    'Lists the flows of the platform: multi-step AI workflows that run_flow can run. Use search to find one by a word.',
  input: Type.Object(
    {
      search: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: 200,
          description: 'Text in the id, label, description or tags.',
        }),
      ),
      category: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
      tag: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
      limit: Type.Optional(
        Type.Integer({ minimum: 1, maximum: 200, description: 'Flows per page. Default: 50.' }),
      ),
      page: Type.Optional(
        Type.Integer({ minimum: 1, maximum: 1_000_000, description: 'Page number. Default: 1.' }),
      ),
    },
    { additionalProperties: false },
  ),
  output: Type.Object({
    flows: Type.Array(FlowEntry),
    total: Type.Integer({ description: 'Number of flows on all pages.' }),
  }),
  readOnly: true,
  idempotent: true,
  async run(query, { api }) {
    const { flows, total } = await api.call<{ flows: FlowFields[]; total: number }>({
      path: `${workflowsApi}/flows`,
      query,
    })
    return { flows: flows.map(pickEntry), total }
  },
})

const AnyObject = Type.Object({}, { additionalProperties: true })

export const getFlow = defineTool({
  name: 'get_flow',
  title: 'Get a flow',
  description:
    'Returns a flow with its steps and its required_inputs: paths that the context of run_flow must contain.',
  input: Type.Object(
    { flow_id: Type.String({ minLength: 1, maxLength: 200 }) },
    { additionalProperties: false },
  ),
  output: Type.Object({
    ...FlowEntry.properties,
    revision: Type.Integer({ description: 'The flow_version for run_flow.' }),
    required_inputs: Type.Array(Type.String(), {
      description: 'Paths that the context must contain, such as content or metadata.language.',
    }),
    flow_definition: AnyObject,
  }),
  readOnly: true,
  idempotent: true,
  async run({ flow_id }, { api }) {
    const flow = await api.call<
      FlowFields & { revision: number; required_inputs: string[]; flow_definition: Record<string, unknown> }
    >({ path: `${workflowsApi}/flows/${pathSegment(flow_id)}` })
    const { revision, required_inputs, flow_definition } = flow
    return { ...pickEntry(flow), revision, required_inputs, flow_definition }
  },
})

const ModelEntry = Type.Object({
  id: Type.String({ description: 'Name of the model for requests.' }),
  provider: Type.String(),
  state: Type.String({ description: 'available or unavailable.' }),
  loaded: Type.Boolean({ description: 'Whether a node has it in memory.' }),
  capabilities: Type.Array(Type.String()),
  context_length: Type.Union([Type.Integer(), Type.Null()]),
})

type ModelFields = Static<typeof ModelEntry>

export const listModels = defineTool({
  name: 'list_models',
  title: 'List models',
  description: 'Lists the models that flows of this platform can use, and whether each is available.',
  input: Type.Object(
    {
      available: Type.Optional(
        Type.Boolean({ description: 'True: only available models; false: only unavailable ones.' }),
      ),
    },
    { additionalProperties: false },
  ),
  output: Type.Object({ models: Type.Array(ModelEntry), total: Type.Integer() }),
  readOnly: true,
  idempotent: true,
  async run({ available }, { api }) {
    const { data } = await api.call<{ data: ModelFields[] }>({ path: '/api/v1/models' })
    const models = data
      .filter(({ state }) => available === undefined || (state === 'available') === available)
      .map(({ id, provider, state, loaded, capabilities, context_length }) => {
        return { id, provider, state, loaded, capabilities, context_length }
      })
    return { models, total: models.length }
  },
})
