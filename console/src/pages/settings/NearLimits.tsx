import { queryOptions } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type Api, bodyOf } from '../../api/api.ts'
import { useApi } from '../../api/api-context.ts'
import type { paths } from '../../api/schema.generated.ts'
import { useApiQuery } from '../../api/use-api-query.ts'
import { describeDollars } from '../../parts/describe-amount.ts'
import { FailureNotice } from '../../parts/FailureNotice.tsx'
import { Meter } from '../../parts/Meter.tsx'
import { Section } from '../../parts/Section.tsx'
import { Status } from '../../parts/Status.tsx'
import { type Column, Table } from '../../parts/Table.tsx'
import { describeNearness } from '../overview/today/today-words.ts'
import styles from './NearLimits.module.css'

const path = '/api/v1/accounts-near-limit'

type NearLimitsAnswer = paths[typeof path]['get']['responses'][200]['content']['application/json']
type NearAccount = NearLimitsAnswer['accounts'][number]

/** Requests and budgets change all the time. */
const refreshMs = 60_000

function nearLimitsQuery(api: Api) {
  return queryOptions({
    queryKey: ['near-limits'],
    queryFn: ({ signal }) => bodyOf(api.client.GET(path, { signal })),
    refetchInterval: refreshMs,
  })
}

const inDollars = (dollars: number) => describeDollars(Math.round(dollars * 1e6))
const asCount = (count: number) => count.toLocaleString()

const columns: ReadonlyArray<Column<NearAccount>> = [
  {
    title: 'Account',
    minWidth: 120,
    value: ({ username }) => username,
    cell: ({ id, username }) => (
      <Link to="/users" search={{ user: id }}>
        {username}
      </Link>
    ),
  },
  { title: 'Tier', minWidth: 96, value: ({ tier }) => tier, cell: ({ tier }) => tier },
  {
    title: 'Budget today',
    numeric: true,
    minWidth: 144,
    value: ({ budget }) => budget.percentage,
    cell: ({ username, budget }) => <Use label={`Budget of ${username}`} use={budget} describe={inDollars} />,
  },
  {
    title: 'Requests this hour',
    numeric: true,
    minWidth: 144,
    value: ({ requests }) => requests.percentage,
    cell: ({ username, requests }) => (
      <Use label={`Requests of ${username}`} use={requests} describe={asCount} />
    ),
  },
]

/** The accounts that will soon be refused, with the way to change their tier. */
export function NearLimits() {
  const { data, failure, refetch } = useApiQuery(nearLimitsQuery(useApi()))
  if (data === undefined && failure !== null) {
    return (
      <FailureNotice
        what="The accounts near a limit could not be loaded."
        error={failure}
        onRetry={() => void refetch()}
      />
    )
  }
  return (
    <Section title="Accounts near a limit" note={data === undefined ? undefined : describeCoverage(data)}>
      {data?.accounts.length === 0 ? (
        <p className={styles['none']}>
          No account has used 80% of its budget of today or of its requests of this hour.
        </p>
      ) : (
        <Table
          label="Accounts near a limit"
          name="main"
          columns={columns}
          rows={data?.accounts}
          total={data?.total}
          rowKey={({ id }) => id}
          placeholderRows={1}
        />
      )}
    </Section>
  )
}

function describeCoverage({ accounts, total, checked, complete }: NearLimitsAnswer): string | undefined {
  if (!complete) return `${asCount(total)} among ${asCount(checked)} accounts`
  if (total > accounts.length) return `the nearest ${asCount(accounts.length)} of ${asCount(total)}`
  return total === 0 ? undefined : asCount(total)
}

interface UseProps {
  readonly label: string
  readonly use: NearAccount['budget']
  readonly describe: (amount: number) => string
}

/** How much of a limit is used. */
function Use({ label, use: { used, limit }, describe }: UseProps) {
  const words = `${describe(used)} of ${describe(limit)}`
  const near = describeNearness(used, limit)
  return (
    <span className={styles['use']}>
      <span>{words}</span>
      <Meter label={label} words={words} most={limit} spent={used} />
      {near === undefined ? null : <Status {...near} />}
    </span>
  )
}
