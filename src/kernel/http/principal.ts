/** Who is asking. The same shape for every way of signing in, so that permissions decide and not the credential. */
export interface Principal {
  /** The account's id, or null for someone who has not signed in. */
  readonly id: string | null
  readonly username: string | null
  readonly method: 'anonymous' | 'session' | 'basic' | 'api_key' | 'token'
  /** Names the session, key or grant that was used, the same for as long as it lives; null where there is none. */
  readonly credential: string | null
  readonly roles: readonly string[]
  /** What the account may do, already narrowed to what a restricted credential reaches. */
  readonly permissions: ReadonlySet<string>
  /** What a restricted credential is limited to; `all` for people and unrestricted keys. */
  readonly scopes: ReadonlySet<string> | 'all'
  readonly tier: string
}

/** Someone who has not signed in and may do nothing but what is open. */
export const nobody: Principal = {
  id: null,
  username: null,
  method: 'anonymous',
  credential: null,
  roles: [],
  permissions: new Set(),
  scopes: 'all',
  tier: 'basic',
}
