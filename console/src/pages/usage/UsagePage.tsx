import { ActionIcon, Button } from '@mantine/core'
import IconRefresh from '@tabler/icons-react/dist/esm/icons/IconRefresh.mjs'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { lazy, Suspense, useCallback } from 'react'
import { useApi } from '../../api/api-context.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { EmptyState } from '../../parts/EmptyState.tsx'
import { FailureNotice } from '../../parts/FailureNotice.tsx'
import { Page } from '../../parts/Page.tsx'
import { Surface } from '../../parts/Section.tsx'
import { apiReferencePath } from '../../shell/pages.ts'
import { useTimedText } from '../../time/clock.ts'
import { BudgetMeter } from './BudgetMeter.tsx'
import { Calls } from './Calls.tsx'
import { withAccount, withBy, withFilter, withoutCall, withRange } from './change-search.ts'
import { dayOf, daysOf, usualRange } from './ranges.ts'
import { TotalsSummary } from './TotalsSummary.tsx'
import { UsageChart } from './UsageChart.tsx'
import { AccountUsage, ModelUsage } from './UsageTables.tsx'
import { UsageTools } from './UsageTools.tsx'
import { budgetQuery, callQuery, usageQuery } from './usage-queries.ts'
import type { UsageSearch } from './usage-search.ts'

const CallDrawer = lazy(() => import('./CallDrawer.tsx'))
const route = getRouteApi('/usage')

/** What models were used for: sums, days, models, accounts, single calls. */
export function UsagePage() {
  const api = useApi()
  const cache = useQueryClient()
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const { range = usualRange, account, by = 'model', measure, model, outcome, call: openId } = search
  const days = daysOf(range, useTimedText(dayOf))
  const scope = { ...days, account }
  const byDay = useAnswer(usageQuery(api, { ...scope, groupBy: `day,${by}` }))
  const byModel = useQuery(usageQuery(api, { ...scope, groupBy: 'provider,model' }))
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
      lead="What models were asked, and what it took. Days begin at midnight UTC, as budgets do."
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
      />
      {report === undefined && failure !== null ? (
        <FailureNotice what="The usage could not be read." error={failure} onRetry={() => void refetch()} />
      ) : (
        <>
          <TotalsSummary totals={report?.totals} />
          <BudgetMeter budget={budget.data} />
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
                    Ask a model in the playground
                  </Button>
                }
                link={<a href={apiReferencePath}>See what programs can call</a>}
              />
            </Surface>
          ) : (
            <>
              {range === 'today' ? null : (
                <UsageChart
                  report={report}
                  by={by}
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
                filter={{ ...scope, model, outcome }}
                models={[...new Set(byModel.data?.rows.flatMap((row) => row.model ?? []))]}
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
  if (account === undefined) return 'You have asked no model in these days.'
  return account === 'all'
    ? 'Nobody has asked a model in these days.'
    : 'This account has asked no model in these days.'
}
