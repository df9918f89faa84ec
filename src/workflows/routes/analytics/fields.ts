import { Type } from 'typebox'
import { maybeNumber } from '../../schemas/values.ts'

export const count = (description?: string) => Type.Integer(description === undefined ? {} : { description })
export const dollars = (description = 'Dollars.') => Type.Number({ description })
export const moment = (description: string) => Type.Integer({ description: `${description} Epoch seconds.` })

export const successRate = maybeNumber('Percent of those that completed or failed; null when none did.')
export const change = maybeNumber(
  'Percent against the time before; null when there was nothing to compare with.',
)

export const durations = {
  average_duration: maybeNumber('Seconds, of the completed ones; null when none completed.'),
  median_duration: maybeNumber(
    'Seconds, from counts between fixed bounds, so off by up to a half; null when none completed.',
  ),
  p95_duration: maybeNumber(
    'Seconds that 95 of 100 stayed below, as exact as the median; null when none completed.',
  ),
}

export const quality = maybeNumber('Average of 0 to 100 of measured texts; null without any.')
export const confidence = maybeNumber(
  'Average of 0 to 1 where answers or decisions had one; null when none had.',
)

export const Group = Type.Object({
  key: Type.String({ description: 'A flow, a type of step or a provider, by `group_by`.' }),
  count: count('Executions of a flow, steps of a type, steps answered or failed by a provider.'),
  success_rate: successRate,
  average_duration: durations.average_duration,
  tokens_used: count(),
  total_cost: dollars(),
  cost_share: maybeNumber('Percent of all cost; null when nothing cost anything.'),
})
