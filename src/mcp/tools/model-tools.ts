import { type Static, Type } from 'typebox'
import { defineTool } from './tool.ts'

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
