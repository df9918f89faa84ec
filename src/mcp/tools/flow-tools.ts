import { type Static, Type } from 'typebox'
import { pieceOf } from '../public-api.ts'
import { defineTool, workflowsApi } from './tool.ts'

const maybeText = (description: string) => Type.Union([Type.String(), Type.Null()], { description })

const FlowEntry = Type.Object({
  id: Type.String({ description: 'What run_flow and get_flow take as flow_id.' }),
  label: Type.String(),
  description: maybeText('What it is for.'),
  version: Type.String(),
  category: maybeText('What kind of flow it is.'),
  tags: Type.Array(Type.String()),
  steps: Type.Integer({ description: 'How many steps it has.' }),
  approval_required: Type.Boolean({ description: 'Whether somebody has to agree before it runs.' }),
})

type FlowFields = Static<typeof FlowEntry>

/** The API tells more of each than a model wants to read. */
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
          description: 'A piece of the id, label, description or tags.',
        }),
      ),
      category: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
      tag: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
      limit: Type.Optional(
        Type.Integer({ minimum: 1, maximum: 200, description: 'Flows on a page. Default: 50.' }),
      ),
      page: Type.Optional(
        Type.Integer({ minimum: 1, maximum: 1_000_000, description: 'From 1. Default: 1.' }),
      ),
    },
    { additionalProperties: false },
  ),
  output: Type.Object({
    flows: Type.Array(FlowEntry),
    total: Type.Integer({ description: 'On all pages.' }),
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

const Anything = Type.Object({}, { additionalProperties: true })

export const getFlow = defineTool({
  name: 'get_flow',
  title: 'Read a flow',
  description:
    'Shows one flow with its steps and with required_inputs: paths that the context given to run_flow must have.',
  input: Type.Object(
    { flow_id: Type.String({ minLength: 1, maxLength: 200 }) },
    { additionalProperties: false },
  ),
  output: Type.Object({
    ...FlowEntry.properties,
    revision: Type.Integer({ description: 'What run_flow takes as flow_version.' }),
    required_inputs: Type.Array(Type.String(), {
      description: 'Paths that the context must have, such as content or metadata.language.',
    }),
    flow_definition: Anything,
  }),
  readOnly: true,
  idempotent: true,
  async run({ flow_id }, { api }) {
    const flow = await api.call<
      FlowFields & { revision: number; required_inputs: string[]; flow_definition: Record<string, unknown> }
    >({ path: `${workflowsApi}/flows/${pieceOf(flow_id)}` })
    const { revision, required_inputs, flow_definition } = flow
    return { ...pickEntry(flow), revision, required_inputs, flow_definition }
  },
})
