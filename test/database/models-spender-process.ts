import { Failure } from '#kernel/errors'
import { createLogger } from '#kernel/telemetry'
import { connectAgain, openCallAccounting, someCall } from './models-accounting.ts'

/**
 * Another replica that spends the budget of `ada`, by the order in SPENDER: reserves every amount at once and prints the
 * result of each, `taken N` or `refused N`. With `settle` it then settles that share of each; with `hold` it does not.
 */
interface Order {
  readonly limit: number
  readonly amounts: readonly number[]
  readonly afterwards: 'settle' | 'hold'
}

const log = createLogger({ level: 'error', format: 'json' })
const { limit, amounts, afterwards } = JSON.parse(process.env['SPENDER'] ?? '') as Order
const database = await connectAgain(process.env['DATABASE_URL'] ?? '')
const { budget, usage } = openCallAccounting(database)
const print = (line: string) => process.stdout.write(`${line}\n`)

async function spend(amount: number): Promise<void> {
  try {
    const reservation = await budget
      .of({ accountId: 'ada', microDollarsPerDay: limit })
      .reserve(amount, someCall())
    if (afterwards === 'settle')
      await usage.record({ settlement: await reservation.settle(Math.floor(amount / 2)) })
    print(`taken ${amount}`)
  } catch (error) {
    if (!(error instanceof Failure) || error.code !== 'budget_used_up')
      log.error({ err: error }, 'not as expected')
    print(`refused ${amount}`)
  }
}

await Promise.all(amounts.map(spend))
print('done')
if (afterwards === 'settle') await database.close()
