/** DBOS: a workflow function with five steps, each stored as a row, started directly; and a queue for the wait times. */
import { serveBenchmark } from './contender-process.ts'
import { output, stepNames } from './five-steps.ts'
import { importPeer } from './peers.ts'

/** The part of its API that is used here. */
interface DbosModule {
  readonly DBOS: {
    setConfig(config: object): void
    registerWorkflow<Args extends unknown[]>(
      run: (...args: Args) => Promise<void>,
      options: { readonly name: string },
    ): (...args: Args) => Promise<void>
    runStep<Result>(run: () => Promise<Result>, options: { readonly name: string }): Promise<Result>
    launch(): Promise<void>
    registerQueue(name: string, options: { readonly workerConcurrency: number }): Promise<unknown>
    startWorkflow<Args extends unknown[]>(
      workflow: (...args: Args) => Promise<void>,
      options: { readonly queueName: string },
    ): (...args: Args) => Promise<unknown>
    shutdown(): Promise<void>
  }
}

const { DBOS } = await importPeer<DbosModule>('@dbos-inc/dbos-sdk')

/** Callbacks for the start of the first step of a workflow. */
const begun = new Map<number, () => void>()
let started = 0

DBOS.setConfig({
  name: 'bench',
  systemDatabaseUrl: process.env['DATABASE_URL'],
  systemDatabasePoolSize: Number(process.env['DBOS_POOL_SIZE']),
  logLevel: 'error',
})
const fiveSteps = DBOS.registerWorkflow(
  async (number: number) => {
    for (const name of stepNames) {
      await DBOS.runStep(
        async () => {
          if (name === 'one') begun.get(number)?.()
          return output
        },
        { name },
      )
    }
  },
  { name: 'five_steps' },
)
await DBOS.launch()
await DBOS.registerQueue('bench', { workerConcurrency: 50 })

serveBenchmark({
  ways: { start: () => fiveSteps((started += 1)) },
  async enqueue(tell) {
    const number = (started += 1)
    begun.set(number, () => {
      begun.delete(number)
      tell()
    })
    await DBOS.startWorkflow(fiveSteps, { queueName: 'bench' })(number)
  },
  close: () => DBOS.shutdown(),
})
