import { OutcomeBar } from '../../parts/OutcomeBar.tsx'
import { Status } from '../../parts/Status.tsx'
import type { Column } from '../../parts/Table.tsx'
import type { Schedule } from './schedule-queries.ts'
import { describeState, outcomeOf } from './schedule-words.ts'

/** The columns that every table of schedules has. */
export const stateColumns: ReadonlyArray<Column<Schedule>> = [
  {
    title: 'State',
    value: (schedule) => describeState(schedule).word,
    minWidth: 72,
    placeholderWidth: 40,
    cell: (schedule) => <Status {...describeState(schedule)} />,
  },
  {
    title: 'Recent runs',
    minWidth: 96,
    minor: true,
    placeholderWidth: 80,
    cell: ({ recent }) => <OutcomeBar outcomes={recent.map(outcomeOf)} />,
  },
]
