import { type SummaryCell, SummaryStrip } from '../../../parts/SummaryStrip.tsx'
import type { TourAnalytics } from './analytics-query.ts'
import { describePercent, describeSeconds, shareOf } from './analytics-words.ts'

/** The whole time in one line. */
export function AnalyticsSummary({ totals }: { totals: TourAnalytics['totals'] | undefined }) {
  return <SummaryStrip cells={cellsOf(totals)} isLoading={totals === undefined} />
}

function cellsOf(totals: TourAnalytics['totals'] | undefined): readonly SummaryCell[] {
  if (totals === undefined) {
    return ['Seen', 'Started', 'Completed', 'Dismissed', 'Time to the end'].map((name) => ({ name }))
  }
  const { views, starts, completions, dismissals, completion_rate } = totals
  const { average_duration, average_dismissal_duration } = totals
  return [
    { name: 'Seen', value: views.toLocaleString(), note: 'its first step appeared' },
    {
      name: 'Started',
      value: starts.toLocaleString(),
      note: `${describePercent(shareOf(starts, views))} of those who saw it`,
    },
    {
      name: 'Completed',
      value: completions.toLocaleString(),
      note: `${describePercent(completion_rate)} of those who started`,
    },
    {
      name: 'Dismissed',
      value: dismissals.toLocaleString(),
      note:
        average_dismissal_duration === null
          ? 'before the end'
          : `after ${describeSeconds(average_dismissal_duration)} on average`,
    },
    { name: 'Time to the end', value: describeSeconds(average_duration), note: 'on average' },
  ]
}
