import { ActionIcon, Button, SegmentedControl } from '@mantine/core'
import IconRefresh from '@tabler/icons-react/dist/esm/icons/IconRefresh.mjs'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { Suspense, useCallback, useMemo } from 'react'
import { apiKeysQuery } from '../../api/access-queries.ts'
import { useApi } from '../../api/api-context.ts'
import { useApiQuery } from '../../api/use-api-query.ts'
import { EmptyState } from '../../parts/EmptyState.tsx'
import { FailureNotice } from '../../parts/FailureNotice.tsx'
import { Page } from '../../parts/Page.tsx'
import { Section, Surface } from '../../parts/Section.tsx'
import { apiReferencePath } from '../../shell/pages.ts'
import { useTimedText } from '../../time/clock.ts'
import { BudgetMeter } from './BudgetMeter.tsx'
import { Calls } from './Calls.tsx'
import { withAccount, withBy, withFilter, withoutCall, withoutKey, withRange } from './change-search.ts'
import { KeyBudgets } from './KeyBudgets.tsx'
import { dayOf, daysBefore, daysOf, type RangeName, ranges, usualRange } from './ranges.ts'
import { TotalsSummary } from './TotalsSummary.tsx'
import { UsageChart } from './UsageChart.tsx'
import { budgetQuery, callQuery, type UsageRow, type UsageTotals, usageQuery } from './usage-queries.ts'
import type { UsageSearch } from './usage-search.ts'
import '../../theme/mantine-form.css'
import IconX from '@tabler/icons-react/dist/esm/icons/IconX.mjs'
import { profileQuery } from '../../api/queries.ts'
import { describeExactDollars } from '../../parts/describe-amount.ts'
import { RowAction } from '../../parts/RowAction.tsx'
import { type Column, Table } from '../../parts/Table.tsx'
import { lazyPart } from '../../shell/loading/lazy-part.tsx'
import { describeMilliseconds } from '../cluster/node-words.ts'
import { describeProvider } from '../providers/provider-words.ts'
import { AccountName, useAccountName } from './AccountName.tsx'
import { describeTotalCost, describeUnpriced, meanOf } from './call-words.ts'
import styles from './UsagePage.module.css'

const CallDrawer = lazyPart(() => import('./CallDrawer.tsx'))
const route = getRouteApi('/usage')

