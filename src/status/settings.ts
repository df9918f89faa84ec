import { defineSettings, refineSetting, type SettingsOf, setting } from '#kernel/config'

/** The environment of status. */
export const statusSettings = defineSettings({
  mcpStdio: setting.flag('TUTTI_MCP_STDIO', {
    about:
      'Whether MCP servers may be programs of this machine: whoever administers them then runs programs here',
    default: false,
  }),
  publicPage: setting.flag('TUTTI_STATUS_PAGE', {
    about: 'Whether everybody may see the status page at `/status` and its feed',
    default: false,
  }),
  notify: refineSetting(
    setting.list('TUTTI_STATUS_NOTIFY', {
      about:
        'Who is told when an incident is opened or closed: addresses, and channels of Slack such as `#ops`; mail and Slack must be set up',
      default: [],
    }),
    readNotifyTargets,
  ),
  qdrantUrl: refineSetting(
    setting.url('TUTTI_QDRANT_URL', ['http:', 'https:'], {
      about: 'Qdrant server that is watched as the vector database, such as `http://127.0.0.1:6333`',
      optional: true,
    }),
    bareAddress,
  ),
  qdrantApiKey: setting.secretText('TUTTI_QDRANT_API_KEY', {
    about: 'Key that Qdrant wants to be shown',
    optional: true,
  }),
  chromaUrl: refineSetting(
    setting.url('TUTTI_CHROMA_URL', ['http:', 'https:'], {
      about: 'Chroma server that is watched as the vector database, such as `http://127.0.0.1:8000`',
      optional: true,
    }),
    bareAddress,
  ),
  chromaToken: setting.secretText('TUTTI_CHROMA_TOKEN', {
    about: 'Token that Chroma wants to be shown',
    optional: true,
  }),
})

export type StatusSettings = SettingsOf<typeof statusSettings>

/** Paths are added to it, and it is shown to people. */
function bareAddress(text: string | undefined): string | undefined {
  if (text === undefined) return undefined
  const { origin, pathname, username, password, search, hash } = new URL(text)
  if (username !== '' || password !== '') throw new Error('must not carry a user name or password')
  if (search !== '' || hash !== '') throw new Error('must not carry a question mark or a hash')
  return `${origin}${pathname.replace(/\/+$/, '')}`
}

/** Somebody who hears of incidents. */
export type NotifyTarget =
  | { readonly kind: 'mail'; readonly to: string }
  | { readonly kind: 'slack'; readonly channel: string }

/** Reads who is to be told: addresses, and channels of Slack that begin with `#`. */
export function readNotifyTargets(entries: readonly string[]): readonly NotifyTarget[] {
  return [...new Set(entries)].map((entry): NotifyTarget => {
    if (/^#[^\s#,]{1,80}$/u.test(entry)) return { kind: 'slack', channel: entry }
    if (/^[^\s@<>",;]{1,64}@[^\s@<>",;]{1,255}$/u.test(entry)) return { kind: 'mail', to: entry }
    throw new Error(
      `has "${entry}", which is neither an address such as ops@example.com nor a channel such as #ops`,
    )
  })
}
