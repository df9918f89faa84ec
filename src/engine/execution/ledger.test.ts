import { describe, expect, test } from 'vitest'
import type { Budget } from '#models'
import { StepFailure } from '../steps/step-failure.ts'
import { createLedger } from './ledger.ts'

type ReservedFor = Parameters<Budget['reserve']>[1]

const rich: Budget = { reserve: async () => ({ settle: async () => undefined }) }
const someCall = {} as ReservedFor

function openLedger(
  budget: number | null,
  { abortsOverBudget = true, account = rich, spentBefore = 0 } = {},
) {
  const warnings: unknown[] = []
  const ledger = createLedger({
    rules: { budget, abortsOverBudget, costAlerts: [] },
    spentBefore,
    account,
    persist: async () => {},
    onAlert: () => {},
    onOverBudget: (over) => warnings.push(over),
  })
  return { ledger, warnings }
}

/** Whether a promise is still pending after everything that could run has run. */
async function isPending(promise: Promise<unknown>): Promise<boolean> {
  const pending = Symbol('pending')
  await new Promise((resolve) => setImmediate(resolve))
  return (await Promise.race([promise.catch(() => undefined), Promise.resolve(pending)])) === pending
}

describe('a call that fits only without the reservations of running calls', () => {
  test('waits until one settles', async () => {
    const { ledger } = openLedger(1000)
    const first = await ledger.callBudget.reserve(800, someCall)
    const second = ledger.callBudget.reserve(800, someCall)
    expect(await isPending(second)).toBe(true)
    await first.settle(100)
    await (await second).settle(200)
    expect([ledger.spent(), ledger.reserved()]).toEqual([300, 0])
  })

  test('fails once a running call has spent too much', async () => {
    const { ledger } = openLedger(1000)
    const first = await ledger.callBudget.reserve(800, someCall)
    const second = ledger.callBudget.reserve(800, someCall)
    const failed = expect(second).rejects.toMatchObject({
      code: 'INSUFFICIENT_CREDITS',
      details: { budget: 0.001, spent: 0.0008, wanted: 0.0008 },
    })
    await first.settle(800)
    await failed
  })

  test('goes on in order of arrival, so that small calls do not overtake a large one for ever', async () => {
    const { ledger } = openLedger(1000)
    const order: string[] = []
    const running = await ledger.callBudget.reserve(600, someCall)
    const large = ledger.callBudget.reserve(900, someCall).then((taken) => {
      order.push('large')
      return taken.settle(0)
    })
    const small = ledger.callBudget.reserve(100, someCall).then((taken) => {
      order.push('small')
      return taken.settle(0)
    })
    expect(await isPending(small)).toBe(true)
    await running.settle(0)
    await Promise.all([large, small])
    expect(order).toEqual(['large', 'small'])
  })

  test('leaves the queue when it is aborted, and calls behind it go on', async () => {
    const { ledger } = openLedger(1000)
    await ledger.callBudget.reserve(600, someCall)
    const leaving = new AbortController()
    const large = ledger.callBudget.reserve(900, someCall, leaving.signal)
    const small = ledger.callBudget.reserve(100, someCall)
    expect(await isPending(small)).toBe(true)
    const reason = new Error('left')
    leaving.abort(reason)
    await expect(large).rejects.toBe(reason)
    await small
    expect(ledger.reserved()).toBe(700)
  })

  test('goes on when the account refused the call that it waited for', async () => {
    const refused = new Error('refused')
    let calls = 0
    const answer = Promise.withResolvers<void>()
    const account: Budget = {
      async reserve() {
        calls += 1
        if (calls > 1) return { settle: async () => undefined }
        await answer.promise
        throw refused
      },
    }
    const { ledger } = openLedger(1000, { account })
    const first = ledger.callBudget.reserve(800, someCall)
    const second = ledger.callBudget.reserve(800, someCall)
    expect(await isPending(second)).toBe(true)
    answer.resolve()
    await expect(first).rejects.toBe(refused)
    await second
    expect(ledger.reserved()).toBe(800)
  })
})

