import { Type } from 'typebox'
import { kernelFailure } from '#kernel/errors'
import type { HttpServer, KeyLimits, Principal } from '#kernel/http'
import { modelsFailure } from '../../errors.ts'
import { allowedEntries } from '../../gateway/candidates.ts'
import { type ProvidedModel, type ProviderName, providerNames } from '../../providers/provider.ts'
import { callConfig, type GatewayRouteOptions } from '../gateway-options.ts'
import { callHeaders } from '../requests/call-headers.ts'
import { watchCaller } from '../requests/caller.ts'
import { readForwardedHeaders } from '../requests/forwarded-headers.ts'
import { readRequestContext } from '../requests/gateway-request.ts'
import { maxModelNameLength } from '../requests/model-name.ts'
import { refuseUnsupportedFields } from '../requests/unsupported-fields.ts'
import { responseHeaders } from '../responses/response-headers.ts'
import { checkEmbeddingFields } from './check-fields.ts'
import { embeddingRequestSchema } from './embedding-request.ts'
import { discourageRetries } from './errors.ts'
import { logLabels } from './request-labels.ts'
import { embeddingResponse, type ListedModel, modelSchema } from './response-schemas.ts'
import { addOpenAiTextRoutes } from './text-routes.ts'
import { embeddingCall } from './to-model-call.ts'

/** The OpenAI-compatible API under `/v1`. */
export function addOpenAiRoutes(
  routes: HttpServer,
  options: GatewayRouteOptions & { readonly directory: ModelDirectory },
): void {
  options.idempotency.watch(routes)
  addOpenAiModelRoutes(routes, options)
  addOpenAiTextRoutes(routes, options)
  addOpenAiEmbeddingRoute(routes, options)
}

function addOpenAiEmbeddingRoute(routes: HttpServer, options: GatewayRouteOptions): void {
  const { gateway, sessionHeader, accountBudgetOf, ratePolicy, rules } = options
  routes.post(
    '/v1/embeddings',
    {
      config: { ...callConfig, ratePolicy },
      bodyLimit: rules.bodyLimitBytes,
      preValidation: refuseUnsupportedFields({}, checkEmbeddingFields),
      schema: {
        operationId: 'createEmbedding',
        summary: 'Create embeddings',
        description: 'Returns one embedding for each input, as numbers or in base64.',
        headers: callHeaders(sessionHeader),
        body: embeddingRequestSchema,
        response: { 200: embeddingResponse },
      },
    },
    async (request, reply) => {
      const { body } = request
      logLabels(request, body)
      const caller = watchCaller(request, reply)
      try {
        const result = await gateway.embed({
          ...readRequestContext(request, { caller, accountBudgetOf }),
          call: { ...embeddingCall(body), ...readForwardedHeaders(request, options) },
        })
        const { vectors, inputTokens } = result.embeddings
        const encode = body.encoding_format === 'base64' ? toBase64 : toNumbers
        return await reply.headers(responseHeaders(result)).send({
          object: 'list' as const,
          data: vectors.map((vector, index) => ({
            object: 'embedding' as const,
            index,
            embedding: encode(vector),
          })),
          model: result.model,
          usage: inputTokens === null ? null : { prompt_tokens: inputTokens, total_tokens: inputTokens },
        })
      } catch (thrown) {
        throw discourageRetries(reply, caller.explain(thrown))
      }
    },
  )
}

function toNumbers(vector: readonly number[]): number[] {
  return [...vector]
}

function toBase64(vector: readonly number[]): string {
  const bytes = Buffer.alloc(vector.length * 4)
  for (const [index, value] of vector.entries()) bytes.writeFloatLE(value, index * 4)
  return bytes.toString('base64')
}

/** Where the routes find models. */
interface ModelDirectory {
  find(): Promise<readonly { readonly provider: ProviderName; readonly model: ProvidedModel }[]>
}

/** Clients list models before they call one, so either scope is enough. */
const scopes = ['models.read', 'models.generate']
const access = { signedIn: true, anyScope: true } as const

function addOpenAiModelRoutes(
  routes: HttpServer,
  { directory }: { readonly directory: ModelDirectory },
): void {
  routes.get(
    '/v1/models',
    {
      config: { access },
      schema: {
        operationId: 'listOpenAiModels',
        summary: 'List available models',
        description:
          'Returns the models that can be called now, and that the API key allows. Restricted credentials need the scope `models.read` or `models.generate`.',
        response: {
          200: Type.Object(
            { object: Type.Literal('list'), data: Type.Array(modelSchema) },
            { description: 'The available models, ordered by id.' },
          ),
        },
      },
    },
    async ({ principal }, reply) => {
      requireScope(principal)
      const data = await listModels(directory, principal.limits)
      return reply.header('cache-control', 'no-store').send({ object: 'list' as const, data: [...data] })
    },
  )

  routes.get(
    '/v1/models/*',
    {
      config: { access },
      schema: {
        operationId: 'readOpenAiModel',
        summary: 'Get a model',
        description:
          'Returns an available model by its id, which may contain slashes, or by `provider/id`. Restricted credentials need the scope `models.read` or `models.generate`.',
        params: Type.Object({ '*': Type.String({ maxLength: maxModelNameLength }) }),
        response: { 200: modelSchema },
      },
    },
    async ({ principal, params }, reply) => {
      requireScope(principal)
      const requested = params['*']
      const models = await listModels(directory, principal.limits)
      const found =
        models.find(({ id }) => id === requested) ??
        (await findByProvider(directory, requested, principal.limits))
      if (found === undefined) {
        throw modelsFailure('model_not_found', {
          message: `The model "${requested}" was not found or is not available.`,
        })
      }
      return reply.header('cache-control', 'no-store').send(found)
    },
  )
}

/** Each model once. A model id of several providers is listed as `provider/id` for all but the first. */
async function listModels(
  directory: ModelDirectory,
  limits: KeyLimits | undefined,
): Promise<readonly ListedModel[]> {
  const models = new Map<string, ListedModel>()
  const entries = allowedEntries(await directory.find(), limits).filter(({ model }) => model.available)
  const inOrder = entries.toSorted((one, other) => rankOf(one.provider) - rankOf(other.provider))
  for (const { provider, model } of inOrder) {
    const id = models.has(model.id) ? `${provider}/${model.id}` : model.id
    models.set(id, describe(id, model))
  }
  return [...models.values()].toSorted((one, other) => (one.id < other.id ? -1 : 1))
}

async function findByProvider(
  directory: ModelDirectory,
  requested: string,
  limits: KeyLimits | undefined,
): Promise<ListedModel | undefined> {
  const found = allowedEntries(await directory.find(), limits).find(
    ({ provider, model }) => `${provider}/${model.id}` === requested,
  )
  return found?.model.available === true ? describe(requested, found.model) : undefined
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
