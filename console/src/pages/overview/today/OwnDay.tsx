import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useApi } from '../../../api/api-context.ts'
import { useApiQuery } from '../../../api/use-api-query.ts'
import { EmptyState } from '../../../parts/EmptyState.tsx'
import { FailureNotice } from '../../../parts/FailureNotice.tsx'
import { Section } from '../../../parts/Section.tsx'
import { useTimedText } from '../../../time/clock.ts'
import { BudgetMeter } from '../../usage/BudgetMeter.tsx'
import { dayOf, daysOf } from '../../usage/ranges.ts'
import { TotalsSummary } from '../../usage/TotalsSummary.tsx'
import { budgetQuery, usageQuery } from '../../usage/usage-queries.ts'

/** The day of an account that has nothing to do with flows: what it asked models, and what is left of its budget. */
export function OwnDay() {
  const api = useApi()
  const days = daysOf('today', useTimedText(dayOf))
  const { data, failure, refetch } = useApiQuery(
    usageQuery(api, { ...days, account: undefined, groupBy: 'model' }),
  )
  const { data: budget, isError } = useQuery(budgetQuery(api))
  return (
    <>
      {data === undefined && failure !== null ? (
        <FailureNotice
          what="Your usage could not be loaded."
          error={failure}
          onRetry={() => void refetch()}
        />
      ) : (
        <TotalsSummary totals={data?.totals} />
      )}
      {isError && budget === undefined ? null : <BudgetMeter budget={budget} />}
      <Section title="Get started">
        <EmptyState
          sentence="Your account can use models. Running flows requires the permission “run workflows”; ask an administrator for it."
          action={
            <Button size="sm" renderRoot={(props) => <Link to="/playground" {...props} />}>
              Open playground
            </Button>
          }
          link={<Link to="/profile">View your permissions</Link>}
        />
      </Section>
    </>
  )
}
