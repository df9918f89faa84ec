import { type Static, Type } from 'typebox'
import { schemas } from '#executions-api'
import { type HttpServer, perCaller } from '#kernel/http'
import type { TriggerRoutesOptions } from './manage-routes.ts'

/** Besides the limit of each trigger: guessing URLs and signatures does not slow down other callers. */
const perAddress = perCaller({
  name: 'hooks',
  signedIn: { limit: 600, windowSeconds: 60 },
  anonymous: { limit: 600, windowSeconds: 60 },
})

const Accepted = Type.Object(
  {
    success: schemas.flag('Always true.'),
    execution_id: Type.Optional(schemas.text('The queued execution, of a trigger that runs a flow.')),
    event_id: Type.Optional(schemas.text('The event, of a trigger that sends one.')),
  },
  { description: 'The execution is queued, or the event was sent.' },
)

const HookParams = Type.Object({
  token: Type.String({ maxLength: 200, description: 'The token of the URL.' }),
})

/** The URL that senders call. It reads the body as bytes, which the signature covers. */
export function addHookRoute(
  routes: HttpServer,
  { triggers, prefix }: Pick<TriggerRoutesOptions, 'triggers' | 'prefix'>,
): void {
  routes.register(async (scope: HttpServer) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser<Buffer>('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
    scope.post<{ Params: Static<typeof HookParams> }>(
      `${prefix}/hooks/:token`,
      {
        // Before the body is read: a caller who only guesses URLs sends at most a head.
        onRequest: async ({ params }) => await triggers.requireHook(params.token),
        config: {
          access: { open: 'senders of webhooks have no account; the URL and the signature are checked' },
          ratePolicy: perAddress,
        },
        schema: {
          operationId: 'receiveHook',
          summary: 'Send a request to a trigger',
          description:
            'The URL is part of the response that created the trigger. JSON, form fields or text, up to 1 MiB. A repeated request with the same delivery id gets the first response again.',
          params: HookParams,
          response: {
            200: Type.Unsafe<unknown>({
              description: 'The result, the challenge of Slack, or `ignored` when the filter is false.',
            }),
            202: Accepted,
          },
        },
      },
      async (request, reply) => {
        const { status, body } = await triggers.receive({
          token: request.params.token,
          headers: request.headers,
          body: Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0),
          search: searchOf(request.url),
          closing: request.server.closing,
        })
        reply.header('cache-control', 'no-store')
        return await reply.code(status).send(body)
      },
    )
  })
}

function searchOf(url: string): string {
  const mark = url.indexOf('?')
  return mark === -1 ? '' : url.slice(mark + 1)
}
