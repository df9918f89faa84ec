import { Type } from 'typebox'
import { Agent, request } from 'undici'
import { createCheck } from '#kernel/checks'
import { type Failure, kernelFailure } from '#kernel/errors'
import { anonymousPrincipal, type KeyLimits, type Principal } from '#kernel/http'
import { clusterFailure } from '../errors.ts'
import { explainConnectionError } from '../probing/failed-probe.ts'
import type { Credential } from './credential.ts'

/** Authenticates callers by requests to a platform in another process. */
export interface PlatformLine extends AsyncDisposable {
  /** Throws a Failure for an invalid credential, and when the platform is unreachable. */
  whoHas(credential: Credential, address: string): Promise<Principal>
}

const timeoutMs = 5000
const maxResponseBytes = 256 * 1024
const maxConnections = 8

const methods: Readonly<Record<Credential['kind'], Principal['method']>> = {
  basic: 'basic',
  bearer: 'token',
  key: 'api_key',
  unknown: 'token',
}

interface Body {
  readonly status: number
  readonly text: string
  readonly retryAfterSeconds: number | undefined
}

/**
 * The requests carry the caller's own credential: the cluster needs no permissions on the platform, and the platform
 * checks every kind of credential. Introspection would need an administrator's key and does not support API keys.
 *
 * | request                    | response                 | the caller                                            |
 * |----------------------------|--------------------------|-------------------------------------------------------|
 * | `GET /api/v1/user/profile` | the account              | has its id and permissions, and the limits of its key |
 * |                            | 401, 403 or 429          | gets the same error                                   |
 * | `GET /api/v1/sessions`     | 200                      | is not restricted: no restricted credential gets that |
 * |                            | 403 with the scopes      | has those scopes, and none of the permissions         |
 * | either                     | none, or something else  | is rejected with 503                                  |
 */
export function openPlatformLine(url: string): PlatformLine {
  const agent = new Agent({
    connections: maxConnections,
    headersTimeout: timeoutMs,
    bodyTimeout: timeoutMs,
    connect: { timeout: timeoutMs },
    maxResponseSize: maxResponseBytes,
  })

  async function requestText(path: string, credential: Credential, address: string): Promise<Body> {
    try {
      const { statusCode, headers, body } = await request(`${url}${path}`, {
        dispatcher: agent,
        signal: AbortSignal.timeout(timeoutMs),
        headers: {
          accept: 'application/json',
          'x-forwarded-for': address,
          ...headersFor(credential),
        },
      })
      const retryAfter = Number(headers['retry-after'])
      return {
        status: statusCode,
        text: await body.text(),
        retryAfterSeconds: Number.isFinite(retryAfter) ? retryAfter : undefined,
      }
    } catch (error) {
      throw unavailable(explainConnectionError(error).message, error)
    }
  }

  return {
    async whoHas(credential, address) {
      const profile = await requestText('/api/v1/user/profile', credential, address)
      const account = profile.status === 200 ? readProfile(profile.text) : undefined
      if (account === undefined) throw refusalOf(profile)
      const scopes = await scopesOf(credential, address)
      return {
        ...anonymousPrincipal,
        id: account.id,
        method: account.key === undefined ? methods[credential.kind] : 'api_key',
        credential: account.key?.id ?? null,
        limits: account.key?.limits,
        scopes,
        // No scope grants a permission of the cluster, so a restricted credential has none here.
        permissions: new Set(scopes === 'all' ? account.permissions : []),
      }
    },
    async [Symbol.asyncDispose]() {
      await agent.destroy()
    },
  }

  async function scopesOf(credential: Credential, address: string): Promise<Principal['scopes']> {
    // A password belongs to a person and has no scopes.
    if (credential.kind === 'basic') return 'all'
    const response = await requestText('/api/v1/sessions?limit=1', credential, address)
    if (response.status === 200) return 'all'
    const scopes = response.status === 403 ? readScopes(response.text) : undefined
    if (scopes === undefined) throw refusalOf(response)
    return new Set(scopes)
  }
}

function headersFor({ kind, value }: Credential): Record<string, string> {
  if (kind === 'key') return { 'x-api-key': value }
  return { authorization: kind === 'unknown' ? value : `${kind} ${value}` }
}

/** Passes on an error about the caller; any other response means that the platform is not usable. */
function refusalOf({ status, text, retryAfterSeconds }: Body): Failure {
  const message = readRefusal(text)
  const passedOn = {
    ...(message !== undefined && { message }),
    ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
  }
  if (status === 401) return kernelFailure('authentication_required', passedOn)
  if (status === 403) return kernelFailure('permission_denied', passedOn)
  if (status === 429) return kernelFailure('too_many_requests', passedOn)
  return unavailable(status === 200 ? 'it did not return an account' : `it answered with status ${status}`)
}

function unavailable(reason: string, cause?: unknown): Failure {
  return clusterFailure('platform_unavailable', {
    retryAfterSeconds: 2,
    cause: new Error(reason, { cause }),
  })
}

const amount = Type.Union([Type.Integer({ minimum: 0 }), Type.Null()])
const profile = createCheck(
  Type.Object({
    id: Type.String({ minLength: 1 }),
    permissions: Type.Array(Type.String()),
    api_key: Type.Optional(
      Type.Object({
        id: Type.String({ minLength: 1 }),
        limits: Type.Union([
          Type.Object({
            models: Type.Union([Type.Array(Type.String()), Type.Null()]),
            micro_dollars_per_day: amount,
            micro_dollars_per_month: amount,
            micro_dollars_total: amount,
            requests_per_minute: amount,
            tokens_per_minute: amount,
          }),
          Type.Null(),
        ]),
      }),
    ),
  }),
)
const failure = createCheck(
  Type.Object({
    error: Type.Object({
      message: Type.String(),
      details: Type.Optional(Type.Object({ scopes: Type.Optional(Type.Array(Type.String())) })),
    }),
  }),
)

/** The fields of an account that the cluster uses. */
interface Account {
  readonly id: string
  readonly permissions: readonly string[]
  /** The API key of the caller. */
  readonly key?: { readonly id: string; readonly limits: KeyLimits | undefined }
}

/** Reads the profile of an account; undefined when it is invalid. */
export function readProfile(text: string): Account | undefined {
  const response = parse(text)
  if (!profile.Check(response)) return undefined
  const { id, permissions, api_key: key } = response
  if (key === undefined) return { id, permissions }
  const { limits } = key
  return {
    id,
    permissions,
    key: {
      id: key.id,
      limits:
        limits === null
          ? undefined
          : {
              models: limits.models ?? undefined,
              microDollarsPerDay: limits.micro_dollars_per_day ?? undefined,
              microDollarsPerMonth: limits.micro_dollars_per_month ?? undefined,
              microDollarsTotal: limits.micro_dollars_total ?? undefined,
              requestsPerMinute: limits.requests_per_minute ?? undefined,
              tokensPerMinute: limits.tokens_per_minute ?? undefined,
            },
    },
  }
}

/** Reads the message of an error; undefined when there is none. */
export function readRefusal(text: string): string | undefined {
  const response = parse(text)
  return failure.Check(response) ? response.error.message : undefined
}

/** Reads the scopes of a refused credential; undefined when the response has none. */
export function readScopes(text: string): readonly string[] | undefined {
  const response = parse(text)
  return failure.Check(response) ? response.error.details?.scopes : undefined
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
