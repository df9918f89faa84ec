import { Link } from '@tanstack/react-router'
import { useApi } from '../../api/api-context.ts'
import { useApiQuery } from '../../api/use-api-query.ts'
import { useMay } from '../../api/use-may.ts'
import { FailureNotice } from '../../parts/FailureNotice.tsx'
import { Page } from '../../parts/Page.tsx'
import { Section } from '../../parts/Section.tsx'
import { Skeleton } from '../../parts/Skeleton.tsx'
import { type Column, Table } from '../../parts/Table.tsx'
import '../../theme/mantine-form.css'
import { NearLimits } from './NearLimits.tsx'
import styles from './SettingsPage.module.css'
import { SettingsSection } from './SettingsSection.tsx'
import { type Setting, type Settings, settingsQuery } from './settings-query.ts'
import { TestNotification } from './TestNotification.tsx'

const title = 'Platform settings'

/** Settings of the whole platform that apply without a restart. */
export function SettingsPage() {
  const { data, failure, refetch } = useApiQuery(settingsQuery(useApi()))
  const mayAdministerUsers = useMay('administer users')
  if (data === undefined) {
    return (
      <Page title={title}>
        {failure === null ? (
          <Section title="Settings">
            <div className={styles['section']}>
              <Skeleton width={320} />
            </div>
          </Section>
        ) : (
          <FailureNotice
            what="The settings could not be loaded."
            error={failure}
            onRetry={() => void refetch()}
          />
        )}
      </Page>
    )
  }
  const of = (section: Setting['section']) =>
    data.settings
      .filter((setting) => setting.section === section)
      // Channels and recipients come before webhooks, which are configured on a page of their own.
      .toSorted((one, other) => Number(isOfWebhooks(one)) - Number(isOfWebhooks(other)))
  const isPublic = of('status').some(({ value }) => value === 'true')
  return (
    <Page
      title={title}
      lead="Changes apply at once, on every replica. A variable of the environment wins over a value set here."
    >
      <SettingsSection
        title="Models"
        about={
          <>
            Providers, their keys and prices are under <Link to="/providers">Providers</Link>.
          </>
        }
        settings={of('models')}
      />
      <SettingsSection
        title="Budgets and tiers"
        about={
          <>
            The tier of an account is set under <Link to="/users">Users</Link>, budgets of keys under{' '}
            <Link to="/api-keys">API keys</Link>.
          </>
        }
        settings={of('tiers')}
      >
        <TierTable tiers={data.tiers} />
      </SettingsSection>
      {mayAdministerUsers ? <NearLimits /> : null}
      <SettingsSection
        title="Notifications"
        about="Mail and Slack messages about finished runs, human tasks and incidents."
        settings={of('notifications')}
      >
        <TestNotification />
      </SettingsSection>
      <SettingsSection
        title="Status page"
        about={
          isPublic ? (
            <>
              Everybody can open <a href="/status">the status page</a>.
            </>
          ) : (
            'The status page is off: visitors see only that.'
          )
        }
        settings={of('status')}
      />
      <SettingsSection
        title="Retention"
        about="How long data is kept. A shorter time deletes older data within the hour."
        settings={of('retention')}
      />
      <SettingsSection title="Tours" settings={of('tours')} />
    </Page>
  )
}

function isOfWebhooks({ name }: Setting): boolean {
  return name === 'TUTTI_WEBHOOK_DISABLE_AFTER'
}

type Tier = Settings['tiers'][number]

const tierColumns: ReadonlyArray<Column<Tier>> = [
  { title: 'Tier', value: ({ name }) => name, cell: ({ name }) => name },
  {
    title: 'Requests per hour',
    value: ({ requests_per_hour: limit }) => limit,
    numeric: true,
    cell: ({ requests_per_hour: limit }) => limit.toLocaleString(),
  },
  {
    title: 'Concurrent workflows',
    value: ({ concurrent_workflows: limit }) => limit,
    numeric: true,
    cell: ({ concurrent_workflows: limit }) => limit.toLocaleString(),
  },
  {
    title: 'Dollars per day',
    value: ({ dollars_per_day: limit }) => limit,
    numeric: true,
    cell: ({ dollars_per_day: limit }) => limit.toLocaleString(),
  },
]

function TierTable({ tiers }: { tiers: readonly Tier[] }) {
  if (tiers.length === 0) return null
  return (
    <Table label="Tiers" hasFilter={false} columns={tierColumns} rows={tiers} rowKey={({ name }) => name} />
  )
}
