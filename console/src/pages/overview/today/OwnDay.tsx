import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useApi } from '../../../api/api-context.ts'
import { useAnswer } from '../../../api/use-answer.ts'
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
  const { data, failure, refetch } = useAnswer(
    usageQuery(api, { ...days, account: undefined, groupBy: 'model' }),
  )
  const { data: budget, isError } = useQuery(budgetQuery(api))
  return (
    <>
      {data === undefined && failure !== null ? (
        <FailureNotice what="Your usage could not be read." error={failure} onRetry={() => void refetch()} />
      ) : (
        <TotalsSummary totals={data?.totals} />
      )}
      {isError && budget === undefined ? null : <BudgetMeter budget={budget} />}
      <Section title="Where to begin">
        <EmptyState
          sentence="Your account asks models. To run flows it needs the permission “run workflows”, which an administrator can give you."
          action={
            <Button size="sm" renderRoot={(props) => <Link to="/playground" {...props} />}>
              Ask a model
            </Button>
          }
          link={<Link to="/profile">See what you may do</Link>}
        />
      </Section>
    </>
  )
}
