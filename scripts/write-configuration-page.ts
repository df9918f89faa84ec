import type { SettingsGroup } from '#kernel/config'

const titles: Readonly<Record<string, string>> = {
  platform: 'Platform',
  database: 'Database',
  encryption: 'Secrets',
  engine: 'Executions',
  webhooks: 'Webhooks',
  notifications: 'Mail and Slack',
  outbound: 'Calls to the outside',
  identity: 'Identity',
  cluster: 'Cluster',
  models: 'Models',
  tours: 'Tours',
  status: 'Status',
  telemetry: 'Logs and traces',
}

/** Generates the page of all environment variables from the settings. */
export function writeConfigurationPage(parts: Readonly<Record<string, SettingsGroup>>): string {
  const sections = Object.entries(parts).map(([part, group]) =>
    [
      `## ${titles[part] ?? part}`,
      '',
      '| variable | is | default | about |',
      '|---|---|---|---|',
      ...Object.values(group).map(
        ({ variable, kind, defaultText, about, secret, editable }) =>
          `| \`${variable}\` | ${kind}${secret ? ', never shown' : ''}${editable === undefined ? '' : ', ●'} | ${defaultText === undefined || defaultText === '' ? '–' : `\`${defaultText}\``} | ${about} |`,
      ),
    ].join('\n'),
  )
  return [
    '# Configuration',
    'Everything is set through the environment, read once at the start. Settings marked ● can also be changed while the platform runs, under Settings › Platform in the console or over `/api/v1/settings`; the environment wins.\n A wrong value stops the start with one line that names the variable.\nDurations are written like `500ms`, `30s`, `5m`, `2h` or `7d`; a plain number is milliseconds.',
    ...sections,
    'This page is written by `npm run generate`.\n',
  ].join('\n\n')
}
