import { readText } from '../../parts/read-search.ts'

const runTabs = ['result', 'input', 'step', 'memory', 'decisions', 'log'] as const

/** The search parameters of an execution's page, so that each step has a link. */
export interface RunSearch {
  step?: string
  /** The index of the batch item; absent for the first. */
  item?: number
  tab?: (typeof runTabs)[number]
}

/** Parses the search parameters and drops invalid values. */
export function readRunSearch(address: Record<string, unknown>): RunSearch {
  const step = readText(address['step'])
  const item = Number(address['item'])
  const tab = runTabs.find((name) => name === address['tab'])
  return {
    ...(step === undefined || step.length > 64 ? {} : { step }),
    ...(Number.isSafeInteger(item) && item > 0 && item < 1000 ? { item } : {}),
    ...(tab === undefined ? {} : { tab }),
  }
}
