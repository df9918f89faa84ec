import { isObject } from '../flow-editor/document/json.ts'
import { createShelf } from '../flow-editor/save/shelf.ts'
import type { AgentDraft, AgentOrigin } from './agent-draft.ts'

const maxDrafts = 20

interface KeptDraft {
  readonly definition: AgentDraft
  /** The version that it is based on; null for a new agent. */
  readonly revision: number | null
  readonly at: Date
}

/** The unsaved changes of an agent, stored in this browser for one account. */
export interface DraftOfAgent {
  readonly find: () => KeptDraft | undefined
  readonly keep: (definition: AgentDraft, revision: number | null) => void
  readonly forget: () => void
}

export function draftOfAgent(account: string, origin: Pick<AgentOrigin, 'agent' | 'copyOf'>): DraftOfAgent {
  const { agent, copyOf } = origin
  const shelf = createShelf({
    storage: () => window.localStorage,
    heading: 'tutti-agent-drafts',
    most: maxDrafts,
  })
  const name = agent === null ? `${account}/new/${copyOf ?? ''}` : `${account}/agent/${agent}`
  return {
    find() {
      const entry = shelf.read(name)
      if (entry === undefined || !isObject(entry.value)) return undefined
      const { definition, revision: base = null } = entry.value
      if (!isObject(definition) || (base !== null && typeof base !== 'number')) return undefined
      return { definition, revision: base, at: entry.at }
    },
    keep: (definition, revision) => void shelf.write(name, { definition, revision }),
    forget: () => shelf.remove(name),
  }
}
