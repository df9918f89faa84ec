import type { Entry } from './connection-calls.ts'

/** The kinds a person can add; a secret is a value without a way to send it. */
export type EntryKind = 'secret' | NonNullable<Entry['kind']>

type Settings = NonNullable<Entry['settings']>

/** The form state of a secret or connection: texts as typed. */
export interface ConnectionDraft {
  readonly name: string
  readonly kind: EntryKind
  /** The secret value: value, token, password, key or client secret. Empty keeps the stored one. */
  readonly value: string
  readonly username: string
  readonly keyIn: 'header' | 'query'
  readonly keyName: string
  readonly tokenUrl: string
  readonly clientId: string
  /** Separated by spaces or lines. */
  readonly scopes: string
  readonly audience: string
  readonly clientAuthentication: 'basic' | 'body'
  /** One per line. */
  readonly hosts: string
  readonly shared: boolean
}

export function emptyDraft(kind: EntryKind): ConnectionDraft {
  return {
    name: '',
    kind,
    value: '',
    username: '',
    keyIn: 'header',
    keyName: '',
    tokenUrl: '',
    clientId: '',
    scopes: '',
    audience: '',
    clientAuthentication: 'basic',
    hosts: '',
    shared: false,
  }
}

export function draftOf(entry: Entry): ConnectionDraft {
  const { kind = 'secret', settings = {} } = entry
  return {
    ...emptyDraft(kind),
    name: entry.name,
    username: settings.username ?? '',
    keyIn: settings.in ?? 'header',
    keyName: settings.name ?? '',
    tokenUrl: settings.token_url ?? '',
    clientId: settings.client_id ?? '',
    scopes: (settings.scopes ?? []).join(' '),
    audience: settings.audience ?? '',
    clientAuthentication: settings.client_authentication ?? 'basic',
    hosts: entry.allowed_hosts.join('\n'),
    shared: entry.shared,
  }
}

/** The name of the secret value of each kind in a request. */
export const valueFields = {
  secret: 'value',
  bearer: 'token',
  basic: 'password',
  api_key: 'key',
  oauth2_client_credentials: 'client_secret',
} as const satisfies Record<EntryKind, string>

/** The body of a request, without name and kind. An empty value is left out, which keeps the stored one. */
export function bodyOfDraft(draft: ConnectionDraft) {
  const common = { allowed_hosts: wordsIn(draft.hosts), shared: draft.shared }
  if (draft.kind === 'secret') return { ...common, ...(draft.value === '' ? {} : { value: draft.value }) }
  return {
    ...common,
    settings: settingsOf(draft),
    ...(draft.value === '' ? {} : { credentials: { [valueFields[draft.kind]]: draft.value } }),
  }
}

function settingsOf(draft: ConnectionDraft): Settings {
  if (draft.kind === 'basic') return { username: draft.username.trim() }
  if (draft.kind === 'api_key') return { in: draft.keyIn, name: draft.keyName.trim() }
  if (draft.kind !== 'oauth2_client_credentials') return {}
  const audience = draft.audience.trim()
  const scopes = wordsIn(draft.scopes)
  return {
    token_url: draft.tokenUrl.trim(),
    client_id: draft.clientId.trim(),
    client_authentication: draft.clientAuthentication,
    ...(scopes.length === 0 ? {} : { scopes }),
    ...(audience === '' ? {} : { audience }),
  }
}

function wordsIn(text: string): string[] {
  return text.split(/[\s,]+/).filter((word) => word !== '')
}
