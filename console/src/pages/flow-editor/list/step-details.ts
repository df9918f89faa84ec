import { type DraftEdge, edgesOf } from '../document/edges.ts'
import { type DraftStep, nameOf } from '../document/flow-document.ts'
import { dormantSteps, referencesOf } from '../document/references.ts'

/** The details of a step in the list. */
export interface StepDetails {
  /** The conditions of the step: `Comes after A and B; when score < 70 from C`. */
  readonly arrival: string
  /** The branches of the step. */
  readonly branches: readonly Branch[]
  /** The number of branches not listed. */
  readonly moreBranches: number
  /** Whether the step runs only when a routing step adds it. */
  readonly isDormant: boolean
}

interface Branch {
  /** The path of the branch in the step, as key: conditions may have equal texts. */
  readonly place: string
  readonly when: string
  readonly to: string
}

/** The details of all steps, in their order. */
export function detailsOf(steps: readonly DraftStep[]): readonly StepDetails[] {
  const names = new Map(steps.map((step) => [step.id, nameOf(step)]))
  const arriving = Map.groupBy(edgesOf(steps), ({ to }) => to)
  const dormant = dormantSteps(steps)
  return steps.map((step) => {
    const isDormant = dormant.has(step.id)
    const branches = branchesOf(step, names)
    const shown = branches.length > maxNames ? branches.slice(0, maxNames - 1) : branches
    return {
      arrival: describeArrival(arriving.get(step.id) ?? [], (id) => names.get(id) ?? id, isDormant),
      branches: shown,
      moreBranches: branches.length - shown.length,
      isDormant,
    }
  })
}

function describeArrival(
  edges: readonly DraftEdge[],
  name: (id: string) => string,
  isDormant: boolean,
): string {
  const named = (kind: DraftEdge['kind']) => edges.filter((edge) => edge.kind === kind)
  const needed = named('needs').map(({ from }) => name(from))
  const parts = [
    ...(needed.length === 0 ? [] : [`runs after ${listOf(needed)}`]),
    ...describeChoices(named('chooses'), name),
    ...named('before').map(({ from }) => `after ${name(from)}, when added`),
  ]
  if (parts.length === 0) return isDormant ? '' : 'Starts immediately'
  const [first = '', ...others] = new Set(parts)
  return [first.charAt(0).toUpperCase() + first.slice(1), ...others].join('; ')
}

/** One line per deciding step, with all its branches that lead here. */
function describeChoices(edges: readonly DraftEdge[], name: (id: string) => string): string[] {
  const byDecider = Map.groupBy(edges, ({ from }) => from)
  return [...byDecider].map(([from, same]) => {
    const ways = [...new Set(same.map(({ label }) => label ?? ''))]
    if (ways.length > maxNames) return `in ${ways.length} cases of ${name(from)}`
    if (same.some(({ said }) => said?.path[0] === 'routing_options')) {
      return `when ${name(from)} chooses ${ways.join(' or ')}`
    }
    const when = ways.map((way) => (way === 'otherwise' ? way : `when ${way}`))
    return `${when.join(' or ')} from ${name(from)}`
  })
}

function branchesOf(step: DraftStep, names: ReadonlyMap<string, string>): readonly Branch[] {
  const choices = referencesOf(step).filter(({ kind }) => kind === 'chooses')
  // One option of a routing step may add steps and continue with another: that is one branch.
  const byBranch = Map.groupBy(choices, ({ path }) => JSON.stringify(path.slice(0, 2)))
  return [...byBranch].map(([place, same]) => ({
    place,
    when: same[0]?.label ?? '',
    to: same.map(({ to }) => names.get(to) ?? `“${to}”, which does not exist`).join(', then '),
  }))
}

/** Longer lists are shortened in a row; the form has all entries. */
const maxNames = 6

const list = new Intl.ListFormat('en-GB')

function listOf(names: readonly string[]): string {
  if (names.length <= maxNames) return list.format(names)
  return list.format([...names.slice(0, maxNames - 1), `${names.length - maxNames + 1} more`])
}
