import type { NativeCall } from './call.ts'

/** Whether the request has nothing to answer: clients load a model with it, or unload it with `keep_alive: 0`. */
export function isLoadRequest({ kind, messages }: Pick<NativeCall, 'kind' | 'messages'>): boolean {
  return kind === 'chat'
    ? messages.length === 0
    : messages.every(({ role, content }) => role === 'system' || content === '')
}

/** The response to a load request of a server that needs not load the model. */
export function answerLoadRequest({ kind, model, runtime = {} }: NativeCall) {
  const { keep_alive: keepAlive } = runtime
  const isUnload = keepAlive === 0 || (typeof keepAlive === 'string' && /^0[a-z]*$/.test(keepAlive))
  return {
    model,
    created_at: new Date().toISOString(),
    ...(kind === 'chat' ? { message: { role: 'assistant', content: '' } } : { response: '' }),
    done: true,
    done_reason: isUnload ? 'unload' : 'load',
  }
}
