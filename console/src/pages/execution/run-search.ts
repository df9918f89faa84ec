import { readText } from '../../parts/read-search.ts'

const runTabs = ['step', 'memory', 'decisions', 'log'] as const

/** The search parameters of an execution's page: a link to any step works. */
export interface RunSearch {
  step?: string
  /** Which of a batch, from 0; the first goes without saying. */
  item?: number
  tab?: (typeof runTabs)[number]
}

/** Reads the address; what makes no sense is left out. */
export function readRunSearch(address: Record<string, unknown>): RunSearch {
  const step = readText(address['step'])
  const item = Number(address['item'])
  const tab = runTabs.find((name) => name === address['tab'] && name !== 'step')
  return {
    ...(step === undefined || step.length > 64 ? {} : { step }),
    ...(Number.isSafeInteger(item) && item > 0 && item < 1000 ? { item } : {}),
    ...(tab === undefined ? {} : { tab }),
  }
}
