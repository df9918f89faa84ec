import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { compile } from './compile.ts'
import { createExpressionEvaluator } from './evaluator.ts'
import type { Scope } from './paths.ts'

// Long enough to see what an expression does; one that goes on is stopped like after the usual second.
const evaluator = createExpressionEvaluator({ expressionMs: 250 })
afterAll(() => evaluator[Symbol.asyncDispose]())
// Loading the threads, again after one of them was stopped, is not part of what is measured.
beforeEach(() =>
  Promise.all(['a', 'b'].map((accountId) => evaluator.evaluate('[1].sum()', empty, { accountId }))),
)

const empty: Scope = { memory: {}, context: {}, steps: {} }
const numbers = Array.from({ length: 20_000 }, (_unused, index) => index)

/** Binds names to values, each eight times as large as the previous one. */
const growing = (first: string, times: number) => {
  const binds = Array.from({ length: times }, (_unused, index) => {
    const before = `x${index - 1}`
    return `cel.bind(x${index}, ${index === 0 ? first : Array(8).fill(before).join(' + ')}, `
  })
  return `${binds.join('')}x${times - 1} == x${times - 2}${')'.repeat(times)}`
}

const laughs = `<?xml version="1.0"?><!DOCTYPE lolz [<!ENTITY lol "lol">${Array.from(
  { length: 9 },
  (_unused, index) => `<!ENTITY lol${index + 1} "${`&lol${index === 0 ? '' : index};`.repeat(10)}">`,
).join('')}]><lolz>&lol9;</lolz>`

describe('a hostile expression', () => {
  test.each<[string, string, Record<string, unknown>]>([
    ['a text that grows', growing('"xxxxxxxx"', 9), {}],
    ['a text that grows beyond what JavaScript has', growing('"xxxxxxxx"', 11), {}],
    ['a list that grows', growing('[1, 2, 3, 4, 5, 6, 7, 8]', 9), {}],
    ['an object that grows', growing('[{"a": [1, 2, 3]}]', 9), {}],
    ['nested loops', 'n.map(a, n.map(b, n.filter(c, c > a + b).size()).sum()).sum()', { n: numbers }],
    ['a slow regular expression', `"${'a'.repeat(40)}!".matches("^(a+)+$")`, {}],
    ['a large result', 'n.map(a, n).size()', { n: numbers }],
    ['a result that is too large', 'n.map(a, t)', { n: numbers, t: 'x'.repeat(10_000) }],
    ['a replacement that grows', 't.replace("", t).replace("", t).size()', { t: 'x'.repeat(30_000) }],
    ['entities of XML', 'parse_xml(t).lolz.size()', { t: laughs }],
    ['deep XML', 'parse_xml(t)', { t: `${'<a>'.repeat(50_000)}${'</a>'.repeat(50_000)}` }],
    ['deep JSON', 'parse_json(t)', { t: '['.repeat(200_000) + ']'.repeat(200_000) }],
    ['deep HTML', 'parse_html(t, "div div div div p").size()', { t: '<div>'.repeat(100_000) }],
    ['a slow selector', 'parse_html(t, "div div div div div div p").size()', { t: '<div>'.repeat(3000) }],
    ['CSV with a quote that never ends', 'parse_csv(t).size()', { t: `a\n"${'x'.repeat(5_000_000)}` }],
    ['CSV with too many rows', 'parse_csv(t).size()', { t: 'a\n'.repeat(300_000) }],
  ])('%s ends, and the event loop keeps turning', async (_name, source, memory) => {
    // The processor time between two turns: on a busy machine, the time itself may be any.
    let maxTurnMs = 0
    let before = process.threadCpuUsage()
    const watching = setInterval(() => {
      maxTurnMs = Math.max(maxTurnMs, process.threadCpuUsage(before).user / 1000)
      before = process.threadCpuUsage()
    }, 10)
    expect(compile(source).kind).toBe('compiled')
    const evaluated = await evaluator.evaluate(source, { ...empty, memory }, { accountId: 'hostile' })
    clearInterval(watching)
    expect(maxTurnMs).toBeLessThan(2000)
    if (evaluated.kind === 'value') expect(JSON.stringify(evaluated.value).length).toBeLessThan(9_000_000)
  })

  test('is stopped after a second', async () => {
    await using own = createExpressionEvaluator()
    const source = `"${'a'.repeat(60)}!".matches("^(a+)+$")`
    expect(await own.evaluate(source, empty, { accountId: 'hostile' })).toEqual({
      kind: 'failed',
      problem: { message: 'was stopped: it takes too long or needs too much memory', position: null },
    })
  })

  test('of one account delays another one by a turn, not by its whole queue', async () => {
    await using own = createExpressionEvaluator()
    const slow = `"${'a'.repeat(60)}!".matches("^(a+)+$")`
    let finished = 0
    const enough = new AbortController()
    const flood = Array.from({ length: 6 }, async () => {
      await own.evaluate(slow, empty, { accountId: 'flood', signal: enough.signal })
      finished += 1
    })
    expect(await own.evaluate('[1, 2].sum()', empty, { accountId: 'other' })).toEqual({
      kind: 'value',
      value: 3,
    })
    expect(finished).toBeLessThan(4)
    enough.abort()
    await Promise.allSettled(flood)
  })

  test('is refused above the limit of its caller, and leaves the queue when it is aborted', async () => {
    await using own = createExpressionEvaluator({ expressionMs: 100 })
    const slow = `"${'a'.repeat(60)}!".matches("^(a+)+$")`
    const caller = { accountId: 'one', maxWaiting: 2 }
    const running = Array.from({ length: 2 }, () => own.evaluate(slow, empty, caller))
    await expect(own.evaluate(slow, empty, caller)).rejects.toMatchObject({ code: 'overloaded' })
    const aborting = new AbortController()
    const aborted = own.evaluate(slow, empty, { accountId: 'two', signal: aborting.signal })
    aborting.abort(new Error('the execution was cancelled'))
    await expect(aborted).rejects.toThrow('the execution was cancelled')
    await Promise.all(running)
  })
})
