import { type Api, bodyOf } from '../../api/api.ts'
import { ApiFailure, type Problem } from '../../api/api-failure.ts'
import type { paths } from '../../api/schema.generated.ts'
import type { WholeAgent } from '../agents/agent-queries.ts'
import type { AgentDraft, AgentOrigin } from './agent-draft.ts'

type NewBody = paths['/ai-orchestra/api/agents']['post']['requestBody']['content']['application/json']
type ChangedBody = paths['/ai-orchestra/api/agents/{id}']['put']['requestBody']['content']['application/json']

/**
 * | result    | the agent                                                              |
 * |-----------|------------------------------------------------------------------------|
 * | saved     | has a new version, or had this definition already                      |
 * | refused   | has problems, each with its path in the definition                     |
 * | overtaken | was saved by another user since the editor was opened; nothing changed |
 */
export type AgentSaving =
  | { readonly saved: WholeAgent; readonly isNew: boolean }
  | { readonly refused: readonly Problem[] }
  | { readonly overtaken: true }

/** Saves a draft: as a new agent, or as the next version of the edited one. Throws every other failure. */
export async function saveAgent(
  { client }: Pick<Api, 'client'>,
  { agent: id, revision }: Pick<AgentOrigin, 'agent' | 'revision'>,
  draft: AgentDraft,
): Promise<AgentSaving> {
  try {
    // A draft is sent as it is, valid or not.
    const body = { agent_definition: draft } as unknown as NewBody & ChangedBody
    const answer = await (id === null
      ? bodyOf(client.POST('/ai-orchestra/api/agents', { body }))
      : bodyOf(
          client.PUT('/ai-orchestra/api/agents/{id}', {
            params: { path: { id } },
            body: { ...body, ...(revision === null ? {} : { expected_version: revision }) },
          }),
        ))
    return { saved: answer.agent, isNew: answer.status !== 'unchanged' }
  } catch (error) {
    if (!(error instanceof ApiFailure)) throw error
    if (error.status === 409)
      return id === null
        ? { refused: [{ path: 'id', message: 'is already used by another agent' }] }
        : { overtaken: true }
    if (error.problems.length === 0) throw error
    return {
      refused: error.problems.map(({ path, message }) => ({
        path: path.replace(/^agent_definition\.?/, ''),
        message,
      })),
    }
  }
}
