import { readObject } from '../execution/read-object.ts'
import type { Schedule } from './schedule-queries.ts'

/** The form state of a schedule. */
export interface ScheduleDraft {
  readonly label: string
  readonly flow: string
  readonly cron: string
  readonly timezone: string
  /** The context as JSON; undefined until the user edits it. */
  readonly context: string | undefined
  readonly overlap: Schedule['overlap']
}

/** The fields of the form, by their names in the request. */
export const scheduleFields = ['label', 'flow_id', 'cron', 'timezone', 'context', 'overlap'] as const

/** A new schedule: 9:00 on workdays in the user's time zone. */
export function newDraft(timezone: string): ScheduleDraft {
  return { label: '', flow: '', cron: '0 9 * * 1-5', timezone, context: undefined, overlap: 'skip' }
}

export function draftOf(schedule: Schedule): ScheduleDraft {
  return {
    label: schedule.label ?? '',
    flow: schedule.flow_id,
    cron: schedule.cron,
    timezone: schedule.timezone,
    context: JSON.stringify(schedule.context, null, 2),
    overlap: schedule.overlap,
  }
}

/** The request body. `context` is the text of the context field. */
export function bodyOfDraft(draft: ScheduleDraft, context: string) {
  const { value } = readObject(context)
  if (value === undefined) throw new Error('The context is not a JSON object.')
  const label = draft.label.trim()
  return {
    label: label === '' ? null : label,
    flow_id: draft.flow,
    cron: draft.cron.trim(),
    timezone: draft.timezone,
    context: value,
    overlap: draft.overlap,
  }
}

/** All time zones, including the current one, which may be an alias the browser does not list. */
export function timezonesWith(current: string): readonly string[] {
  return [...new Set(['UTC', ...Intl.supportedValuesOf('timeZone'), current])].filter((it) => it !== '')
}
