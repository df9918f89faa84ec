interface Scheduled {
  readonly next_run_at: number | null
}

/** The next runs, soonest first. */
export function nextOf<Schedule extends Scheduled>(
  schedules: readonly Schedule[],
  most: number,
): readonly (Schedule & { readonly next_run_at: number })[] {
  return schedules
    .filter(comesAgain)
    .toSorted((one, other) => one.next_run_at - other.next_run_at)
    .slice(0, most)
}

function comesAgain<Schedule extends Scheduled>(
  schedule: Schedule,
): schedule is Schedule & { readonly next_run_at: number } {
  return schedule.next_run_at !== null
}
