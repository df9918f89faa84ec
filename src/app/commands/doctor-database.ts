import { clockWarningMs, type Database, describeSkew, maxClockSkewMs } from '#kernel/database'
import { bad, type Finding, good, note } from './finding.ts'

/** Compares the clock of this machine with that of the database, which codes and schedules follow. */
export function checkClock({ kind, clock }: Pick<Database, 'kind' | 'clock'>): Finding[] {
  if (kind === 'embedded') return []
  const skewMs = clock.skewMs()
  const advice = 'Start a time service, such as chrony or systemd-timesyncd, here and on the database server.'
  if (Math.abs(skewMs) >= maxClockSkewMs) return [bad(capitalised(describeSkew(skewMs)), advice)]
  if (Math.abs(skewMs) >= clockWarningMs) return [note(capitalised(describeSkew(skewMs)), advice)]
  return [good('The clocks of this machine and of the database agree')]
}

const diskFull = '53100'

/** Writes a megabyte into a temporary table and drops it: a full disk still reads. */
export async function checkSpace(database: Pick<Database, 'withSession'>): Promise<Finding[]> {
  try {
    await database.withSession((session) =>
      session.query(
        'create temporary table doctor_space as select md5(n::text) as filler from generate_series(1, 15000) as n',
      ),
    )
    return [good('The database server has space to write')]
  } catch (error) {
    const cause = error instanceof Error ? (error.cause ?? error) : undefined
    if (!(cause instanceof Error && 'code' in cause && cause.code === diskFull)) throw error
    return [
      bad(
        `The disk of the database server is full (${cause.message})`,
        'Free space there, or lower TUTTI_EXECUTION_RETENTION once it can write again.',
      ),
    ]
  }
}

function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}
