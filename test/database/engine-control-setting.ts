import { type Engine, StepFailure } from '#engine'
import { eventually } from '../support/eventually.ts'
import { type EngineScene, type Run, type RunStep, runPlainly } from './engine-setting.ts'

export const prompt = (id: string, dependencies: string[] = [], more: object = {}) => ({
  id,
  type: 'ai_prompt',
  prompt: `output of ${id}`,
  dependencies,
  ...more,
})

/** Runs steps normally, records them, and fails those marked as broken. */
export function createFaultySteps() {
  const ran: string[] = []
  const runs: Run[] = []
  const broken = new Map<string, () => StepFailure>()
  const runStep: RunStep = async (run) => {
    ran.push(run.step.id)
    runs.push(run)
    const fail = broken.get(run.step.id)
    if (fail !== undefined) throw fail()
    return await runPlainly(run)
  }
  return {
    ran,
    runs,
    runStep,
    break(stepId: string, failure: ConstructorParameters<typeof StepFailure>[0]) {
      broken.set(stepId, () => new StepFailure(failure))
    },
    mend: (stepId: string) => broken.delete(stepId),
  }
}

export const apiFailed = { code: 'EXTERNAL_API_FAILED', message: 'It did not answer.' } as const
export const providerFailed = {
  code: 'PROVIDER_UNAVAILABLE',
  message: 'It did not answer.',
  provider: 'openai',
} as const

export const untilIs = (scene: EngineScene, id: string, status: string) =>
  eventually(async () => (await scene.read(id)).status === status)

/** All journal entries, which are numbered without a gap by every writer. */
export async function eventsOf(engine: Engine, id: string) {
  const record = await engine.executions.read(id)
  const events = record?.events ?? []
  const numbers = events.map(({ seq }) => seq)
  const expected = events.map((_, index) => index + 1)
  if (numbers.join() !== expected.join()) throw new Error(`numbered ${numbers.join()}`)
  return events
}

/** The current statistics of a flow. */
export async function countedOf({ database }: EngineScene, engine: Engine, flowId: string) {
  await engine.history.roll()
  const [row] = await database.query<{
    executions: number
    completed: number
    failed: number
    cancelled: number
  }>(
    `
      select sum(executions)::integer as executions, sum(completed)::integer as completed, sum(failed)::integer as failed,
        sum(cancelled)::integer as cancelled
      from engine_history_flows where flow_id = $1 and grain = 'day'
    `,
    [flowId],
  )
  return row
}
