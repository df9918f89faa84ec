import { once } from 'node:events'
import { setImmediate } from 'node:timers/promises'
import { StepFailure } from '#engine'
import { answer, type Run, type RunStep, runPlainly } from '../database/engine-setting.ts'

/** Steps that are controlled by their prompt and by the test. */
export interface ObedientSteps {
  readonly runStep: RunStep
  /** Releases the step that waits for this name. */
  release(name: string): void
  /** Resolves once a step waits for this name. */
  reached(name: string): Promise<void>
  /** Releases every step and clears all names, for a retried test. */
  reset(): void
}

/**
 * | prompt             | the step                                                         |
 * |--------------------|------------------------------------------------------------------|
 * | `wait NAME`        | ends when NAME is released, or is stopped                        |
 * | `speak WORDS`      | says each word as a model would, then ends with all of them      |
 * | `fail CODE`        | fails with this code                                             |
 * | `pay DOLLARS`      | costs so much, by the model `cloud/large` of the provider `cloud` |
 * | anything else      | ends with the prompt itself                                      |
 */
export function createObedientSteps(): ObedientSteps {
  const gates = new Map<string, { reached: PromiseWithResolvers<void>; open: PromiseWithResolvers<void> }>()

  function gate(name: string) {
    const known = gates.get(name) ?? {
      reached: Promise.withResolvers<void>(),
      open: Promise.withResolvers<void>(),
    }
    gates.set(name, known)
    return known
  }

  async function obey(run: Run, prompt: string) {
    // A model call is never instant.
    await setImmediate()
    const [verb, ...words] = prompt.split(' ')
    const rest = words.join(' ')
    if (verb === 'wait') {
      run.onPhase('ai_response_streaming')
      run.onToken('So far ')
      gate(rest).reached.resolve()
      await Promise.race([gate(rest).open.promise, once(run.signal, 'abort')])
      run.signal.throwIfAborted()
    }
    if (verb === 'speak') for (const word of words) run.onToken(`${word} `)
    if (verb === 'fail') {
      throw new StepFailure({
        code: rest as StepFailure['code'],
        message: 'It would not.',
        provider: 'cloud',
      })
    }
    const plain = answer(verbs.has(verb ?? '') ? rest : prompt)
    if (verb !== 'pay') return plain
    const microDollars = Number(rest) * 1e6
    const reserved = await run.budget.reserve(microDollars, paidFor)
    await reserved.settle(microDollars)
    return { ...plain, usage: { ...plain.usage, ...paidUsage, microDollars } }
  }

  return {
    runStep: async (run) =>
      run.step.type === 'ai_prompt' ? await obey(run, run.step.prompt) : await runPlainly(run),
    release: (name) => gate(name).open.resolve(),
    reached: (name) => gate(name).reached.promise,
    reset() {
      for (const { open } of gates.values()) open.resolve()
      gates.clear()
    },
  }
}

const verbs: ReadonlySet<string> = new Set(['wait', 'speak', 'pay'])

const paidFor = {
  callId: '00000000-0000-7000-8000-000000000000',
  source: 'engine',
  provider: 'cloud',
  model: 'cloud/large',
  requestedModel: 'auto',
  priceSource: 'test',
  priceVersion: null,
  attempts: 1,
}

const paidUsage = {
  provider: 'cloud',
  model: 'cloud/large',
  inputTokens: 30,
  outputTokens: 12,
  aiCalls: 1,
  aiMs: 40,
}

export const prompt = (id: string, words: string, more: object = {}) => ({
  id,
  type: 'ai_prompt',
  prompt: words,
  ...more,
})
