import { Type } from 'typebox'
import { kernelFailure } from '#kernel/errors'
import type { HttpServer, Principal } from '#kernel/http'
import { modelsFailure } from '../../errors.ts'
import { type ProvidedModel, type ProviderName, providerNames } from '../../providers/provider.ts'
import { longestModelName } from '../asked/model-name.ts'
import { type ListedModel, modelSchema } from './answers.ts'

/** Who has which models. */
export interface ModelDirectory {
  find(): Promise<readonly { readonly provider: ProviderName; readonly model: ProvidedModel }[]>
}

/** Clients look for a model before they ask it, so either scope lets them. */
const scopes = ['models.read', 'models.generate']
const access = { signedIn: true, anyScope: true } as const

/** The models that can be asked now, by the names to ask them by. */
export function addOpenAiModelRoutes(
  routes: HttpServer,
  { directory }: { readonly directory: ModelDirectory },
): void {
  routes.get(
    '/v1/models',
    {
      config: { access },
      schema: {
        operationId: 'listOpenAiModels',
        summary: 'List the models that can be asked',
        description: 'Restricted credentials need the scope `models.read` or `models.generate`.',
        response: {
          200: Type.Object(
            { object: Type.Literal('list'), data: Type.Array(modelSchema) },
            { description: 'By id.' },
          ),
        },
      },
    },
    async ({ principal }, reply) => {
      requireScope(principal)
      const data = await listModels(directory)
      return reply.header('cache-control', 'no-store').send({ object: 'list' as const, data: [...data] })
    },
  )

  routes.get(
    '/v1/models/*',
    {
      config: { access },
      schema: {
        operationId: 'readOpenAiModel',
        summary: 'One model',
        description:
          'By its id, slashes and all, or by `provider/id`. Restricted credentials need the scope `models.read` or `models.generate`.',
        params: Type.Object({ '*': Type.String({ maxLength: longestModelName }) }),
        response: { 200: modelSchema },
      },
    },
    async ({ principal, params }, reply) => {
      requireScope(principal)
      const wanted = params['*']
      const models = await listModels(directory)
      const found = models.find(({ id }) => id === wanted) ?? (await findByProvider(directory, wanted))
      if (found === undefined) {
        throw modelsFailure('model_not_found', {
          message: `The model "${wanted}" is not here, or cannot be asked now.`,
        })
      }
      return reply.header('cache-control', 'no-store').send(found)
    },
  )
}

/** Each once. One that another provider has by the same name is asked by both names together. */
async function listModels(directory: ModelDirectory): Promise<readonly ListedModel[]> {
  const models = new Map<string, ListedModel>()
  const entries = (await directory.find()).filter(({ model }) => model.available)
  const inOrder = entries.toSorted((one, other) => rankOf(one.provider) - rankOf(other.provider))
  for (const { provider, model } of inOrder) {
    const id = models.has(model.id) ? `${provider}/${model.id}` : model.id
    models.set(id, describe(id, model))
  }
  return [...models.values()].toSorted((one, other) => (one.id < other.id ? -1 : 1))
}

async function findByProvider(directory: ModelDirectory, wanted: string): Promise<ListedModel | undefined> {
  const found = (await directory.find()).find(({ provider, model }) => `${provider}/${model.id}` === wanted)
  return found?.model.available === true ? describe(wanted, found.model) : undefined
}

function describe(id: string, { created, ownedBy }: ProvidedModel): ListedModel {
  return { id, object: 'model', created: created ?? 0, owned_by: ownedBy }
}

function rankOf(provider: ProviderName): number {
  return providerNames.indexOf(provider)
}

function requireScope({ scopes: granted }: Principal): void {
  if (granted === 'all' || scopes.some((scope) => granted.has(scope))) return
  throw kernelFailure('insufficient_scope', {
    message: `This credential lacks the scope ${scopes.map((scope) => `"${scope}"`).join(' or ')}.`,
    details: { scope: scopes },
    headers: { 'www-authenticate': `Bearer realm="tutti", error="insufficient_scope", scope="${scopes[0]}"` },
  })
}
