import { randomBytes } from 'node:crypto'
import { Failure, kernelFailure } from '#kernel/errors'
import { type Principal, refuseEncodedBody } from '#kernel/http'
import type { Logger } from '#kernel/telemetry'
import type { KeyLimitCheck } from '../callers/key-limits.ts'
import { canonicalModelName } from '../nodes/model-name.ts'
import { canContinue } from '../requests/continuation.ts'
import type { Exchange } from '../requests/exchange.ts'
import { createHeaderFilter } from '../requests/passed-headers.ts'
import type { Requests } from '../requests/requests.ts'
import type { Work } from '../requests/work.ts'
import type { RequestRules } from '../settings.ts'
import { prefersNative } from '../translation/compatible-request.ts'
import { createClientReceiver } from './client-receiver.ts'
import type { DataRequest, DataResponse } from './data-exchange.ts'
import { errorFormatOf, sendFailure } from './error-formats.ts'
import { endsOf, isCharged, type MeterRequest, neverSent, requireOneModel } from './metering.ts'
import { callerOptionsOf, type RequestOptions, readRequestOptions } from './request-options.ts'

export interface DataPathOptions {
  readonly requests: Requests
  readonly rules: RequestRules
  readonly log: Logger
  /** Throws when the caller may not use this path. */
  readonly guard: (request: Pick<DataRequest, 'headers'>) => void
  /** Whether the callers' credentials are forwarded to nodes; otherwise they are for this service. */
  readonly keepCredentials: boolean
  readonly via: string
  readonly closing: AbortSignal
  /** The limits of platform API keys. */
  readonly keyLimits: KeyLimitCheck
  /** Resolves when the models are known. */
  readonly ready: () => Promise<void> | undefined
  /** Charges requests of a platform's accounts. */
  readonly meter: MeterRequest | undefined
}

/** A request of an authenticated caller who may use models. */
export interface Admitted {
  readonly path: string
  readonly caller: Principal
}

export type DataPath = (request: DataRequest, response: DataResponse, admitted: Admitted) => void

const saneId = /^[\w.:-]{1,128}$/

/** Forwards requests to nodes and streams the responses back. Neither is changed or parsed. */
export function createDataPath(options: DataPathOptions): DataPath {
  const { requests, rules, log, guard, keepCredentials, via, closing, keyLimits, ready, meter } = options
  const nextId = createRequestIds()
  const passHeaders = createHeaderFilter({ keepCredentials, via })

  return (request, response, { path, caller: principal }) => {
    const given = request.headers['x-request-id']
    const requestId = typeof given === 'string' && saneId.test(given) ? given : nextId()
    const errorFormat = errorFormatOf(path)
    let exchange: Exchange | undefined
    let isGone = response.isClosed
    let gone: AbortController | undefined

    function fail(thrown: unknown): void {
      if (isGone) return
      const failure = thrown instanceof Failure ? thrown : kernelFailure('internal', { cause: thrown })
      logFailure(failure)
      sendFailure(response, failure, { requestId, errorFormat })
    }

    function logFailure(failure: Failure): void {
      if (failure.code === 'internal') log.error({ err: failure.cause, request: requestId }, failure.message)
      else if (failure.code === 'shutting_down')
        log.info({ code: failure.code, path, request: requestId }, 'request ended by the shutdown')
      else if (failure.status < 500) log.debug({ code: failure.code, request: requestId }, failure.message)
      else log.warn({ code: failure.code, path, request: requestId }, failure.message)
    }

    /** Requests of callers without limits are forwarded at once. */
    function pass(body: Buffer, requestOptions: RequestOptions): void {
      const fields = parse(body)
      const model = readModel(fields)
      if (principal.limits?.models !== undefined) refuseOtherModels(fields)
      const forward = () => {
        if (meter === undefined || !isCharged(principal, requestOptions))
          send({ body, fields, model }, requestOptions)
        else void charge(meter, { body, fields, model }, requestOptions).catch(fail)
      }
      const checking = keyLimits.check(principal, model)
      if (checking === undefined) forward()
      else void forwardIfAllowed(checking, forward)
    }

    async function forwardIfAllowed(
      checking: Promise<Failure | undefined>,
      forward: () => void,
    ): Promise<void> {
      try {
        const refusal = await checking
        if (refusal !== undefined) fail(refusal)
        else if (!isGone) forward()
      } catch (error) {
        fail(error)
      }
    }

    /** Sends the request when its cost is reserved. */
    async function charge(
      reserve: MeterRequest,
      parsed: ParsedRequest,
      requestOptions: RequestOptions,
    ): Promise<void> {
      const { fields, model } = parsed
      gone = new AbortController()
      const metered = await reserve({
        path,
        model: canonicalModelName(model),
        modelAsGiven: model,
        body: requireOneModel(fields),
        caller: principal,
        headers: request.headers,
        signal: gone.signal,
      })
      if (isGone) metered?.settle(neverSent)
      else send({ ...parsed, body: metered?.body ?? parsed.body }, requestOptions, metered?.settle)
    }

    function send(
      { body, fields, model }: ParsedRequest,
      { strategy, session, caller, priority, isFromGateway, mayContinue }: RequestOptions,
      settle?: Work['onEnd'],
    ): void {
      const work: Work = {
        path: request.url,
        headers: passHeaders(withoutCookies(request)),
        body,
        onEnd: endsOf(settle, keyLimits.tokenCounter(principal)),
        requirements: {
          model: canonicalModelName(model),
          modelAsGiven: model,
          strategy,
          session,
          prefix: requests.balancer.prefixOf({ path, model, fields, strategy }),
          prefersNative: path.startsWith('/api/') && prefersNative(path, fields),
        },
        caller,
        priority,
        maxRetries: rules.maxRetries,
        mayContinue: (mayContinue ?? rules.continueStreams) && canContinue(path),
        isFromGateway,
        trace: { traceparent: request.headers['traceparent'], tracestate: request.headers['tracestate'] },
      }
      exchange = requests.begin(work, (resume) =>
        createClientReceiver({
          response,
          requestId,
          errorFormat,
          onDrain: resume,
          onFailure: logFailure,
        }),
      )
    }

    function passWhenReady(body: Buffer, requestOptions: RequestOptions): void {
      const attempt = (): void => {
        if (isGone) return
        try {
          pass(body, requestOptions)
        } catch (error) {
          fail(error)
        }
      }
      const waiting = ready()
      if (waiting === undefined) attempt()
      else void waiting.then(attempt)
    }

    response.onClose((isComplete) => {
      isGone = true
      if (!isComplete) exchange?.cancel()
      gone?.abort(kernelFailure('internal', { message: 'the caller left' }))
    })
    try {
      if (closing.aborted) {
        throw kernelFailure('shutting_down', { retryAfterSeconds: 5, headers: { connection: 'close' } })
      }
      guard(request)
      if (request.method !== 'POST') {
        throw kernelFailure('method_not_allowed', {
          message: `this address answers POST, not ${request.method}`,
          headers: { allow: 'POST' },
        })
      }
      refuseEncodedBody(request.headers)
      const requestOptions = readRequestOptions(request, {
        sessionHeader: rules.sessionHeader,
        ...callerOptionsOf(principal),
      })
      const limitBytes = requestOptions.isFromGateway
        ? Math.max(maxGatewayBodyBytes, rules.bodyLimitBytes)
        : rules.bodyLimitBytes
      // The whole body: another node may need it after the first has failed.
      request.readBody(limitBytes, {
        done: (body) => passWhenReady(body, requestOptions),
        tooLarge: () =>
          fail(
            kernelFailure('body_too_large', {
              message: `the request body is larger than ${limitBytes} bytes`,
            }),
          ),
      })
    } catch (error) {
      fail(error)
    }
  }
}

