import { defineSettings, refineSetting, type SettingsOf, setting } from '#kernel/config'

/** The settings of the status module. */
export const statusSettings = defineSettings({
  mcpStdio: setting.flag('TUTTI_MCP_STDIO', {
    about:
      'Allow MCP servers that are programs on this host. Accounts that administer MCP servers can then run programs here',
    default: false,
  }),
  publicPage: setting.flag('TUTTI_STATUS_PAGE', {
    editable: { section: 'status', label: 'Public status page' },
    about: 'Publish the status page at `/status` and its feed without sign-in',
    default: false,
  }),
  notify: refineSetting(
    setting.list('TUTTI_STATUS_NOTIFY', {
      editable: { section: 'notifications', label: 'Incident recipients' },
      about:
        'Recipients of notifications when an incident is opened or closed: mail addresses and Slack channels such as `#ops`. Mail and Slack must be configured',
      default: [],
    }),
    readNotifyTargets,
  ),
  qdrantUrl: refineSetting(
    setting.url('TUTTI_QDRANT_URL', ['http:', 'https:'], {
      about: 'Address of the Qdrant server to probe as the vector database, such as `http://127.0.0.1:6333`',
      optional: true,
    }),
    bareAddress,
  ),
  qdrantApiKey: setting.secretText('TUTTI_QDRANT_API_KEY', {
    about: 'API key of Qdrant',
    optional: true,
  }),
  chromaUrl: refineSetting(
    setting.url('TUTTI_CHROMA_URL', ['http:', 'https:'], {
      about: 'Address of the Chroma server to probe as the vector database, such as `http://127.0.0.1:8000`',
      optional: true,
    }),
    bareAddress,
  ),
  chromaToken: setting.secretText('TUTTI_CHROMA_TOKEN', {
    about: 'Token of Chroma',
    optional: true,
  }),
})

export type StatusSettings = SettingsOf<typeof statusSettings>

/** Paths are appended to the address and it is shown to administrators, so it has no credentials, query or fragment. */
function bareAddress(text: string | undefined): string | undefined {
  if (text === undefined) return undefined
  const { origin, pathname, username, password, search, hash } = new URL(text)
  if (username !== '' || password !== '') throw new Error('must not contain a user name or password')
  if (search !== '' || hash !== '') throw new Error('must not contain a query or fragment')
  return `${origin}${pathname.replace(/\/+$/, '')}`
}

/** A recipient of incident notifications. */
export type NotifyTarget =
  | { readonly kind: 'mail'; readonly to: string }
  | { readonly kind: 'slack'; readonly channel: string }

/** Parses recipients: mail addresses, and Slack channels that start with `#`. Throws on anything else. */
export function readNotifyTargets(entries: readonly string[]): readonly NotifyTarget[] {
  return [...new Set(entries)].map((entry): NotifyTarget => {
    if (/^#[^\s#,]{1,80}$/u.test(entry)) return { kind: 'slack', channel: entry }
    if (/^[^\s@<>",;]{1,64}@[^\s@<>",;]{1,255}$/u.test(entry)) return { kind: 'mail', to: entry }
    throw new Error(
      `has "${entry}", which is neither a mail address such as ops@example.com nor a Slack channel such as #ops`,
    )
  })
}