/** Model usage: totals, days, models, accounts and single calls. */
export function UsagePage() {
  const api = useApi()
  const cache = useQueryClient()
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const { range = usualRange, account, key, measure, model, tag, outcome, call: openId } = search
  // The daily totals have keys and tags, but not together.
  const by = key !== undefined && search.by === 'tag' ? 'model' : (search.by ?? 'model')
  const days = daysOf(range, useTimedText(dayOf))
  const scope = { ...days, account, key }
  const byDay = useApiQuery(usageQuery(api, { ...scope, groupBy: `day,${by}` }))
  const before = useQuery({
    ...usageQuery(api, { ...scope, ...daysBefore(days), groupBy: 'day' }),
    enabled: range !== 'today',
  })
  const byModel = useQuery(usageQuery(api, { ...scope, groupBy: 'provider,model' }))
  const byTag = useQuery({ ...usageQuery(api, { ...scope, groupBy: 'tag' }), enabled: key === undefined })
  const owner = account === undefined ? 'me' : 'all'
  const keys = useQuery({
    ...apiKeysQuery(api, { owner, page: 1 }),
    enabled: by === 'key' || key !== undefined,
  })
  const nameOfKey = (id: string) => keys.data?.data.find((one) => one.id === id)?.name ?? id.slice(0, 8)
  const byAccount = useQuery({
    ...usageQuery(api, { ...scope, groupBy: 'account' }),
    enabled: account === 'all',
  })
  const budget = useQuery(budgetQuery(api))

  const show = useCallback(
    (changes: UsageSearch | ((now: UsageSearch) => UsageSearch), replace = true) =>
      void navigate({
        search: typeof changes === 'function' ? changes : (now) => ({ ...now, ...changes }),
        replace,
        resetScroll: false,
      }),
    [navigate],
  )
  const look = useCallback((id: string | undefined) => show((now) => withAccount(now, id), false), [show])
  const { data: report, failure, refetch } = byDay
  const isUnused = report !== undefined && report.totals.calls === 0 && !byDay.isPlaceholderData

  return (
    <Page
      title="Usage"
      lead="Model calls, tokens and cost. Days and budgets start at midnight UTC."
      aside={
        <ActionIcon
          size={28}
          aria-label="Refresh"
          title="Refresh"
          onClick={() => void cache.invalidateQueries({ queryKey: ['usage'] })}
        >
          <IconRefresh size={16} stroke={1.75} aria-hidden />
        </ActionIcon>
      }
    >
      <UsageTools
        range={range}
        onRange={(value) => show((now) => withRange(now, value))}
        account={account}
        onAccount={look}
        keyName={key === undefined ? undefined : nameOfKey(key)}
        onAllKeys={() => show(withoutKey, false)}
      />
      {report === undefined && failure !== null ? (
        <FailureNotice what="The usage could not be loaded." error={failure} onRetry={() => void refetch()} />
      ) : (
        <>
          <TotalsSummary totals={report?.totals} />
          <BudgetMeter budget={budget.data} />
          {account === undefined ? <KeyBudgets keys={budget.data?.keys ?? []} only={key} /> : null}
          {isUnused ? (
            <Surface>
              <EmptyState
                sentence={emptySentence(account)}
                action={
                  <Button
                    size="compact-sm"
                    variant="default"
                    renderRoot={(props) => <Link to="/playground" {...props} />}
                  >
                    Open playground
                  </Button>
                }
                link={<a href={apiReferencePath}>Open the API reference</a>}
              />
            </Surface>
          ) : (
            <>
              {range === 'today' ? null : (
                <UsageChart
                  report={report}
                  before={before.isPlaceholderData ? undefined : before.data}
                  by={by}
                  hasTags={key === undefined}
                  keyName={nameOfKey}
                  measure={measure}
                  onMeasure={(wanted) => show({ measure: wanted })}
                  onBy={(wanted) => show((now) => withBy(now, wanted))}
                />
              )}
              <ModelUsage rows={byModel.data?.rows} truncated={byModel.data?.truncated === true} />
              {account === 'all' ? (
                <AccountUsage
                  rows={byAccount.data?.rows}
                  truncated={byAccount.data?.truncated === true}
                  onLook={look}
                />
              ) : null}
              <Calls
                filter={{ ...scope, model, tag, outcome }}
                models={[...new Set(byModel.data?.rows.flatMap((row) => row.model ?? []))]}
                tags={byTag.data?.rows.flatMap((row) => row.tag ?? []) ?? []}
                openId={openId}
                onFilter={(filter) => show((now) => withFilter(now, filter))}
                onOpen={(call) => {
                  cache.setQueryData(callQuery(api, call.id, account).queryKey, call)
                  show({ call: call.id }, false)
                }}
              />
            </>
          )}
        </>
      )}
      <Suspense>
        {openId === undefined ? null : (
          <CallDrawer id={openId} account={account} onClose={() => show(withoutCall)} />
        )}
      </Suspense>
    </Page>
  )
}

function emptySentence(account: string | undefined): string {
  if (account === undefined) return 'You made no model calls in this period.'
  return account === 'all'
    ? 'No model calls in this period.'
    : 'This account made no model calls in this period.'
}

interface UsageToolsProps {
  readonly range: RangeName
  readonly onRange: (range: string) => void
  /** The account; the user's own when undefined, all accounts with `all`. */
  readonly account: string | undefined
  readonly onAccount: (account: string | undefined) => void
  /** The name of the only API key; undefined for all keys. */
  readonly keyName: string | undefined
  readonly onAllKeys: () => void
}

/** The filters: days, account and API key. */
function UsageTools({ range, onRange, account, onAccount, keyName, onAllKeys }: UsageToolsProps) {
  return (
    <div className={styles['tools']}>
      <SegmentedControl
        size="xs"
        aria-label="Time range"
        value={range}
        onChange={onRange}
        data={ranges.map(({ name, title }) => ({ value: name, label: title }))}
      />
      <WhoseUsage account={account} onChange={onAccount} />
      {keyName === undefined ? null : (
        <Button
          size="compact-sm"
          variant="default"
          rightSection={<IconX size={14} aria-hidden />}
          aria-label={`API key: ${keyName}. Show the usage of all keys`}
          onClick={onAllKeys}
        >
          API key: {keyName}
        </Button>
      )}
    </div>
  )
}

interface WhoseUsageProps {
  readonly account: string | undefined
  readonly onChange: (account: string | undefined) => void
}

/** The account filter: the user's own; for administrators of models also all accounts, or a single other one. */
function WhoseUsage({ account, onChange }: WhoseUsageProps) {
  const { data: profile } = useQuery(profileQuery(useApi()))
  if (profile?.permissions.includes('administer llm') !== true) return null
  if (account !== undefined && account !== 'all') {
    return <AccountFilter id={account} onClear={() => onChange('all')} />
  }
  return (
    <SegmentedControl
      size="xs"
      aria-label="Whose usage"
      value={account ?? 'me'}
      onChange={(value) => onChange(value === 'all' ? 'all' : undefined)}
      data={[
        { value: 'me', label: 'My usage' },
        { value: 'all', label: 'Everyone’s usage' },
      ]}
    />
  )
}