/** Cookies belong to the browser and the platform; nodes do not use them. */
function withoutCookies({ headers, rawHeaders }: DataRequest): readonly string[] {
  if (headers.cookie === undefined) return rawHeaders
  return rawHeaders.filter((_text, index) => rawHeaders[index - (index % 2)]?.toLowerCase() !== 'cookie')
}

/** Generates ids for requests that arrived without one, unique across processes. */
export function createRequestIds(): () => string {
  const here = randomBytes(12).toString('base64url')
  let count = 0
  return () => {
    count += 1
    return `${here}-${count.toString(36)}`
  }
}

const maxModelName = 512

/** The model named in a body. Throws a failure for the caller when there is none. */
function readModel(request: Fields): string {
  // Older clients call it `name`.
  const model = request['model'] ?? request['name']
  if (model === undefined || model === '') throw invalid('model is required')
  if (typeof model !== 'string' || model.length > maxModelName) throw invalid('model must be a string')
  return model
}

/**
 * Throws for a field that a node could read as the model instead of the checked one: the runtime ignores the case of field names, and some
 * of its paths read `name`.
 */
export function refuseOtherModels(request: Fields): void {
  const names = Object.keys(request).filter((field) => ['model', 'name'].includes(field.toLowerCase()))
  const [first, second] = names
  if (second !== undefined)
    throw invalid(`${second} is a second name of the model, besides ${first}; remove it`)
}

type Fields = Readonly<Record<string, unknown>>

interface ParsedRequest {
  readonly body: Buffer
  readonly fields: Fields
  readonly model: string
}

function parse(body: Buffer): Fields {
  if (body.length === 0) throw invalid('missing request body')
  try {
    const value: unknown = JSON.parse(body.toString('utf8'))
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Fields
  } catch {
    throw invalid('the request body is not valid JSON')
  }
  throw invalid('the request body must be a JSON object')
}

function invalid(message: string) {
  return kernelFailure('invalid_input', { message })
}

/** The gateway bounds the bodies of its calls itself, and MODEL_BODY_LIMIT is at most this. */
const maxGatewayBodyBytes = 268_435_456
