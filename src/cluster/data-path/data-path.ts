import type { IncomingMessage, ServerResponse } from 'node:http'
import { Failure, kernelFailure } from '#kernel/errors'
import { type Principal, refuseEncodedBody } from '#kernel/http'
import type { Logger } from '#kernel/telemetry'
import { accountOf } from '../callers/callers.ts'
import { canonicalModelName } from '../nodes/model-name.ts'
import type { Exchange, Work } from '../requests/exchange.ts'
import { createHeaderFilter } from '../requests/passed-headers.ts'
import type { Requests } from '../requests/requests.ts'
import type { RequestRules } from '../settings.ts'
import { createClientReceiver } from './client-receiver.ts'
import { readBody } from './read-body.ts'
import { readModel } from './read-model.ts'
import { type CallerWish, readWish } from './read-wish.ts'
import { createRequestIds } from './request-ids.ts'
import { sendFailure } from './send-failure.ts'
import { voiceOf } from './voices.ts'

export interface DataPathOptions {
  readonly requests: Requests
  readonly rules: RequestRules
  readonly log: Logger
  /** Throws when nobody may come in this way. */
  readonly guard: (request: IncomingMessage) => void
  /** Callers' credentials are for the nodes; else they are ours, and stay here. */
  readonly keepCredentials: boolean
  readonly via: string
  readonly closing: AbortSignal
  /** Resolves when it is known which models there are. */
  readonly ready: () => Promise<void> | undefined
}

/** A request whose caller is known, and may use models. */
interface Admitted {
  readonly path: string
  readonly caller: Principal
}

export type DataPath = (request: IncomingMessage, response: ServerResponse, admitted: Admitted) => void

const saneId = /^[\w.:-]{1,128}$/

/** Passes requests on to nodes, and their answers back. Nothing of either is changed, and no answer is read. */
export function createDataPath(options: DataPathOptions): DataPath {
  const { requests, rules, log, guard, keepCredentials, via, closing, ready } = options
  const nextId = createRequestIds()
  const passHeaders = createHeaderFilter({ keepCredentials, via })

  return (request, response, { path, caller: principal }) => {
    const given = request.headers['x-request-id']
    const requestId = typeof given === 'string' && saneId.test(given) ? given : nextId()
    const voice = voiceOf(path)
    let exchange: Exchange | undefined
    let isGone = response.destroyed

    function fail(thrown: unknown): void {
      const failure = thrown instanceof Failure ? thrown : kernelFailure('internal', { cause: thrown })
      tell(failure)
      sendFailure(response, failure, { requestId, voice })
    }

    function tell(failure: Failure): void {
      if (failure.code === 'internal') log.error({ err: failure.cause, request: requestId }, failure.message)
      else if (failure.status < 500) log.debug({ code: failure.code, request: requestId }, failure.message)
      else log.warn({ code: failure.code, path, request: requestId }, failure.message)
    }

    function pass(body: Buffer, wish: CallerWish): void {
      const { strategy, session, caller, priority, isFromGateway } = wish
      const model = readModel(body)
      const work: Work = {
        path: request.url ?? path,
        headers: passHeaders(withoutCookies(request)),
        body,
        wish: { model: canonicalModelName(model), modelAsGiven: model, strategy, session },
        caller,
        priority,
        maxRetries: rules.maxRetries,
        isFromGateway,
      }
      exchange = requests.begin(work, (resume) =>
        createClientReceiver({
          response,
          requestId,
          voice,
          mostIdleMs: rules.stallMs,
          onDrain: resume,
          onFailure: tell,
        }),
      )
    }

    function passWhenReady(body: Buffer, wish: CallerWish): void {
      const attempt = (): void => {
        if (isGone) return
        try {
          pass(body, wish)
        } catch (error) {
          fail(error)
        }
      }
      const waiting = ready()
      if (waiting === undefined) attempt()
      else void waiting.then(attempt)
    }

    response.on('close', () => {
      isGone = true
      if (!response.writableFinished) exchange?.cancel()
    })
    try {
      if (closing.aborted) {
        throw kernelFailure('shutting_down', { retryAfterSeconds: 5, headers: { connection: 'close' } })
      }
      guard(request)
      if (request.method !== 'POST') {
        throw kernelFailure('method_not_allowed', {
          message: `this address answers POST, not ${request.method ?? 'this'}`,
          headers: { allow: 'POST' },
        })
      }
      refuseEncodedBody(request.headers)
      const wish = readWish(request, { sessionHeader: rules.sessionHeader, account: accountOf(principal) })
      readBody(request, {
        limitBytes: rules.bodyLimitBytes,
        done: (body) => passWhenReady(body, wish),
        failed: fail,
      })
    } catch (error) {
      fail(error)
    }
  }
}

/** Cookies are between a browser and the platform; no node has any use for them. */
function withoutCookies({ headers, rawHeaders }: IncomingMessage): readonly string[] {
  if (headers.cookie === undefined) return rawHeaders
  return rawHeaders.filter((_text, index) => rawHeaders[index - (index % 2)]?.toLowerCase() !== 'cookie')
}
