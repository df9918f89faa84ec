import { readText } from '../../parts/read-search.ts'

const runTabs = ['result', 'input', 'timeline', 'memory', 'decisions', 'log'] as const
const versions = ['same', 'latest'] as const

/** The search parameters of an execution's page, so that each step has a link. */
export interface RunSearch {
  /** The step, or its path inside a container. */
  step?: string
  /** The index of the batch item; absent for the first. */
  item?: number
  tab?: (typeof runTabs)[number]
  /** The steps as a graph in place of the timeline. */
  view?: 'graph'
  /** The container whose scopes are listed, or the scope whose steps are shown. */
  in?: string
  /** Opens the form that runs it again, with this version. */
  again?: (typeof versions)[number]
}

/** A step path such as `translate_all/7/translate`. */
const longestPath = 300

/** Parses the search parameters and drops invalid values. */
export function readRunSearch(address: Record<string, unknown>): RunSearch {
  const step = readText(address['step'])
  const within = readText(address['in'])
  const item = Number(address['item'])
  // The former name of the tab.
  const wanted = address['tab'] === 'step' ? 'timeline' : address['tab']
  const tab = runTabs.find((name) => name === wanted)
  const again = versions.find((name) => name === address['again'])
  return {
    ...(step === undefined || step.length > longestPath ? {} : { step }),
    ...(Number.isSafeInteger(item) && item > 0 && item < 1000 ? { item } : {}),
    ...(tab === undefined ? {} : { tab }),
    ...(address['view'] === 'graph' ? { view: 'graph' } : {}),
    ...(within === undefined || within.length > longestPath ? {} : { in: within }),
    ...(again === undefined ? {} : { again }),
  }
}
