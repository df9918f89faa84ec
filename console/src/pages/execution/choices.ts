import type { Trace } from '../executions/execution-queries.ts'

type Way = Pick<Trace['edges'][number], 'to' | 'label'>

export interface MadeChoice {
  readonly step: string
  readonly decision: Trace['decisions'][number] | undefined
  readonly taken: readonly Way[]
  readonly passed: readonly Way[]
}

/** The steps that decided something, with the ways that were taken and those that were not. */
export function choicesOf({ edges, decisions }: Pick<Trace, 'edges' | 'decisions'>): MadeChoice[] {
  const byStep = Map.groupBy(
    edges.filter(({ taken }) => taken !== null),
    ({ from }) => from,
  )
  const deciding = new Set([...byStep.keys(), ...decisions.map(({ step }) => step)])
  return [...deciding].map((step) => {
    const ways = byStep.get(step) ?? []
    return {
      step,
      decision: decisions.find((it) => it.step === step),
      taken: ways.filter(({ taken }) => taken === true),
      passed: ways.filter(({ taken }) => taken === false),
    }
  })
}
