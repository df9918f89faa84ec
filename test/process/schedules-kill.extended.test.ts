import { setTimeout } from 'node:timers/promises'
import { expect, inject, test } from 'vitest'
import { createDataFolder } from '../support/data-folder.ts'
import { eventually } from '../support/eventually.ts'
import { patience } from '../support/patience.ts'
import { startPlatformIn } from '../support/platform.ts'
import { createWorkflowsApi } from './workflows-api.ts'

interface Schedule {
  readonly schedule_id: string
  readonly counts: { readonly started: number; readonly failed: number }
  readonly recent: readonly {
    readonly due_at: number
    readonly outcome: string
    readonly execution_id: string
  }[]
}

interface Execution {
  readonly execution_id: string
  readonly schedule_id: string
}

/** Schedules are due at full ten seconds; more of them make it likelier that a kill hits one between start and record. */
const schedules = 12
const everyMs = 10_000

/** A little after the next due time, so that the kill comes while the schedules are handled. */
async function untilDue(afterMs: number): Promise<void> {
  await setTimeout(everyMs - (Date.now() % everyMs) + afterMs)
}

test('killed with -9 while schedules are due, each recorded time has exactly one execution', {
  timeout: 600_000 * patience,
}, async () => {
  await using folder = await createDataFolder({ copyOf: inject('madeDataFolder') })
  {
    await using platform = await startPlatformIn(folder.path)
    const api = createWorkflowsApi(platform)
    await api('/flows', {
      flow_definition: {
        id: 'ticking',
        label: 'Ticking',
        steps: [
          {
            id: 'join',
            type: 'data_transform',
            transformations: [{ operation: 'merge', sources: ['content'] }],
          },
        ],
      },
    })
    for (let number = 0; number < schedules; number += 1)
      await api('/schedules', { flow_id: 'ticking', cron: '*/10 * * * * *', context: { content: 'tick' } })
    await untilDue(40)
    await platform.process.kill('SIGKILL')
  }
  for (const afterMs of [120, 250]) {
    await using platform = await startPlatformIn(folder.path)
    await untilDue(afterMs)
    await platform.process.kill('SIGKILL')
  }
  await using platform = await startPlatformIn(folder.path)
  const api = createWorkflowsApi(platform)
  const read = async () => (await api<{ schedules: Schedule[] }>('/schedules')).schedules
  // Every schedule has had a time after the last kill, whose execution has ended.
  const since = Date.now() / 1000
  await eventually(
    async () =>
      (await read()).every(
        ({ recent: [last] }) => (last?.due_at ?? 0) >= since && last?.outcome === 'completed',
      ),
    500,
  )
  // Disabled, so that no further time comes while both are read.
  for (const { schedule_id: id } of await read()) await api(`/schedules/${id}`, { enabled: false }, 'PATCH')
  const listed = () => api<{ total: number }>('/executions?limit=1')
  await eventually(async () => {
    const recorded = (await read()).reduce((sum, { counts }) => sum + counts.started, 0)
    return recorded === (await listed()).total
  }, 200)
  const { executions, total } = await api<{ executions: Execution[]; total: number }>('/executions?limit=200')
  expect(executions).toHaveLength(total)
  for (const { schedule_id: id } of await read()) {
    // A list has the last twelve times only.
    const { recent, counts } = await api<Schedule>(`/schedules/${id}`)
    const started = executions.filter((execution) => execution.schedule_id === id)
    expect(recent.map((run) => run.execution_id).toSorted()).toEqual(
      started.map((execution) => execution.execution_id).toSorted(),
    )
    expect(counts).toMatchObject({ started: started.length, failed: 0 })
    expect(new Set(recent.map((run) => run.due_at)).size).toBe(recent.length)
  }
})
