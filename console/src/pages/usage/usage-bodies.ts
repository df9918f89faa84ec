import type { paths } from '../../api/schema.generated.ts'

export type UsageReport = paths['/api/v1/usage']['get']['responses'][200]['content']['application/json']
export type UsageTotals = UsageReport['totals']
export type UsageRow = UsageReport['rows'][number]
export type Budget = paths['/api/v1/usage/budget']['get']['responses'][200]['content']['application/json']
export type Call =
  paths['/api/v1/usage/calls']['get']['responses'][200]['content']['application/json']['data'][number]
export type Outcome = NonNullable<
  NonNullable<paths['/api/v1/usage/calls']['get']['parameters']['query']>['outcome']
>
