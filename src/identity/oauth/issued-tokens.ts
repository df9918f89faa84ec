import { decodeJwt } from 'jose'
import type { Database } from '#kernel/database'
import { Failure } from '#kernel/errors'
import type { Origin } from '../security-events.ts'
import type { AccessToken, AccessTokens } from '../tokens/access-tokens.ts'
import type { EndSignIns } from '../tokens/end-sign-ins.ts'
import { audience } from '../tokens/issuer.ts'
import type { Revocations } from '../tokens/revocations.ts'
import { findTokenHolder } from '../tokens/token-holder.ts'
import type { Records, StoredRecord } from './records.ts'

/** The introspection response of RFC 7662. */
type TokenState =
  | { readonly active: false }
  | {
      readonly active: true
      readonly client_id?: string
      readonly username?: string
      readonly scope?: string
      readonly token_type?: 'bearer'
      readonly sub: string
      readonly aud: string
      readonly iss?: string
      readonly jti?: string
      readonly iat?: number
      readonly exp: number
    }

/** Introspects and revokes access and refresh tokens. */
export interface IssuedTokens {
  /** With a client id, tokens of other clients are reported as inactive. */
  inspect(token: string, clientId: string | undefined): Promise<TokenState>
  /** Ends the grant of the token. False for a token of another client; true for an unknown token, as RFC 7009 requires. */
  revoke(token: string, clientId: string, origin: Origin): Promise<boolean>
}

const inactive = { active: false } as const

/** Longer than any valid token. */
const maxTokenLength = 8192

/** The account of a refresh token, while its grant is valid and the account is enabled. */
const holderStatement = `
  select account.username
  from identity_oauth_records as granted
  join identity_users as account on account.id = granted.user_id and account.disabled_at is null
  where granted.model = 'Grant' and granted.grant_id = $1 and granted.expires_at > now()
`

export function createIssuedTokens({
  database,
  records,
  accessTokens,
  revocations,
  endSignIns,
}: {
  readonly database: Database
  readonly records: Records
  readonly accessTokens: AccessTokens
  readonly revocations: Revocations
  readonly endSignIns: EndSignIns
}): IssuedTokens {
  async function readAccessToken(token: string): Promise<AccessToken | undefined> {
    if (token.split('.').length !== 3) return undefined
    return await accessTokens.verify(token).catch((error: unknown) => {
      if (error instanceof Failure && error.status === 401) return undefined
      throw error
    })
  }

  async function describeAccessToken(token: string, read: AccessToken): Promise<TokenState> {
    const holder = await findTokenHolder(database, read)
    if (holder === undefined) return inactive
    const { username, scopes } = holder.principal
    const { iss, jti, iat } = decodeJwt(token)
    return {
      active: true,
      ...(read.clientId !== null && { client_id: read.clientId }),
      ...(username !== null && { username }),
      ...(scopes !== 'all' && { scope: [...scopes].join(' ') }),
      token_type: 'bearer',
      sub: read.subject,
      aud: audience,
      ...(iss !== undefined && { iss }),
      ...(jti !== undefined && { jti }),
      ...(iat !== undefined && { iat }),
      exp: Math.floor(read.expiresAt.getTime() / 1000),
    }
  }

  async function describeRefreshToken(record: StoredRecord): Promise<TokenState> {
    const [holder] = await database.query<{ username: string }>(holderStatement, [record.grant_id])
    if (holder === undefined || record.consumed || record.user_id === null) return inactive
    const { scope } = record.payload
    return {
      active: true,
      ...(record.client_id !== null && { client_id: record.client_id }),
      username: holder.username,
      ...(typeof scope === 'string' && { scope }),
      sub: record.user_id,
      aud: audience,
      iat: Math.floor(record.created_at.getTime() / 1000),
      exp: Math.floor(record.expires_at.getTime() / 1000),
    }
  }

  return {
    async inspect(token, clientId) {
      if (token.length > maxTokenLength) return inactive
      const mine = (owner: string | null) => clientId === undefined || owner === clientId
      const read = await readAccessToken(token)
      if (read !== undefined) return mine(read.clientId) ? await describeAccessToken(token, read) : inactive
      const record = await records.find('RefreshToken', token)
      return record !== undefined && mine(record.client_id) ? await describeRefreshToken(record) : inactive
    },

    async revoke(token, clientId, origin) {
      if (token.length > maxTokenLength) return true
      const read = await readAccessToken(token)
      const record = read === undefined ? await records.find('RefreshToken', token) : undefined
      const owner = read === undefined ? record?.client_id : read.clientId
      if (owner === undefined) return true
      if (owner !== clientId) return false
      const grant = read?.grant ?? record?.grant_id ?? null
      const userId = read?.subject ?? record?.user_id ?? null
      if (grant === null || userId === null) return true
      // A client credentials token is a grant of its own and belongs to no user, so no sign-out is logged.
      if (userId === clientId) await revocations.store(grant)
      else await endSignIns.grant({ grant, userId, by: null, origin })
      return true
    },
  }
}
