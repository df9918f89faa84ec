import type { ModelCall, ModelPart, ProviderName } from '../providers/provider.ts'
import { type AnswerCache, bytesOfParts } from './answer-cache.ts'
import { cacheKeyOf } from './cache-key.ts'
import type { ChatRequest } from './contract.ts'

/** What memory has to say about a call, and what it is to remember of it. */
export type Remembered =
  | { readonly state: 'off' }
  | { readonly state: 'hit'; readonly parts: readonly ModelPart[] }
  | { readonly state: 'miss'; readonly note: (part: ModelPart) => void }

export function lookUpAnswer(
  cache: AnswerCache,
  { accountId, cache: wish }: Pick<ChatRequest, 'accountId' | 'cache'>,
  provider: ProviderName,
  call: ModelCall,
): Remembered {
  const key = cache.enabled && wish !== 'off' ? cacheKeyOf(accountId, provider, call) : undefined
  if (key === undefined) return { state: 'off' }
  const parts = wish === 'use' ? cache.get(key) : undefined
  if (parts !== undefined) return { state: 'hit', parts }
  return { state: 'miss', note: noteAnswer(cache, key) }
}

/** Gathers an answer and remembers it when it is whole. One that grows too long is let go at once. */
function noteAnswer(cache: AnswerCache, key: string): (part: ModelPart) => void {
  let gathered: ModelPart[] | undefined = []
  return (part) => {
    if (gathered === undefined) return
    if (part.type === 'end') {
      if (part.finish !== 'other') cache.put(key, [...gathered, withoutDurations(part)])
      gathered = undefined
      return
    }
    const last = gathered.at(-1)
    if (last?.type === part.type) gathered[gathered.length - 1] = { ...last, text: last.text + part.text }
    else gathered.push(part)
    if (bytesOfParts(gathered) > cache.mostAnswerBytes) gathered = undefined
  }
}

/** How long a node took once is not how long an answer from memory takes. */
function withoutDurations(end: ModelPart & { readonly type: 'end' }): ModelPart {
  if (end.runtime === undefined) return end
  const kept = Object.entries(end.runtime).filter(([name]) => !name.endsWith('_duration'))
  return { ...end, runtime: Object.fromEntries(kept) }
}
