import { pipeline, Transform } from 'node:stream'
import { type Failure, kernelFailure } from '#kernel/errors'
import { forgetLongTexts, type HttpServer } from '#kernel/http'
import { isModelCall } from '../gateway-options.ts'

/** Counts the bytes of the bodies of running calls, which stay in memory until the response ends. */
export interface RunningBodies {
  /** Starts to count a body of an account. */
  open(accountId: string): CountedBody
}

interface CountedBody {
  /** Counts these bytes, or returns why they are refused. */
  add(bytes: number): Failure | undefined
  /** The call ended. May be called several times. */
  release(): void
}

export interface BodyLimits {
  /** For one body. */
  readonly bodyLimitBytes: number
  /** For the running calls of one account. */
  readonly accountBodyBytes: number
  /** For all running calls of the process. */
  readonly totalBodyBytes: number
}

/** A larger bound is raised to the smaller one below it, so that a single body always fits. */
export function createRunningBodies(limits: BodyLimits): RunningBodies {
  const maxOfAccount = Math.max(limits.bodyLimitBytes, limits.accountBodyBytes)
  const maxTotal = Math.max(maxOfAccount, limits.totalBodyBytes)
  const byAccount = new Map<string, number>()
  let total = 0

  function change(accountId: string, bytes: number): void {
    total += bytes
    const left = (byAccount.get(accountId) ?? 0) + bytes
    if (left === 0) byAccount.delete(accountId)
    else byAccount.set(accountId, left)
  }

  return {
    open(accountId) {
      let counted = 0
      return {
        add(bytes) {
          if ((byAccount.get(accountId) ?? 0) + bytes > maxOfAccount) return refuseAccount(maxOfAccount)
          if (total + bytes > maxTotal) return refuseAll()
          counted += bytes
          change(accountId, bytes)
          return undefined
        },
        release() {
          change(accountId, -counted)
          counted = 0
        },
      }
    },
  }
}

function refuseAccount(maxBytes: number): Failure {
  return kernelFailure('too_many_requests', {
    message: `The bodies of your running model calls may have ${maxBytes} bytes together. Wait until one of these calls ends, or send a smaller body.`,
    retryAfterSeconds: 1,
  })
}

function refuseAll(): Failure {
  return kernelFailure('overloaded', {
    message: 'The server has no memory left for the body of another model call. Try again shortly.',
    retryAfterSeconds: 1,
  })
}

/**
 * Bounds the memory for the bodies of the calls of an API: before a body is read where its length is given, else while it is read. A body
 * above the limit of one body is left to the server, which refuses it.
 */
export function limitBodies(
  routes: HttpServer,
  bodies: RunningBodies,
  { bodyLimitBytes }: Pick<BodyLimits, 'bodyLimitBytes'>,
): void {
  routes.addHook('preParsing', (request, reply, payload, done) => {
    const length = Number(request.headers['content-length'] ?? 0)
    if (!isModelCall(request) || length > bodyLimitBytes) return done(null, payload)
    const body = bodies.open(request.principal.id ?? '')
    reply.raw.once('close', () => {
      forgetLongTexts(request.body)
      body.release()
    })
    if (request.headers['content-length'] !== undefined) {
      const refusal = body.add(length)
      return refusal === undefined ? done(null, payload) : done(refusal)
    }
    const counter = new Transform({
      transform(chunk: Buffer, _encoding, pass) {
        const refusal = body.add(chunk.length)
        if (refusal === undefined) pass(null, chunk)
        else pass(refusal)
      },
    })
    // The reader of the counter gets its errors.
    pipeline(payload, counter, () => {})
    done(null, counter)
  })
}