test('a call that could never fit fails at once, though others run', async () => {
  const { ledger } = openLedger(1000)
  await ledger.callBudget.reserve(800, someCall)
  await expect(ledger.callBudget.reserve(1001, someCall)).rejects.toBeInstanceOf(StepFailure)
})

test('a budget that only warns never makes a call wait', async () => {
  const { ledger, warnings } = openLedger(1000, { abortsOverBudget: false })
  await ledger.callBudget.reserve(800, someCall)
  await ledger.callBudget.reserve(800, someCall)
  expect(warnings).toEqual([{ budget: 1000, wanted: 1600 }])
})

describe('the budget of a scope', () => {
  test('fails the scope and names it', async () => {
    const { ledger } = openLedger(1000)
    const scope = ledger.scope(300, { name: 'translate/7', spentBefore: 100 })
    await expect(scope.callBudget.reserve(201, someCall)).rejects.toMatchObject({
      code: 'INSUFFICIENT_CREDITS',
      details: { scope: 'translate/7', budget: 0.0003 },
    })
    expect(scope.callBudget.left?.()).toBe(200)
  })

  test('does not name a scope when the budget of the execution is exceeded', async () => {
    const { ledger } = openLedger(1000)
    const scope = ledger.scope(5000, { name: 'translate/7' })
    const failure: unknown = await scope.callBudget.reserve(1001, someCall).catch((error: unknown) => error)
    expect((failure as StepFailure).details).not.toHaveProperty('scope')
  })

  test('counts in the execution, too', async () => {
    const { ledger } = openLedger(1000)
    const inner = ledger.scope(600, { name: 'a/1' }).scope(400, { name: 'a/1/b/2' })
    await (await inner.callBudget.reserve(400, someCall)).settle(350)
    expect([inner.spent(), ledger.spent(), ledger.reserved()]).toEqual([350, 350, 0])
  })

  test('makes only the calls of the same scope wait', async () => {
    const { ledger } = openLedger(10_000)
    const [left, right] = [ledger.scope(300, { name: 'a/0' }), ledger.scope(300, { name: 'a/1' })]
    const running = await left.callBudget.reserve(200, someCall)
    const behind = left.callBudget.reserve(200, someCall)
    await right.callBudget.reserve(200, someCall)
    expect(await isPending(behind)).toBe(true)
    await running.settle(0)
    await behind
  })
})

test('random parallel calls never exceed a limit, and all that fit run', async () => {
  let seed = 7
  const random = (below: number) => {
    seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31
    return seed % below
  }
  for (let round = 0; round < 200; round += 1) {
    const { ledger } = openLedger(1000)
    const scopes = [ledger, ledger.scope(400, { name: 's/0' }), ledger.scope(250, { name: 's/1' })]
    const limits = [1000, 400, 250]
    const calls = Array.from({ length: 30 }, async () => {
      const index = random(3)
      const scope = scopes[index] ?? ledger
      const amount = 1 + random(240)
      const cost = random(3) === 0 ? amount : random(8)
      try {
        const taken = await scope.callBudget.reserve(amount, someCall)
        scopes.forEach((each, at) => {
          expect(each.spent() + each.reserved()).toBeLessThanOrEqual(limits[at] ?? 0)
        })
        await new Promise((resolve) => setImmediate(resolve))
        await taken.settle(cost)
      } catch (error) {
        expect(error).toBeInstanceOf(StepFailure)
        const fits = ledger.spent() + amount <= 1000 && scope.spent() + amount <= (limits[index] ?? 0)
        expect(fits).toBe(false)
      }
    })
    await Promise.all(calls)
    expect(scopes.map((each) => each.reserved())).toEqual([0, 0, 0])
  }
})
