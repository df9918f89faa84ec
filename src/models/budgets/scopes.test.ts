import { describe, expect, test } from 'vitest'
import { anonymousPrincipal } from '#kernel/http'
import { budgetUsedUp, keyBudgetOf, scopesOf } from './scopes.ts'

const ada = { ...anonymousPrincipal, id: 'ada', credential: 'k1' }

describe('the scopes of a call', () => {
  test('are those of the account, and of the API key that makes it', () => {
    expect(scopesOf({ accountId: 'ada', microDollarsPerDay: 100, key: keyBudgetOf(ada) })).toEqual([
      { owner: 'account', scope: 'account:ada', kind: 'day', limit: 100 },
    ])
    const limits = { microDollarsPerDay: 5, microDollarsTotal: 50, requestsPerMinute: 3 }
    const key = keyBudgetOf({ ...ada, method: 'api_key', limits })
    expect(scopesOf({ accountId: 'ada', microDollarsPerDay: 100, key }).slice(1)).toEqual([
      { owner: 'key', scope: 'key:k1', kind: 'day', limit: 5 },
      { owner: 'key', scope: 'key:k1', kind: 'month', limit: null },
      { owner: 'key', scope: 'key:k1', kind: 'total', limit: 50 },
    ])
  })

  test('count for a key without limits, too', () => {
    expect(keyBudgetOf({ ...ada, method: 'api_key' })).toEqual({ id: 'k1' })
  })
})

describe('a refusal', () => {
  const noon = new Date('2026-12-31T12:00:00Z')
  const retry = (kind: 'day' | 'month' | 'total', spent: number, needed = 10) => {
    const scope = { owner: 'key', scope: 'key:k1', kind, limit: 100 } as const
    return budgetUsedUp(needed, { scope, spent, reserved: 5 }, noon).retryAfterSeconds
  }

  test('says when the budget starts again', () => {
    expect(retry('day', 95)).toBe(43_200)
    expect(retry('month', 95)).toBe(43_200)
    expect(retry('total', 95)).toBeUndefined()
  })

  test('suggests another try soon when only running calls are in the way', () => {
    expect(retry('total', 90)).toBe(1)
  })

  test('suggests no other try for a call that never fits', () => {
    expect(retry('day', 0, 101)).toBeUndefined()
  })
})
