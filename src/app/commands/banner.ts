import type { Platform } from '../main.ts'
import type { Role } from '../role.ts'
import { version } from '../version.ts'

export interface BannerOptions {
  readonly role: Role
  readonly startupMs: number
}

/** What a person wants to know once the platform runs: where to go, and how to get in the first time. */
export function writeBanner(platform: Platform, { role, startupMs }: BannerOptions): string {
  const { urls, database, administrator } = platform
  const rows: [label: string, value: string | undefined][] = [
    ['Console', urls.console],
    ['API reference', urls.console === undefined ? undefined : `${urls.console}/docs`],
    ['Model cluster', urls.cluster],
    ['Metrics', `${urls.metrics}/metrics`],
    [
      'Database',
      `PostgreSQL ${database.version}, ${database.kind === 'embedded' ? 'embedded' : 'your server'}`,
    ],
  ]
  const lines = rows.flatMap(([label, value]) =>
    value === undefined ? [] : [`  ${label.padEnd(15)}${value}`],
  )
  if (administrator !== undefined) {
    const { username, generatedPassword } = administrator
    lines.push(
      '',
      generatedPassword === undefined
        ? `  First sign-in  ${username}, with the password of TUTTI_ADMIN_PASSWORD`
        : `  First sign-in  ${username} / ${generatedPassword}   (shown only this once)`,
    )
  }
  const what = role === 'all' ? '' : ` (${role})`
  return [
    '',
    `  Tutti ${version}${what} is ready after ${(startupMs / 1000).toFixed(1)} s`,
    '',
    ...lines,
    '',
    '  Stop with Ctrl-C.',
    '',
  ].join('\n')
}
