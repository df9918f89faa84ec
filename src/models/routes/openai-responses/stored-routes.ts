import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { kernelFailure } from '#kernel/errors'
import type { HttpServer } from '#kernel/http'
import { modelsFailure } from '../../errors.ts'
import type { Item, StoredResponse, StoredResponses } from '../../stored-responses/stored-responses.ts'
import { deletedSchema, inputItemsSchema, storedResponse } from './response-schemas.ts'

/** The scope that creates responses also reads and deletes them. */
const config = { access: { signedIn: true, scope: 'models.generate' } } as const

const params = Type.Object({
  response_id: Type.String({
    pattern: '^[A-Za-z0-9_-]{1,128}$',
    maxLength: 128,
    'x-means': 'must be the id of a response, such as resp_0199',
  }),
})

const include = Type.Optional(
  Type.Unsafe<unknown>({ description: 'Accepted for clients that send it; everything is included.' }),
)

const readQuery = Type.Object({
  stream: Type.Optional(
    Type.Boolean({ description: 'Must be false: events of earlier responses are not stored.' }),
  ),
  include,
})

const pageQuery = Type.Object({
  limit: Type.Integer({ minimum: 1, maximum: 100, default: 20 }),
  order: Type.Enum(['asc', 'desc'], { default: 'desc', description: '`asc` has the first item first.' }),
  after: Type.Optional(
    Type.String({ maxLength: 512, description: 'The id of the last item of the previous page.' }),
  ),
  include,
})

/** The routes that read and delete stored responses. Each account has its own. */
export function addStoredResponseRoutes(
  routes: HttpServer,
  { storedResponses }: { readonly storedResponses: StoredResponses },
): void {
  async function find(principal: FastifyRequest['principal'], id: string): Promise<StoredResponse> {
    const found = await storedResponses.find(accountOf(principal), id)
    if (found === undefined) throw notFound(id)
    return found
  }

  routes.get(
    '/v1/responses/:response_id',
    {
      config,
      schema: {
        operationId: 'readResponse',
        summary: 'Get a response',
        description: 'Returns a stored response of the account.',
        params,
        querystring: readQuery,
        response: { 200: storedResponse },
      },
    },
    async ({ principal, params: { response_id: id }, query }, reply) => {
      if (query.stream === true) {
        const problem = { path: 'stream', message: 'must be false', code: 'unsupported' }
        throw kernelFailure('invalid_input', {
          message: 'stream must be false: the events of earlier responses are not stored.',
          problems: [problem],
        })
      }
      const { response, output } = await find(principal, id)
      await sendAsStored(reply, { ...response, output })
    },
  )

  routes.delete(
    '/v1/responses/:response_id',
    {
      config,
      schema: {
        operationId: 'deleteResponse',
        summary: 'Delete a response',
        description:
          'Deletes a stored response of the account. Responses that continue it cannot be continued.',
        params,
        response: { 200: deletedSchema },
      },
    },
    async ({ principal, params: { response_id: id } }, reply) => {
      if (!(await storedResponses.remove(accountOf(principal), id))) throw notFound(id)
      return reply.header('cache-control', 'no-store').send({ id, object: 'response', deleted: true })
    },
  )

  routes.get(
    '/v1/responses/:response_id/input_items',
    {
      config,
      schema: {
        operationId: 'listResponseInputItems',
        summary: 'List the input items of a response',
        description: 'Returns the items of the request, without those of the responses that it continued.',
        params,
        querystring: pageQuery,
        response: { 200: inputItemsSchema },
      },
    },
    async ({ principal, params: { response_id: id }, query }, reply) => {
      const { input } = await find(principal, id)
      const ordered = query.order === 'asc' ? input : input.toReversed()
      const { data, hasMore } = pageOf(ordered, query)
      return reply.header('cache-control', 'no-store').send({
        object: 'list',
        data: [...data],
        first_id: idOf(data[0]),
        last_id: idOf(data.at(-1)),
        has_more: hasMore,
      })
    },
  )
}

/** A response of a provider may have further fields, which the schema does not describe. */
async function sendAsStored(reply: FastifyReply, response: object): Promise<void> {
  await reply.header('cache-control', 'no-store').type('application/json').send(JSON.stringify(response))
}

function pageOf(
  items: readonly Item[],
  { after, limit }: { readonly after?: string | undefined; readonly limit: number },
): { readonly data: readonly Item[]; readonly hasMore: boolean } {
  const last = after === undefined ? -1 : items.findIndex(({ id }) => id === after)
  if (after !== undefined && last === -1) {
    const problem = { path: 'after', message: 'is no id of an input item', code: 'reference' }
    throw kernelFailure('invalid_input', { message: `after ${problem.message}.`, problems: [problem] })
  }
  const rest = items.slice(last + 1)
  return { data: rest.slice(0, limit), hasMore: rest.length > limit }
}

function idOf(item: Item | undefined): string | null {
  return typeof item?.['id'] === 'string' ? item['id'] : null
}

function accountOf({ id }: FastifyRequest['principal']): string {
  if (id === null) throw kernelFailure('authentication_required')
  return id
}

function notFound(id: string) {
  return modelsFailure('response_not_found', { message: `Response with id "${id}" not found.` })
}