function AccountFilter({ id, onClear }: { id: string; onClear: () => void }) {
  const name = useAccountName(id)
  return (
    <Button
      size="compact-sm"
      variant="default"
      rightSection={<IconX size={14} aria-hidden />}
      aria-label={`Account: ${name}. Show everyone’s usage`}
      onClick={onClear}
    >
      Account: {name}
    </Button>
  )
}

const count = (title: string, valueOf: (row: UsageRow) => number, minor = false): Column<UsageRow> => ({
  title,
  value: valueOf,
  numeric: true,
  minor,
  placeholderWidth: 40,
  cell: (row) => valueOf(row).toLocaleString(),
})

const amounts: ReadonlyArray<Column<UsageRow>> = [
  count('Calls', ({ calls }) => calls),
  count('Failed', ({ failures }) => failures, true),
  count('Tokens in', ({ input_tokens }) => input_tokens),
  count('Tokens out', ({ output_tokens }) => output_tokens),
]

const cost: Column<UsageRow> = {
  title: 'Cost',
  value: ({ micro_dollars: amount }) => amount,
  numeric: true,
  placeholderWidth: 56,
  cell: (row) => <CostCell totals={row} />,
}

const modelColumns: ReadonlyArray<Column<UsageRow>> = [
  { title: 'Model', value: ({ model = '' }) => model, placeholderWidth: 120, cell: ({ model }) => model },
  {
    title: 'Provider',
    value: ({ provider = '' }) => describeProvider(provider),
    minWidth: 64,
    minor: true,
    placeholderWidth: 56,
    cell: ({ provider = '' }) => describeProvider(provider),
  },
  ...amounts,
  {
    title: 'First token',
    value: ({ first_token_ms_sum: sum, first_token_count: times }) => meanOf(sum, times) ?? null,
    numeric: true,
    minor: true,
    placeholderWidth: 40,
    cell: ({ first_token_ms_sum, first_token_count }) => {
      const mean = meanOf(first_token_ms_sum, first_token_count)
      return mean === undefined ? '–' : describeMilliseconds(mean)
    },
  },
  cost,
]

interface TableProps {
  readonly rows: readonly UsageRow[] | undefined
  /** There are more rows than these. */
  readonly truncated: boolean
}

/** Usage by model, most expensive first. */
function ModelUsage({ rows, truncated }: TableProps) {
  return (
    <Section title="By model" note={noteOf(rows, truncated)}>
      <Table
        label="Usage by model"
        name="models"
        columns={modelColumns}
        rows={rows}
        total={truncated ? Number.POSITIVE_INFINITY : undefined}
        rowKey={({ provider, model }) => `${provider}/${model}`}
        placeholderRows={3}
      />
    </Section>
  )
}

const accountName: Column<UsageRow> = {
  title: 'Account',
  placeholderWidth: 96,
  cell: ({ account = '' }) => <AccountName id={account} />,
}

function lookColumn(onLook: (id: string) => void): Column<UsageRow> {
  return {
    title: 'Filter by this account',
    numeric: true,
    quiet: true,
    placeholderWidth: 64,
    cell: ({ account = '' }) => <LookButton id={account} onLook={onLook} />,
  }
}

/** Usage by account, most expensive first, for administrators. */
function AccountUsage({ rows, truncated, onLook }: TableProps & { onLook: (id: string) => void }) {
  const columns = useMemo(() => [accountName, ...amounts, cost, lookColumn(onLook)], [onLook])
  return (
    <Section title="By account" note={noteOf(rows, truncated)}>
      <Table
        label="Usage by account"
        name="accounts"
        columns={columns}
        rows={rows}
        total={truncated ? Number.POSITIVE_INFINITY : undefined}
        rowKey={({ account = '' }) => account}
        placeholderRows={3}
      />
    </Section>
  )
}

function LookButton({ id, onLook }: { id: string; onLook: (id: string) => void }) {
  return <RowAction label="Show only" name={useAccountName(id)} onClick={() => onLook(id)} />
}

function noteOf(rows: readonly UsageRow[] | undefined, truncated: boolean): string | undefined {
  if (rows === undefined) return undefined
  return truncated ? `the first ${rows.length.toLocaleString()}` : rows.length.toLocaleString()
}

/** The total cost of calls, with the number of unpriced ones. */
function CostCell({ totals }: { totals: UsageTotals }) {
  const unpriced = totals.unpriced_calls === totals.calls ? undefined : describeUnpriced(totals)
  return (
    <span className={styles['cost']} title={describeExactDollars(totals.micro_dollars)}>
      {describeTotalCost(totals)}
      {unpriced === undefined ? null : <span className={styles['missing']}>{unpriced}</span>}
    </span>
  )
}
