/** Who is asking. The same shape for every way of signing in, so that permissions decide and not the credential. */
export interface Principal {
  /** The account's id, or null for someone who has not signed in. */
  readonly id: string | null
  readonly username: string | null
  readonly method: 'anonymous' | 'session' | 'basic' | 'api_key' | 'token'
  readonly roles: readonly string[]
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
  roles: [],
  permissions: new Set(),
  scopes: 'all',
  tier: 'basic',
}
