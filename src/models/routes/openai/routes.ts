import type { FastifyReply } from 'fastify'
import { Type } from 'typebox'
import type { HttpServer, KeyLimits } from '#kernel/http'
import { modelsFailure } from '../../errors.ts'
import { allowedEntries } from '../../gateway/allowed-entries.ts'
import type { ProvidedModel } from '../../providers/provider.ts'
import { callConfig, type GatewayRouteOptions } from '../gateway-options.ts'
import { listAccess, listNamedModels, type ModelDirectory, requireListScope } from '../model-directory.ts'
import { callHeaders } from '../requests/call-headers.ts'
import { watchCaller } from '../requests/caller.ts'
import { readForwardedHeaders } from '../requests/forwarded-headers.ts'
import { readRequestContext } from '../requests/gateway-request.ts'
import { maxModelNameLength } from '../requests/model-name.ts'
import { refuseUnsupportedFields } from '../requests/unsupported-fields.ts'
import { responseHeaders } from '../responses/response-headers.ts'
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
      preValidation: refuseUnsupportedFields({}),
      schema: {
        operationId: 'createEmbedding',
        summary: 'Create embeddings',
        description:
          'Returns one embedding for each input, as numbers or in base64. An input is a text, or its tokens of cl100k_base.',
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
        const { vectors, inputTokens, raw } = result.embeddings
        // The response of a provider with this protocol is passed on as it is.
        if (raw !== undefined) return await sendRaw(reply.headers(responseHeaders(result)), raw)
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

async function sendRaw(reply: FastifyReply, body: Buffer): Promise<void> {
  await reply.type('application/json; charset=utf-8').send(body)
}

function toNumbers(vector: readonly number[]): number[] {
  return [...vector]
}

function toBase64(vector: readonly number[]): string {
  const bytes = Buffer.alloc(vector.length * 4)
  for (const [index, value] of vector.entries()) bytes.writeFloatLE(value, index * 4)
  return bytes.toString('base64')
}

function addOpenAiModelRoutes(
  routes: HttpServer,
  { directory }: { readonly directory: ModelDirectory },
): void {
  routes.get(
    '/v1/models',
    {
      config: { access: listAccess },
      schema: {
        operationId: 'listOpenAiModels',
        summary: 'List available models',
        description:
          'Returns the models and routes (`owned_by` is `route`) that can be called now, and that the API key allows. Restricted credentials need the scope `models.read` or `models.generate`.',
        response: {
          200: Type.Object(
            { object: Type.Literal('list'), data: Type.Array(modelSchema) },
            { description: 'The available models, ordered by id.' },
          ),
        },
      },
    },
    async ({ principal }, reply) => {
      requireListScope(principal)
      const data = await listModels(directory, principal.limits)
      return reply.header('cache-control', 'no-store').send({ object: 'list' as const, data: [...data] })
    },
  )

  routes.get(
    '/v1/models/*',
    {
      config: { access: listAccess },
      schema: {
        operationId: 'readOpenAiModel',
        summary: 'Get a model',
        description:
          'Returns an available model or route by its id, which may contain slashes, or by `provider/id`. Restricted credentials need the scope `models.read` or `models.generate`.',
        params: Type.Object({ '*': Type.String({ maxLength: maxModelNameLength }) }),
        response: { 200: modelSchema },
      },
    },
    async ({ principal, params }, reply) => {
      requireListScope(principal)
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

async function listModels(
  directory: ModelDirectory,
  limits: KeyLimits | undefined,
): Promise<readonly ListedModel[]> {
  return (await listNamedModels(directory, limits)).map(({ name, model }) => describe(name, model))
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
