import type { KeyLimits } from '#kernel/http'
import { answerLoadRequest, isLoadRequest } from '#kernel/native-api'
import { allowedEntries } from '../../gateway/allowed-entries.ts'
import type { CatalogueSource } from '../../gateway/catalogue-entry.ts'
import { findEntriesByName } from '../../gateway/find-entries.ts'
import type { RuntimeHandlers } from './handlers.ts'

/**
 * Answers empty requests for models that no node has. Ollama clients load a model with such a request before they use it, or unload it
 * with `keep_alive: 0`. A model of another provider needs neither: without this, each of them would be a call that costs money.
 */
export function answerLoadRequests(handlers: RuntimeHandlers, directory: CatalogueSource): RuntimeHandlers {
  /** Whether the model exists, is allowed and belongs to another provider than the cluster. */
  async function isOfOtherProvider(name: string, limits: KeyLimits | undefined): Promise<boolean> {
    const [entry] = findEntriesByName(name, allowedEntries(await directory.find(), limits))
    return entry !== undefined && entry.provider !== 'ollama'
  }

  return {
    ...handlers,
    async respond(request, reply, call) {
      if (!isLoadRequest(call) || !(await isOfOtherProvider(call.model, request.principal.limits))) {
        await handlers.respond(request, reply, call)
        return
      }
      await reply
        .header('cache-control', 'no-store')
        .type(call.original?.stream === true ? 'application/x-ndjson' : 'application/json; charset=utf-8')
        .send(`${JSON.stringify(answerLoadRequest(call))}\n`)
    },
  }
}
