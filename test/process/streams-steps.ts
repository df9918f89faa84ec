import { setTimeout } from 'node:timers/promises'
import { answer, type RunStep, runPlainly } from '../database/engine-setting.ts'

/** A prompt `speak COUNT EVERY_MS` says so many numbered words, one after the other. */
export function createSlowSpeakers(): RunStep {
  return async (run) => {
    if (run.step.type !== 'ai_prompt') return await runPlainly(run)
    const [verb, count, everyMs] = run.step.prompt.split(' ')
    if (verb !== 'speak') return answer(run.step.prompt)
    const words = Array.from({ length: Number(count) }, (_, index) => `word${index} `)
    for (const word of words) {
      await setTimeout(Number(everyMs), undefined, { signal: run.signal })
      run.onToken(word)
    }
    return answer(words.join(''))
  }
}
