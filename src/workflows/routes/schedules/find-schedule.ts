import { Type } from 'typebox'
import { type Engine, engineFailure, type Schedule } from '#engine'
import { managesAll } from '#executions-api'
import type { Principal } from '#kernel/http'
import { workflowsPrefix } from '../../api.ts'

export const schedulesPath = `${workflowsPrefix}/schedules`

/** The path of everything about one schedule. */
export const scheduleParams = Type.Object({
  id: Type.String({ maxLength: 200, description: 'The id of the schedule.' }),
})

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** Reads a schedule that the caller may see. Throws `schedule_not_found` for every other id. */
export async function findSchedule(
  { schedules }: Pick<Engine, 'schedules'>,
  principal: Pick<Principal, 'id' | 'permissions'>,
  id: string,
): Promise<Schedule> {
  const schedule = uuid.test(id) ? await schedules.read(id) : undefined
  if (schedule !== undefined && (schedule.accountId === principal.id || managesAll(principal)))
    return schedule
  throw noSuchSchedule(id)
}

export function noSuchSchedule(id: string) {
  return engineFailure('schedule_not_found', {
    message: 'There is no schedule with this id, or it is not yours.',
    details: { schedule_id: id },
  })
}
