import { Type } from 'typebox'
import type { HttpServer } from '#kernel/http'
import { modelsFailure } from '../../errors.ts'
import { unsupportedFields } from '../../gateway/candidates.ts'
import type { CatalogueEntry } from '../../gateway/catalogue-entry.ts'
import { explainFailure } from '../../gateway/explain-failure.ts'
import { estimateInputTokens } from '../../providers/count-call-tokens.ts'
import { ProviderFailure } from '../../providers/provider-failure.ts'
import type { ProviderRegistry } from '../../providers/registry.ts'
import type { Tokenizer } from '../../providers/tokenizer.ts'
import { callConfig, type GatewayRouteOptions } from '../gateway-options.ts'
import { watchCaller } from '../requests/caller.ts'
import { refuseUnsupportedFields } from '../requests/unsupported-fields.ts'
import { conversationCall, countTokensSchema, nativeMessagesFields } from './request.ts'
import { versionHeaders } from './version-headers.ts'

export interface CountTokensOptions {
  /** The model that a call with this name would use; undefined when there is none. */
  readonly findModel: (name: string) => Promise<CatalogueEntry | undefined>
  readonly providers: ProviderRegistry
  readonly tokenizer: Pick<Tokenizer, 'of'>
}

/** Counts the input tokens of a message. It costs nothing and is not recorded. */
export function addCountTokensRoute(
  routes: HttpServer,
  { findModel, providers, tokenizer, ratePolicy, rules }: GatewayRouteOptions & CountTokensOptions,
): void {
  routes.post(
    '/v1/messages/count_tokens',
    {
      config: { access: callConfig.access, ratePolicy, forwardsBody: true },
      bodyLimit: rules.bodyLimitBytes,
      preValidation: refuseUnsupportedFields({}),
      schema: {
        operationId: 'countMessageTokens',
        summary: 'Count the tokens of a message',
        description:
          'Returns the number of input tokens of a message. Anthropic counts those for its own models; for other models it is an estimate. The request costs nothing.',
        body: countTokensSchema,
        response: { 200: tokenCount },
      },
    },
    async (request, reply) => {
      const { body } = request
      const entry = await findModel(body.model)
      if (entry === undefined) {
        throw modelsFailure('model_not_found', { message: `The model "${body.model}" was not found.` })
      }
      const provider = (await providers.read()).get(entry.provider)?.provider
      void reply.header('cache-control', 'no-store')
      if (provider?.countTokens === undefined) {
        const fields = nativeMessagesFields(body)
        if (fields.length > 0) throw unsupportedFields(entry, fields)
        const counter = tokenizer.of(request.principal.id ?? '')
        return { input_tokens: await estimateInputTokens(counter, conversationCall(body)) }
      }
      const caller = watchCaller(request, reply)
      try {
        const model = entry.model.id
        return await provider.countTokens(
          { model, body, headers: versionHeaders(request.headers) },
          caller.signal,
        )
      } catch (error) {
        if (!(error instanceof ProviderFailure)) throw caller.explain(error)
        throw explainFailure(error, { provider: entry.provider, model: entry.model.id, begun: false })
      }
    },
  )
}

const tokenCount = Type.Object(
  { input_tokens: Type.Integer() },
  { additionalProperties: true, description: 'The number of input tokens.' },
)
