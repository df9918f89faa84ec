import { Failure, type Problem } from '#kernel/errors'
import { clusterFailure } from '../errors.ts'
import { explainConnectionError } from '../probing/failed-probe.ts'

/** An answer of the service that is not the one asked for. */
export interface RefusedAnswer {
  readonly status: number
  readonly text: string
  readonly retryAfterSeconds: number | undefined
}

/** Nobody answered. */
export function unreachable(url: string, error: unknown, timeoutMs: number): Failure {
  const reason = isTimeout(error)
    ? `no answer within ${timeoutMs / 1000} s`
    : explainConnectionError(error).message
  return clusterFailure('cluster_unreachable', {
    message: `The cluster service at ${url} cannot be reached: ${reason}.`,
    retryAfterSeconds: 2,
    cause: error,
  })
}

/** Somebody answered who is no cluster service, or none that we understand. */
export function unusable(url: string, reason: string): Failure {
  return clusterFailure('cluster_unusable', {
    message: `The cluster service at ${url} cannot be used: ${reason}.`,
  })
}

/**
 * | the service answers              | our caller hears                                           |
 * |----------------------------------|------------------------------------------------------------|
 * | 401, 403                         | 502: it is this platform that was refused, not our caller  |
 * | 404 because it has no such path  | 502: it is of another version                              |
 * | any other error in its own shape | the same                                                   |
 * | anything else                    | 502                                                        |
 */
export function toServiceFailure(url: string, { status, text, retryAfterSeconds }: RefusedAnswer): Failure {
  const told = readError(text)
  if (status === 401)
    return unusable(url, 'it wants another key; CLUSTER_API_KEY must be the same here and there')
  if (status === 403)
    return unusable(url, `it refuses this platform${told === undefined ? '' : `: ${told.message}`}`)
  if (status < 400 || told === undefined) return unusable(url, `it answered with status ${status}`)
  if (told.code === 'not_found') return unusable(url, 'it is of another version than this platform')
  const { code, message, details, problems } = told
  return new Failure(
    code,
    { status, message },
    { details, problems, ...(retryAfterSeconds !== undefined && { retryAfterSeconds }) },
  )
}

interface ToldError {
  readonly code: string
  readonly message: string
  readonly details: Readonly<Record<string, unknown>>
  readonly problems: readonly Problem[]
}

function readError(text: string): ToldError | undefined {
  const { error } = Object(parseJson(text)) as { readonly error?: unknown }
  const { code, message, details } = Object(error) as Readonly<Record<string, unknown>>
  if (typeof code !== 'string' || typeof message !== 'string') return undefined
  const { problems, ...others } = Object(details) as Readonly<Record<string, unknown>>
  return {
    code,
    message,
    details: others,
    problems: Array.isArray(problems) ? problems.filter(isProblem) : [],
  }
}

function isProblem(value: unknown): value is Problem {
  const { path, message, code } = Object(value) as Readonly<Record<string, unknown>>
  return [path, message, code].every((text) => typeof text === 'string')
}

/** What a text says as JSON; undefined when it is none. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function isTimeout(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  return error.name === 'TimeoutError' || ('code' in error && error.code === 'UND_ERR_HEADERS_TIMEOUT')
}
